import CEL
import Items

/// What is known at a step beside the types of names: what is not null there, and what `it` is.
struct Knowledge {
  /// What is not null, as expressions write it.
  private(set) var known: Set<String> = []
  /// The variables that were set to what may be null, whatever their type.
  var emptied: Set<String> = []
  /// The type of `it`; nil when it may be any value.
  var itType: DataType?

  /// Takes up what a condition told.
  mutating func learn(_ facts: Set<String>) {
    for fact in facts { known.insert(fact.hasPrefix("vars.") ? String(fact.dropFirst(5)) : fact) }
  }

  /// Gives up what was known of a name, which means or holds something else from here on.
  mutating func forget(_ name: String) {
    if !known.isEmpty { known = known.filter { !$0.mentions(name) } }
  }

  /// What is known where two ways meet.
  func joined(_ other: Knowledge) -> Knowledge {
    var result = self
    result.known.formIntersection(other.known)
    result.emptied.formUnion(other.emptied)
    if itType != other.itType { result.itType = nil }
    return result
  }

  /// What is known where several ways meet; nil when none does.
  static func joined(_ ways: [Knowledge]) -> Knowledge? {
    guard let first = ways.first else { return nil }
    return ways.dropFirst().reduce(first) { $0.joined($1) }
  }

  /// All that is known, with the other way to write a name: `vars.title` for `title`.
  var facts: Set<String> { known.isEmpty ? [] : known.union(known.map { "vars." + $0 }) }
}
