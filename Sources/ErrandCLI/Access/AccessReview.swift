import Catalog
import Engine
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

  /// Asks about all that intents and shortcuts touch together; whether there is anything.
  ///
  /// Where nobody can answer, it is asked about when one of them runs.
  @discardableResult
  func ask(about names: [String]) throws -> Bool {
    let workspace = invocation.checkingWorkspace(library)
    // What is wrong with one of them is told when it is to run.
    let requests = names.compactMap { try? workspace.accessRequest(of: $0) }
      .filter { !$0.touches.isEmpty }
    guard let places = invocation.places, !requests.isEmpty else { return false }
    let touches = Set(requests.flatMap(\.touches)).sorted(by: Touch.isBefore)
    let lines = AccessGate.lines(touches)
    guard invocation.front.canAnswer else {
      invocation.console.err(
        "errand: it is asked about when it runs: \(lines.joined(separator: ", "))\n")
      return true
    }
    let question = Question.confirming(
      AccessGate.prompt(subject, touches), key: "access", danger: false)
    guard case .confirmed(true) = try invocation.front.ask(question) else {
      invocation.say("It is asked about when it runs.")
      return true
    }
    let file = AllowedFile(path: places.allowed)
    for request in requests { try file.add(AccessRecord(request, canonical: invocation.canonical)) }
    return true
  }
}
