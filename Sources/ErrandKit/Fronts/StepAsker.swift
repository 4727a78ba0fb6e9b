package import CEL
package import Engine
package import Program

/// Asks the person before each step what is to be done.
package final class StepAsker: StepObserver {
  private let run: Run
  private let text: StepText
  /// The place of the step whose inner steps are not asked about.
  private var passedOver: String?
  /// Whether nothing is asked any more.
  private var goesOn = false

  package init(_ run: Run) {
    self.run = run
    text = StepText(run.host.clock)
  }

  /// What can be answered.
  private enum Choice: String, CaseIterable {
    case next, over, go, stop
  }

  package func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    // In a transaction nothing may wait for a person.
    guard !goesOn, passedOver == nil, !run.isInTransaction else { return }
    let line = text.line(step, place, (try? arguments()) ?? [])
    switch try ask("\(line)\nnext, over, go on or stop?") {
    case .next: break
    case .over: passedOver = place.text
    case .go: goesOn = true
    case .stop: throw Cancellation(.interrupted)
    }
  }

  package func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    if passedOver == place.text { passedOver = nil }
  }

  private func ask(_ prompt: String) throws -> Choice {
    var question = Question(.text(typeName: "string"), key: "step", prompt: prompt)
    question.defaultText = Choice.next.rawValue
    for _ in 0..<Asker.attempts {
      guard case .text(let answer) = try run.put(question) else { break }
      let word = answer.lowercased()
      if word.isEmpty { return .next }
      if word == "go on" { return .go }
      if let choice = Choice.allCases.first(where: { $0.rawValue.hasPrefix(word) }) {
        return choice
      }
      question.problem = "answer next, over, go or stop, or the first letter of it"
    }
    throw Cancellation(.interrupted)
  }
}
