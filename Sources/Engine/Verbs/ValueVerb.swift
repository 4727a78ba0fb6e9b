import CEL
import Catalog
import Items
import Program

/// `value`: gives a value, such as a text, a number, a list or a map.
enum ValueVerb {
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)

  static let spec = VerbSpec(
    "value", [value.declaration], effect: .pure, setsIt: true,
    resultType: ResultType { call in
      if case .value(let value, _, _) = call[value] { value.type } else { nil }
    }, run: { arguments, _ in try arguments.value(value) })
}
