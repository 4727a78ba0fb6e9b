import CEL
import Catalog
import Items
import Program
import Store

/// `update`: changes an item.
enum UpdateVerb: PlainVerb {
  static let word = "update"
  static let item = Argument<Item>("item", at: 0, .value(.any), required: true, role: .item)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.change))
  static let add = Argument<[CompiledArgument.Field]>("add", at: 2, .fields(.change))
  static let remove = Argument<[CompiledArgument.Field]>("remove", at: 3, .fields(.change))

  static let signature = VerbSignature(
    word, [item.declaration, set.declaration, add.declaration, remove.declaration],
    effect: .write, traits: .setsIt,
    resultType: ResultType { call in
      guard case .value(let value, _, _) = call[item], let type = value.type?.unwrapped,
        case .entity = type
      else { return nil }
      return type
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let (item, reference) = try arguments.savedItem(item)
    let definition = try run.workspace.entity(item.entity).definition
    let set = try LinkSigning(run).opened(
      arguments.properties(set, of: definition), of: definition)
    let add = try arguments.properties(add, of: definition)
    let remove = try arguments.properties(remove, of: definition)
    let store = try run.store(for: item.entity)
    return .object(
      try RunError.translating {
        try store.update(reference, set: set, add: add, remove: remove)
      })
  }
}
