import CEL
import Engine
import Items
import Program

/// Records the steps and their counts in a test, and simulates a crash after a step, once.
final class StepRecorder: StepObserver {
  private let action: String
  /// The verb, path or name of the step to crash after; nil for none.
  private let crashWord: String?
  /// Whether the crash has happened.
  private(set) var hasCrashed = false
  /// The first steps of the run, in order of start.
  private(set) var steps: [TestStep] = []
  /// Indices of running steps, by place.
  private var open: [String: Int] = [:]
  /// The paths of the top-level action's steps, in order of start.
  private(set) var paths: [Value] = []
  private(set) var counts = StepCounts()

  /// Maximum number of recorded steps, since loops can have any number of passes.
  private static let limit = 400
  /// Maximum length of a displayed value, in characters.
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
    (steps[index].end, steps[index].note) =
      switch end {
      case .skipped: (.skipped, "")
      case .done(let value): (.done, value.map(Self.text) ?? "")
      case .attemptFailed(let error, _): (.repeated, error.message)
      case .failed(let error): (.failed, error.message)
      case .cancelled: (.cancelled, "")
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
  /// The intent or the shortcut that contains the step.
  func action(asked: String) -> String {
    for scope in scope.outwards { if case .call(let name) = scope.kind { return name } }
    return asked
  }
}

/// A step of a test, for the tree shown with a failure.
package struct TestStep: Sendable {
  /// The end of a step.
  package enum End: String, Sendable {
    case done, skipped, failed, cancelled
    /// The step failed and was retried.
    case repeated
    /// The run ended during the step.
    case open
  }

  /// Nesting depth.
  package let depth: Int
  /// The path in the document, such as `steps.page`.
  package let id: String
  /// The intent or the shortcut that contains it.
  package let action: String
  /// The verb or callee, or the label.
  package let name: String
  package internal(set) var end: End
  /// The value or the error message; empty for none.
  package internal(set) var note: String
}
