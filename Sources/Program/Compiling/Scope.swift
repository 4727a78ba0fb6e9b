import CEL
import Catalog
package import Items
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
