import CEL
import Items

/// What is known at a step beside the types of names: what is not null there, and what `it` is.
struct Knowledge {
  /// The names that are not null.
  private var names: Set<String> = []
  /// The parts of values that are not null, as expressions write them, such as `link.title`.
  private var parts: Set<String> = []
  /// For each name the parts in which it stands; some of them may be known no more.
  private var partsByName: [String: Set<String>] = [:]
  /// The variables that were set to what may be null, whatever their type.
  var emptied: Set<String> = []
  /// The type of `it`; nil when it may be any value.
  var itType: DataType? { didSet { itValue = nil } }
  /// What `it` is, where that is written out.
  var itValue: Value?
  /// Whether no step has given `it` a value, and no input has.
  var itIsUnset = false

  /// Takes up what a condition told.
  mutating func learn(_ facts: Set<String>) {
    for fact in facts { learn(fact.hasPrefix("vars.") ? String(fact.dropFirst(5)) : fact) }
  }

  private mutating func learn(_ fact: String) {
    let mentioned = fact.names
    if mentioned.count == 1, mentioned[0] == fact {
      names.insert(fact)
      return
    }
    parts.insert(fact)
    for name in mentioned { partsByName[name, default: []].insert(fact) }
  }

  /// Takes up what is not null in each element of the list that a name holds, with `@` for an element.
  mutating func learn(_ facts: Set<String>, ofElementsOf name: String) {
    for fact in facts { learn(name + fact) }
  }

  /// What is not null in each element of the list that a name holds, with `@` for an element.
  func elementFacts(of name: String) -> Set<String> {
    let start = name + "@"
    return Set(
      (partsByName[name] ?? []).filter { $0.hasPrefix(start) && parts.contains($0) }
        .map { String($0.dropFirst(name.count)) })
  }

  /// Gives up what was known of a name, which means or holds something else from here on.
  mutating func forget(_ name: String) {
    if !names.isEmpty { names.remove(name) }
    if parts.isEmpty { return }
    if let mentioning = partsByName.removeValue(forKey: name) { parts.subtract(mentioning) }
  }

  /// Whether a name is known not to be null.
  func isKnown(_ name: String) -> Bool { names.contains(name) }

  /// What is known where two ways meet.
  func joined(_ other: Knowledge) -> Knowledge {
    var result = self
    result.names.formIntersection(other.names)
    result.parts.formIntersection(other.parts)
    result.emptied.formUnion(other.emptied)
    result.itIsUnset = itIsUnset && other.itIsUnset
    result.itType = itType.flatMap { own in other.itType.flatMap(own.joined) }
    result.itValue = itValue == other.itValue ? itValue : nil
    return result
  }

  /// What is known where several ways meet; nil when none does.
  static func joined(_ ways: [Knowledge]) -> Knowledge? {
    guard let first = ways.first else { return nil }
    return ways.dropFirst().reduce(first) { $0.joined($1) }
  }

  /// What is known of some names, each fact also in its other spelling: `vars.title` for `title`.
  ///
  /// Only what an expression names is looked at, so that many names make no expression slower.
  func facts(on mentioned: some Sequence<String>) -> Set<String> {
    if names.isEmpty && parts.isEmpty { return [] }
    var facts: Set<String> = []
    for name in mentioned {
      if names.contains(name) { facts.formUnion([name, "vars." + name]) }
      guard let mentioning = partsByName[name] else { continue }
      for part in mentioning where parts.contains(part) {
        facts.formUnion([part, "vars." + part])
      }
    }
    return facts
  }
}

extension String {
  /// The names and the names of fields in an expression, in the order in which they stand.
  var names: [String] {
    split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
  }
}
