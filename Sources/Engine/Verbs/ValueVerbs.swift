import CEL
import Catalog
import Items
import Program

/// `value`: gives a value, such as a text, a number, a list or a map.
enum ValueVerb: PlainVerb {
  static let word = "value"
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(
    word, [value.declaration], traits: [.setsIt, .givesArgument],
    resultType: ResultType { call in
      if case .value(let value, _, _) = call[value] { value.type } else { nil }
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.value(value)
  }
}

/// `set`: declares variables, or assigns them.
enum SetVerb: PlainVerb {
  static let word = "set"
  static let signature = VerbSignature(word, form: .assignment)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard case .fields(let fields)? = arguments.call.arguments.first else { return nil }
    let runner = arguments.runner
    // All values are found before any is set, so that two variables can change places.
    let values = try fields.map { field -> Value in
      guard let type = field.type else { return try runner.value(of: field.value) }
      return try runner.value(of: field.value, as: type, named: field.name)
    }
    for (field, value) in zip(fields, values) {
      guard let slot = field.slot else { continue }
      runner.frame.slots[slot] = try ValueBounds.checked(
        kept(value, like: runner.frame.slots[slot], field))
    }
    return nil
  }

  /// A variable keeps its type; null and a number of the wider kind are let in.
  private static func kept(
    _ new: Value, like old: Value, _ field: CompiledArgument.Field
  ) throws -> Value {
    switch (old, new) {
    case (.null, _), (_, .null): return new
    case (.double, .int(let int)): return .double(Double(int))
    default:
      if field.type == .any || old.typeName == new.typeName { return new }
      throw RunError(
        .invalidValue, "`\(field.name)` holds \(old.typeName), and \(new.typeName) does not fit",
        help: "a variable keeps its type; use another one", at: field.span)
    }
  }
}
