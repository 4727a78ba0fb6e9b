import CEL
import Program

/// `break`: ends the nearest loop.
enum BreakVerb: Verb {
  static let word = "break"
  static let signature = VerbSignature(word, exit: .breaks)

  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.breakLoop, nil)
  }
}

/// `continue`: ends the pass of the nearest loop.
enum ContinueVerb: Verb {
  static let word = "continue"
  static let signature = VerbSignature(word, exit: .continues)

  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.continueLoop, nil)
  }
}
