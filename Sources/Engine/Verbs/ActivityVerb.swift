import CEL
import Items
import Program

/// `activity`: tells other programs what goes on, until it is over.
enum ActivityVerb: PlainVerb {
  static let word = "activity"
  /// What a step does to an activity.
  private enum Change: String, CaseIterable {
    case start, update, complete, fail, cancel

    var state: Activity.State {
      switch self {
      case .start, .update: .active
      case .complete: .done
      case .fail: .failed
      case .cancel: .cancelled
      }
    }
  }

  static let key = Argument<String>("key", at: 0, .value(.string), required: true)
  static let title = Argument<String>("title", at: 1, .value(.optional(.string)))
  static let state = Argument<ArgumentName>(
    "state", at: 2, .choice(Change.allCases.map(\.rawValue)))
  static let progress = Argument<Value>(
    "progress", at: 3, .value(.optional(.double)), range: 0...1)
  static let detail = Argument<String>("detail", at: 4, .value(.optional(.string)))

  static let signature = VerbSignature(
    word,
    [
      key.declaration, title.declaration, state.declaration, progress.declaration,
      detail.declaration,
    ], traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let key = try arguments.text(key) ?? ""
    guard !key.isEmpty else {
      throw RunError(.invalidValue, "the `key` of an activity is empty")
    }
    let change = arguments.name(state).flatMap(Change.init) ?? .update
    let secrets = run.host.secrets
    var activity = Activity(
      .step, key: secrets.masked(key), title: secrets.masked(try arguments.text(title) ?? ""))
    activity.state = change.state
    activity.detail = try arguments.text(detail).map(secrets.masked)
    if case .double(let part)? = try arguments.value(progress) {
      guard (0...1).contains(part) else {
        throw RunError(.invalidValue, "`progress` is a number from 0 to 1, and \(part) is not")
      }
      (activity.done, activity.total) = (part, 1)
    }
    run.host.noteActivity?(activity)
    run.front.activity(activity)
    return nil
  }
}
