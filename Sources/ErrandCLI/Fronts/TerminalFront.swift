import Engine

/// Talks with a person: on a terminal, or as plain lines where there is none.
final class TerminalFront: Front {
  private let console: Console
  /// Whether nothing is said, and questions only are put.
  private let isQuiet: Bool

  init(console: Console, isQuiet: Bool = false) {
    self.console = console
    self.isQuiet = isQuiet
  }

  var canAnswer: Bool { false }

  var observesSteps: Bool { false }

  func say(_ text: String) {
    if !isQuiet { console.err(text + "\n") }
  }

  func show(_ presentation: Presentation) {}

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.cancelled, "nobody answered “\(question.prompt)”")
  }

  func step(_ path: [String]) {}
}
