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
