import CEL
import Catalog
package import Items
import Source
package import YAML

/// The meaning of a name during compilation.
package struct Binding {
  /// Kinds of bindings.
  package enum Kind {
    /// A parameter, the input, or a name defined by the language.
    case parameter
    /// A result named by `as`.
    case result
    /// A loop variable.
    case loop
    /// A variable of `set` or `variables`; the only kind that `set` may assign.
    case variable
  }

  let slot: Int
  let kind: Kind
  let type: DataType?
  /// Position of the declaration.
  let declaration: Scalar?
  /// Whether the type is inferred from its first value.
  var isInferred = false

  /// The type, unless it is inferred.
  var declaredType: DataType? { isInferred ? nil : type }

  /// Returns the binding with another type.
  func with(type: DataType?) -> Binding {
    var binding = Binding(slot: slot, kind: kind, type: type, declaration: declaration)
    binding.isInferred = isInferred
    return binding
  }
}

/// The scopes at a step, innermost last.
package struct Scopes {
  private var blocks: [[String: Binding]] = [[:]]
  /// For each block, whether it runs concurrently with others.
  private var areBranches = [false]
  private(set) var slotCount = 0
  /// Facts at this step, besides the types of names.
  var flowFacts = FlowFacts()
  /// Declared names that are also names of types.
  private(set) var typeNames: [String] = []
  /// Results that are secrets, with their slots.
  private(set) var secretNames: [String: Set<Int>] = [:]
  /// The name `run`; nil outside a run.
  var runName: RunName?
  /// Advice on names that are not in scope; nil if no document is compiled.
  var nameAdvice: NameAdvice?
  /// Whether the default of a parameter is compiled, before later parameters are declared.
  var isDefault = false
  /// Tracks used names; nil if unused names are not reported.
  var uses: NameUses?

  /// The properties that an update without a name has changed since, by the name of the item.
  var changed: [String: (properties: Set<String>, line: Int)] = [:]

  /// Creates an empty scope.
  package init() {}

  /// Allocates a slot without a name.
  package mutating func makeSlot() -> Int {
    slotCount += 1
    return slotCount - 1
  }

  /// Declares a name in the innermost block; shadows an outer one.
  @discardableResult
  package mutating func declare(
    _ name: String, _ kind: Binding.Kind, type: DataType?, at declaration: Scalar? = nil,
    isInferred: Bool = false
  ) -> Int {
    let slot = makeSlot()
    flowFacts.forget(name)
    changed[name] = nil
    if CEL.Environment.isType(named: name) { typeNames.append(name) }
    if let declaration { uses?.declare(declaration, kind, slot: slot) }
    var binding = Binding(slot: slot, kind: kind, type: type, declaration: declaration)
    binding.isInferred = isInferred
    blocks[blocks.count - 1][name] = binding
    return slot
  }

  /// Marks a name's value as a secret.
  mutating func noteSecret(_ name: String, slot: Int) {
    secretNames[name, default: []].insert(slot)
  }

  /// Whether a name's value is a secret.
  func isSecret(_ name: String) -> Bool {
    guard let slots = secretNames[name], let slot = binding(name)?.slot else { return false }
    return slots.contains(slot)
  }

  func binding(_ name: String) -> Binding? {
    for block in blocks.reversed() {
      guard let binding = block[name] else { continue }
      if name == "it" { return binding.with(type: flowFacts.itType) }
      if binding.kind == .variable, let type = binding.type, !type.isOptional,
        flowFacts.emptied.contains(name)
      {
        return binding.with(type: .optional(type))
      }
      return binding
    }
    return nil
  }

  /// All names in scope.
  var names: [String] { blocks.flatMap(\.keys) }

  /// Whether a name is in scope.
  func holds(_ name: String) -> Bool { blocks.contains { $0[name] != nil } }

  /// Enters a block; `isBranch` if it runs concurrently with others.
  mutating func enterBlock(isBranch: Bool = false) {
    blocks.append([:])
    areBranches.append(isBranch)
  }

  mutating func leaveBlock() {
    for name in blocks.removeLast().keys { flowFacts.forget(name) }
    areBranches.removeLast()
  }

  /// Drops all facts, and allows null for names that were declared from a slot on: steps that a
  /// `return` may have left out.
  mutating func forgetSteps(from slot: Int) {
    flowFacts = FlowFacts()
    blocks[0] = blocks[0].mapValues {
      $0.slot < slot ? $0 : $0.with(type: .optional($0.type?.unwrapped ?? .any))
    }
  }

  /// Whether a name was declared outside the current concurrent branch.
  func isOutsideBranch(_ name: String) -> Bool {
    for index in blocks.indices.reversed() {
      if blocks[index][name] != nil { return false }
      if areBranches[index] { return true }
    }
    return false
  }
}

/// Facts at a step, besides the types of names: non-null expressions and the state of `it`.
struct FlowFacts {
  /// Names and field paths that are not null, as written in expressions, such as `link.title`.
  private var facts: Set<String> = []
  /// Facts by the names they contain; may include outdated ones.
  private var factsByName: [String: Set<String>] = [:]
  /// Variables that were set to a nullable value, even if their type is not nullable.
  var emptied: Set<String> = []
  /// Type of `it`; nil if any.
  var itType: DataType? { didSet { itValue = nil } }
  /// Value of `it`, if constant.
  var itValue: Value?
  /// Whether `it` was set neither by a step nor by an input.
  var itIsUnset = false

  /// Adds facts implied by a condition.
  mutating func learn(_ facts: Set<String>) {
    for fact in facts { learn(fact.hasPrefix("vars.") ? String(fact.dropFirst(5)) : fact) }
  }

  private mutating func learn(_ fact: String) {
    facts.insert(fact)
    for name in fact.names { factsByName[name, default: []].insert(fact) }
  }

  /// Adds non-null facts about a value, which follow its name; `@` is each element of a list.
  mutating func learn(_ facts: Set<String>, of name: String) {
    for fact in facts { learn(name + fact) }
  }

  /// Non-null facts about each element of a list, with `@` for the element.
  func elementFacts(of name: String) -> Set<String> {
    let start = name + "@"
    return Set(
      (factsByName[name] ?? []).filter { $0.hasPrefix(start) && facts.contains($0) }
        .map { String($0.dropFirst(name.count)) })
  }

  /// Drops the facts about a name that is shadowed or reassigned.
  mutating func forget(_ name: String) {
    if let mentioning = factsByName.removeValue(forKey: name) { facts.subtract(mentioning) }
  }

  /// Whether a name is known not to be null.
  func isKnown(_ name: String) -> Bool { facts.contains(name) }

  /// Returns the facts that hold on both of two paths.
  func joined(_ other: FlowFacts) -> FlowFacts {
    var result = self
    result.facts.formIntersection(other.facts)
    result.emptied.formUnion(other.emptied)
    result.itIsUnset = itIsUnset && other.itIsUnset
    result.itType = itType.flatMap { own in other.itType.flatMap(own.joined) }
    result.itValue = itValue == other.itValue ? itValue : nil
    return result
  }

  /// Returns the facts that hold on all paths; nil without any path.
  static func joined(_ ways: [FlowFacts]) -> FlowFacts? {
    guard let first = ways.first else { return nil }
    return ways.dropFirst().reduce(first) { $0.joined($1) }
  }

  /// Returns the facts about some names, also in their alternative spelling: `vars.title` for
  /// `title`.
  ///
  /// Only the names of an expression are looked up, so the cost does not grow with the scope.
  func facts(on mentioned: some Sequence<String>) -> Set<String> {
    var found: Set<String> = []
    if facts.isEmpty { return found }
    for fact in mentioned.lazy.flatMap({ factsByName[$0] ?? [] }) where facts.contains(fact) {
      found.formUnion([fact, "vars." + fact])
    }
    return found
  }
}

extension String {
  /// Names and field names in an expression, in order.
  var names: [String] { split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init) }
}

/// Tracks which declared names are used.
final class NameUses {
  private var declared: [(slot: Int, name: Scalar, kind: Binding.Kind)] = []
  private var used: Set<Int> = []

  /// Records a declaration.
  func declare(_ name: Scalar, _ kind: Binding.Kind, slot: Int) {
    declared.append((slot, name, kind))
  }

  /// Records the use of a slot.
  func use(_ slot: Int) { used.insert(slot) }

  /// Records the use of the results with a name, as by the answer to a question in a test.
  func use(resultsNamed name: String) {
    for entry in declared where entry.name.text == name && entry.kind == .result { use(entry.slot) }
  }

  /// Warnings about unused names.
  ///
  /// Loops need a variable, and the input of a shortcut is also `it`; neither is reported.
  var warnings: [Diagnostic] {
    declared.compactMap { slot, name, kind in
      guard !used.contains(slot), !["input", "trigger"].contains(name.text) else { return nil }
      let help: String
      switch kind {
      case .loop: return nil
      case .parameter: help = "remove it, or use it as `{{ \(name.text) }}`"
      case .result: help = "remove `as: \(name.text)`, or use it as `{{ \(name.text) }}`"
      case .variable: help = "remove it, or use it as `{{ \(name.text) }}`"
      }
      return Diagnostic(
        "W205", "`\(name.text)` is never used", at: name.span, help: help, severity: .warning)
    }
  }
}

/// The name `run`, which describes the current run.
final class RunName {
  /// Its type for the type checker.
  static let type = ObjectType("run", fields: [("id", .string)])

  let slot: Int
  /// Whether an expression uses it, so that its value must be set.
  var isUsed = false

  init(slot: Int) { self.slot = slot }
}
