import CEL
import Catalog
import Items
import Program

/// `value`: returns a value, such as a text, a number, a list or a map.
enum ValueVerb: Verb {
  static let word = "value"
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(
    word, [value], traits: [.setsIt, .givesArgument],
    resultType: ResultType { call in
      if case .value(let value, _, _) = call[value] { value.type } else { nil }
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.value(value)
  }
}

/// `set`: declares or assigns variables.
enum SetVerb: Verb {
  static let word = "set"
  static let signature = VerbSignature(word, form: .assignment)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard case .fields(let fields)? = arguments.call.arguments.first else { return nil }
    let runner = arguments.runner
    // Evaluate all values before assigning, so that two variables can be swapped.
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

  /// Checks that a variable keeps its type; null and widened numbers are accepted.
  private static func kept(
    _ new: Value, like old: Value, _ field: CompiledArgument.Field
  ) throws -> Value {
    switch (old, new) {
    case (.null, _), (_, .null): return new
    case (.double, .int(let int)): return .double(Double(int))
    default:
      if field.type == .any || old.typeName == new.typeName { return new }
      throw RunError(
        .invalidValue, "`\(field.name)` is of type \(old.typeName), not \(new.typeName)",
        help: "a variable keeps its type; use another one", at: field.span)
    }
  }
}
