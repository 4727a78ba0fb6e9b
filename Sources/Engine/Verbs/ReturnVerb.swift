import CEL
import Items
import Program

/// `return`: ends the intent or shortcut with a value, or with `it`.
enum ReturnVerb: Verb {
  static let value = Argument<Value>("value", at: 0, .value(.any), takesSecrets: true)

  static let word = "return"
  static let signature = VerbSignature(word, [value.declaration], exit: .returns)

  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.returned(try arguments.value(value) ?? arguments.runner.it), nil)
  }
}
