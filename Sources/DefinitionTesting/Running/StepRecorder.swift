import CEL
import Engine
import Items
import Program

/// Keeps which steps a test came by, how they ended, and how often each was reached; ends the run as a
/// crash would, once, behind a step.
final class StepRecorder: StepObserver {
  private let action: String
  /// A verb, or the place or the name of a step, behind which the run ends; nil for none.
  private let crashWord: String?
  /// Whether the run was ended.
  private(set) var hasCrashed = false
  /// The steps in the order in which they began, the first so many of them.
  private(set) var steps: [TestStep] = []
  /// Which of `steps` are still being done, by their places.
  private var open: [String: Int] = [:]
  /// The paths of the steps of what was asked for, in the order in which they began.
  private(set) var paths: [Value] = []
  private(set) var counts = StepCounts()

  /// How many steps are kept at most; a loop can have any number of passes.
  private static let limit = 400
  /// How many characters of a value are shown.
  private static let noteLength = 60

  init(action: String, crashAfter word: String?) {
    self.action = action
    crashWord = word
  }

  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {
    note(step, place, .open)
  }

  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    if case .skipped = end {
      note(step, place, .skipped)
      counts.count(step.id.description, in: place.action(asked: action), isSkipped: true)
      return
    }
    keep(end, of: place)
    guard case .done = end, let crashWord, !hasCrashed, names(of: step).contains(crashWord) else {
      return
    }
    hasCrashed = true
    throw Cancellation(.crashed)
  }

  private func names(of step: CompiledStep) -> [String] {
    let id = step.id.description
    let called: String? =
      switch step.kind {
      case .verb(let call): call.verb.name
      case .action(let call): call.name
      default: nil
      }
    return [id, String(id.dropFirst("steps.".count))]
      + [step.bindingName, step.label, called].compactMap { $0 }
  }

  private func keep(_ end: StepEnd, of place: StepPlace) {
    guard let index = open.removeValue(forKey: place.text) else { return }
    switch end {
    case .skipped: break
    case .done(let value):
      steps[index].end = .done
      steps[index].note = value.map(Self.text) ?? ""
    case .attemptFailed(let error, _):
      steps[index].end = .repeated
      steps[index].note = error.message
    case .failed(let error):
      steps[index].end = .failed
      steps[index].note = error.message
    case .cancelled: steps[index].end = .cancelled
    }
  }

  private func note(_ step: CompiledStep, _ place: StepPlace, _ end: TestStep.End) {
    let action = place.action(asked: action)
    let id = step.id.description
    if end == .open {
      counts.count(id, in: action, isSkipped: false)
      if place.scope.depth == 0, paths.count < Self.limit { paths.append(.string(id)) }
    }
    guard steps.count < Self.limit else { return }
    if end == .open { open[place.text] = steps.count }
    steps.append(
      TestStep(
        depth: place.nesting, id: id, action: action, name: step.displayName, end: end, note: ""))
  }

  private static func text(of value: Value) -> String {
    let text = ValueText.text(of: value.withReferences)
    return text.count > noteLength ? text.prefix(noteLength) + "…" : text
  }
}

extension StepPlace {
  /// The intent or the shortcut that the step belongs to.
  func action(asked: String) -> String {
    var scope: StepScope? = scope
    while let next = scope {
      if case .call(let name) = next.kind { return name }
      scope = next.parent
    }
    return asked
  }
}

/// A step that a test came by, for the tree that a failure shows.
package struct TestStep: Sendable {
  /// How it ended.
  package enum End: String, Sendable {
    case done, skipped, failed, cancelled
    /// It failed and was tried again.
    case repeated
    /// The run ended in it.
    case open
  }

  /// How many steps stand around it.
  package let depth: Int
  /// Its path in its document, such as `steps.page`.
  package let id: String
  /// The intent or the shortcut whose step it is.
  package let action: String
  /// What it calls, or its label.
  package let name: String
  package internal(set) var end: End
  /// Its value, or why it failed; empty when there is nothing to say.
  package internal(set) var note: String
}
