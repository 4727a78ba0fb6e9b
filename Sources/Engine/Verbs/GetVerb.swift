import CEL
import Catalog
import Items
import Program

/// `get`: gives the item that a text stands for.
enum GetVerb: PlainVerb {
  static let word = "get"
  static let ref = Argument<Value>("ref", at: 0, .value(.any), required: true, role: .item)
  static let entity = Argument<ArgumentName>("entity", at: 1, .entityName)

  static let signature = VerbSignature(
    word, [ref.declaration, entity.declaration], effect: .read, traits: .setsIt,
    resultType: ResultType { call in call.name(entity).map(DataType.entity) })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(ref) ?? .null
    let runner = arguments.runner
    guard let entity = arguments.name(entity) else {
      if case .object = value { return value }
      let text = runner.renderer.text(of: value)
      return .object(try ItemResolver(runner.run).item(reference: text))
    }
    // A number alone is the reference of an item of the entity.
    if case .int(let id) = value {
      return .object(try ItemResolver(runner.run).item(String(id), of: entity, named: "ref"))
    }
    return try runner.run.converter.convert(value, to: .entity(entity), named: "ref")
  }
}
