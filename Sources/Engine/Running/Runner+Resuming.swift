import CEL
import Catalog
import Items
import Program
import Store

/// Steps that were going on when an earlier process of the run ended.
extension Runner {
  /// Writes the line before a step that reaches outside, and tells whether the step is left out since
  /// an earlier process may have done it.
  ///
  /// - Throws: `Cancellation` when nobody can tell what is to be done, so that the run stays suspended.
  func isSkippedOnResume(_ step: CompiledStep, _ call: VerbCall) throws -> Bool {
    guard let journal = run.lines, call.verb.isSeenOutside else { return false }
    let policy = step.onResume ?? call.verb.onResume(call)
    if policy == .retry { return false }
    let key = StepPlace(step, in: scope).text + "<"
    if journal.has(key) {
      let isDone = try policy == .skip || isTakenForDone(step)
      if isDone {
        bind(.null, step)
        return true
      }
    }
    try journal.note(key, .begun, name: step.displayName)
    return false
  }

  /// Asks the person whether a step that was going on is to be done again.
  private func isTakenForDone(_ step: CompiledStep) throws -> Bool {
    let prompt =
      "`\(step.displayName)` was going on when the run ended, and may have been done. What now?"
    let choices = ["Do it again", "Take it for done", "Leave the run suspended"]
      .map { Question.Choice(title: $0) }
    let keys = step.answerKeys + ["onResume"]
    guard run.asker.canAnswer(keys) else {
      run.suspension =
        "`\(step.displayName)` was going on when it ended, and nobody can say whether to do it again"
      throw Cancellation(.suspended)
    }
    let answer: Int?
    do {
      answer = try run.asker.choose(choices, prompt: prompt, keys: keys, many: false).first
    } catch let error as RunError {
      // No answer, or none of these, is no failure of the step: it stays a question.
      run.suspension = "`\(step.displayName)` was going on when it ended: \(error.message)"
      throw Cancellation(.suspended)
    }
    switch answer {
    case 0: return false
    case 1: return true
    default: throw Cancellation(.suspended)
    }
  }
}

extension VerbSignature {
  /// Whether somebody or something outside of the store notices a call.
  fileprivate var isSeenOutside: Bool {
    switch effect {
    case .tell, .outside: !calls
    case .pure, .read, .write, .ask: false
    }
  }
}
