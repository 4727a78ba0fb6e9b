import Program

/// `continue`: ends the pass of the nearest loop.
enum ContinueVerb {
  static let spec = VerbSpec("continue", form: .loopControl) { _ in .continueLoop }
}
