package import CEL
package import Engine
import Items
package import Program

/// Asks the person before each step whether to run it.
package final class StepAsker: StepObserver {
  private let run: Run
  private let text: StepText
  /// The path of the step whose inner steps run without asking.
  private var skippedPlace: String?
  /// Whether all remaining steps run without asking.
  private var runsWithoutAsking = false

  package init(_ run: Run) {
    self.run = run
    text = StepText(run.host.clock)
  }

  /// The possible answers.
  private enum Choice: String, CaseIterable {
    case next, over, go, stop
  }

  package func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    // A transaction must not wait for a person.
    guard !runsWithoutAsking, skippedPlace == nil, !run.isInTransaction else { return }
    let line = text.line(step, place, (try? arguments()) ?? [])
    switch try ask("\(line)\nnext, over, go on or stop?") {
    case .next: break
    case .over: skippedPlace = place.text
    case .go: runsWithoutAsking = true
    case .stop: throw Cancellation(.interrupted)
    }
  }

  package func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    if skippedPlace == place.text { skippedPlace = nil }
  }

  private func ask(_ prompt: String) throws -> Choice {
    var question = Question(.text(.string), key: "step", prompt: prompt)
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
