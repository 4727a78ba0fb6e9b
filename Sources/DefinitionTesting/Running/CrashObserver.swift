import CEL
import Engine
import Program

/// Ends a run as a crash would, once, behind a step or a call of a verb.
final class CrashObserver: StepObserver {
  private let word: String
  /// Whether the run was ended.
  private(set) var hasCrashed = false

  /// - Parameter word: a verb, or the place or the name of a step.
  init(after word: String) {
    self.word = word
  }

  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws {}

  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws {
    guard !hasCrashed, case .done = end, names(of: step).contains(word) else { return }
    hasCrashed = true
    throw Cancellation(.crashed)
  }

  private func names(of step: CompiledStep) -> [String] {
    let id = step.id.description
    var names = [id, String(id.dropFirst("steps.".count))]
    if let name = step.bindingName { names.append(name) }
    if let label = step.label { names.append(label) }
    switch step.kind {
    case .verb(let call): names.append(call.verb.name)
    case .action(let call): names.append(call.name)
    default: break
    }
    return names
  }
}
