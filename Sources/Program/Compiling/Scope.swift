import CEL
import Catalog
package import Items
import Source
package import YAML

/// What a name stands for while a document is compiled.
package struct Binding {
  package enum Kind {
    /// A parameter, the input, or a name that the language gives.
    case parameter
    /// What `as` named.
    case result
    /// A loop's variable.
    case loop
    /// What `set` or `variables` declared; the only kind that `set` may assign.
    case variable
  }

  let slot: Int
  let kind: Kind
  let type: DataType?
  /// Where it was declared.
  let declaration: Scalar?
  /// Whether the type is that of its first value, and none that the document declares.
  var isInferred = false

  /// The type that the document declares.
  var declaredType: DataType? { isInferred ? nil : type }

  /// The same name with another type.
  func with(type: DataType?) -> Binding {
    var binding = Binding(slot: slot, kind: kind, type: type, declaration: declaration)
    binding.isInferred = isInferred
    return binding
  }
}

/// The names in reach, the innermost block last.
package struct Scopes {
  private var blocks: [[String: Binding]] = [[:]]
  /// For each block, whether it runs at once with others.
  private var areBranches = [false]
  private(set) var slotCount = 0
  /// What is known here beside the types of names.
  var knowledge = Knowledge()
  /// The names declared so far that those of types hide.
  private(set) var typeNames: [String] = []
  /// The names of results that are secrets, by their slots.
  private(set) var secretNames: [String: Set<Int>] = [:]
  /// The name `run`; nil where there is no run.
  var runName: RunName?
  /// Advice on names that are not in reach; nil where no document declares any.
  var nameAdvice: NameAdvice?
  /// Whether the default of a parameter is compiled, before those below it are declared.
  var isDefault = false
  /// Which names are used; nil where nobody wants to know.
  var uses: NameUses?

  /// No names yet.
  package init() {}

  /// A slot that no name stands for.
  package mutating func makeSlot() -> Int {
    slotCount += 1
    return slotCount - 1
  }

  /// Declares a name in the innermost block, hiding an outer one.
  @discardableResult
  package mutating func declare(
    _ name: String, _ kind: Binding.Kind, type: DataType?, at declaration: Scalar? = nil,
    isInferred: Bool = false
  ) -> Int {
    let slot = makeSlot()
    knowledge.forget(name)
    if CEL.Environment.isType(named: name) { typeNames.append(name) }
    if let declaration { uses?.declare(declaration, kind, slot: slot) }
    var binding = Binding(slot: slot, kind: kind, type: type, declaration: declaration)
    binding.isInferred = isInferred
    blocks[blocks.count - 1][name] = binding
    return slot
  }

  /// Notes that what stands in the slot of a name is a secret.
  mutating func noteSecret(_ name: String, slot: Int) {
    secretNames[name, default: []].insert(slot)
  }

  /// Whether what a name stands for is a secret.
  func isSecret(_ name: String) -> Bool {
    guard let slots = secretNames[name], let slot = binding(name)?.slot else { return false }
    return slots.contains(slot)
  }

  func binding(_ name: String) -> Binding? {
    for block in blocks.reversed() {
      guard let binding = block[name] else { continue }
      if name == "it" { return binding.with(type: knowledge.itType) }
      if binding.kind == .variable, let type = binding.type, !type.isOptional,
        knowledge.emptied.contains(name)
      {
        return binding.with(type: .optional(type))
      }
      return binding
    }
    return nil
  }

  /// All names in reach.
  var names: [String] { blocks.flatMap(\.keys) }

  /// Whether a name is in reach.
  func holds(_ name: String) -> Bool { blocks.contains { $0[name] != nil } }

  /// Begins a block; `isBranch` when it runs at once with others.
  mutating func enterBlock(isBranch: Bool = false) {
    blocks.append([:])
    areBranches.append(isBranch)
  }

  mutating func leaveBlock() {
    for name in blocks.removeLast().keys { knowledge.forget(name) }
    areBranches.removeLast()
  }

  /// Whether a name was declared outside of the branch that runs here at once with others.
  func isOutsideBranch(_ name: String) -> Bool {
    for index in blocks.indices.reversed() {
      if blocks[index][name] != nil { return false }
      if areBranches[index] { return true }
    }
    return false
  }
}

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

/// Which of the names that a document declares are used by something in it.
final class NameUses {
  private var declared: [(slot: Int, name: Scalar, kind: Binding.Kind)] = []
  private var used: Set<Int> = []

  /// Notes that a name was declared.
  func declare(_ name: Scalar, _ kind: Binding.Kind, slot: Int) {
    declared.append((slot, name, kind))
  }

  /// Notes that what stands in a slot is used.
  func use(_ slot: Int) {
    used.insert(slot)
  }

  /// A warning for each name that nothing uses.
  ///
  /// Loops need a variable, and the input of a shortcut is `it` as well.
  var warnings: [Diagnostic] {
    declared.compactMap { slot, name, kind in
      guard !used.contains(slot), !["input", "trigger"].contains(name.text) else { return nil }
      let help: String
      switch kind {
      case .loop: return nil
      case .parameter: help = "take it out, or use it as `{{ \(name.text) }}`"
      case .result: help = "take `as: \(name.text)` out, or use it as `{{ \(name.text) }}`"
      case .variable: help = "take it out, or use it as `{{ \(name.text) }}`"
      }
      return Diagnostic(
        "W205", "`\(name.text)` is never used", at: name.span, help: help, severity: .warning)
    }
  }
}

/// The name `run`, which tells what is known of the run itself.
final class RunName {
  /// Its type, for the checker.
  static let type = ObjectType("run", fields: [("id", .string)])

  let slot: Int
  /// Whether an expression uses it, so that it must be given its value.
  var isUsed = false

  init(slot: Int) {
    self.slot = slot
  }
}
