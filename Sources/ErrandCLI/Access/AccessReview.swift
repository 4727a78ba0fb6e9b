import Catalog
import Engine
import ErrandKit
import Program
import Source

/// Shows what a file or a project touches, and asks whether it may, before any of it runs.
struct AccessReview {
  private let invocation: Invocation
  private let library: Library
  private let subject: String

  init(_ invocation: Invocation, _ library: Library, _ subject: String) {
    self.invocation = invocation
    self.library = library
    self.subject = subject
  }

  /// Asks about all that intents and shortcuts touch together, unless `--yes` allows it; whether
  /// there is anything.
  ///
  /// - Parameter isNeeded: Whether it is an error that nobody can answer; else it is asked about when
  ///   one of them runs.
  /// - Throws: `needs-value`.
  @discardableResult
  func ask(about names: [String], isNeeded: Bool) throws -> Bool {
    let workspace = invocation.checkingWorkspace(library)
    // What is wrong with one of them is told when it is to run.
    let requests = names.compactMap { try? workspace.accessRequest(of: $0) }
      .filter { !$0.touches.isEmpty }
    guard let places = invocation.places, !requests.isEmpty else { return false }
    let touches = Set(requests.flatMap(\.touches)).sorted(by: Touch.isBefore)
    let lines = AccessGate.lines(touches)
    if invocation.arguments.isOn("yes") {
      let text = "\(subject) may now\n" + lines.map { "  \($0)" }.joined(separator: "\n")
      invocation.say(TerminalText(text, keepsLines: true))
    } else if invocation.front.canAnswer {
      let question = Question.confirming(
        AccessGate.prompt(subject, touches), key: "access", danger: false)
      guard case .confirmed(true) = try invocation.front.ask(question) else {
        invocation.say("You'll be asked when it runs.")
        return true
      }
    } else {
      let message =
        "can't ask here whether \(subject) may \(lines.joined(separator: ", "))"
      let help = "allow it with `errand trust \(subject.quotedForShell) --yes`"
      if isNeeded { throw RunError(.needsValue, message, help: help) }
      invocation.console.err("errand: \(message)\n  \(help)\n")
      return true
    }
    let file = AllowedFile(path: places.allowed)
    for request in requests { try file.add(AccessRecord(request, canonical: invocation.canonical)) }
    return true
  }
}
