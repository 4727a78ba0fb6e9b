import CEL
import Program

/// `stop`: ends the intent or shortcut without a value.
enum StopVerb: Verb {
  static let word = "stop"
  static let signature = VerbSignature(word, exit: .stops)

  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.stop, nil)
  }
}
