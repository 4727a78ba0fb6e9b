import CEL
import Catalog
import Items
import Program
import Store

/// `create`: creates an item.
enum CreateVerb: PlainVerb {
  static let word = "create"
  static let entity = Argument<ArgumentName>("entity", at: 0, .entityName, required: true)
  static let set = Argument<[CompiledArgument.Field]>("set", at: 1, .fields(.creation))
  static let onConflict = Argument<ArgumentName>(
    "onConflict", at: 2, .choice(ConflictPolicy.allCases.map(\.rawValue)))
  static let from = Argument<String>("from", at: 3, .value(.file))

  static let signature = VerbSignature(
    word, [entity.declaration, set.declaration, onConflict.declaration, from.declaration],
    effect: .write, traits: .setsIt, touches: touches,
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let entity = arguments.name(entity) else { return .null }
    let run = arguments.runner.run
    let definition = try run.workspace.entity(entity).definition
    var values = try arguments.properties(set, of: definition)
    if let path = try arguments.text(from) {
      let file = try run.path(path)
      try arguments.runner.permit(.read, file)
      values = try run.keeping(file, in: values, of: definition)
    }
    let policy = arguments.name(onConflict).flatMap(ConflictPolicy.init) ?? .fail
    return .object(try run.create(entity, values, onConflict: policy))
  }

  /// A file whose bytes are kept is read.
  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.read, path: from)
  }
}
