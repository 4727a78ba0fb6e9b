import Program

/// `break`: ends the nearest loop.
enum BreakVerb {
  static let spec = VerbSpec("break", form: .loopControl) { _ in .breakLoop }
}
