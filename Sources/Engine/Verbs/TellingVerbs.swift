import CEL
import Catalog
import Items
import Program

/// `say`: shows a sentence to the person.
enum SayVerb: TextVerb {
  static let word = "say"
  static let signature = textSignature(word)

  static func tell(_ text: String, _ run: Run) { run.front.say(text) }
}

/// `log`: appends a line to the log.
enum LogVerb: TextVerb {
  static let word = "log"
  static let signature = textSignature(word, .records)

  static func tell(_ text: String, _ run: Run) { run.host.log(text) }
}

/// A verb that outputs a text.
protocol TextVerb: Verb {
  /// Outputs the text, after earlier writes are committed.
  static func tell(_ text: String, _ run: Run)
}

private let text = Argument<String>("text", at: 0, .value(.any), required: true, takesSecrets: true)

extension TextVerb {
  fileprivate static func textSignature(
    _ word: String, _ traits: VerbSignature.Traits = []
  ) -> VerbSignature {
    VerbSignature(word, [text], effect: .tell, traits: traits.union(.onlyTells))
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let text = try arguments.text(text) ?? ""
    arguments.run.tell { [run = arguments.run] in tell(text, run) }
    return nil
  }
}

/// `show`: shows a value on the screen.
enum ShowVerb: Verb {
  static let word = "show"
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)
  static let layout = Argument<ArgumentName>(
    "as", at: 1, .choice(["card", "table", "text", "markdown"]))
  static let columns = Argument<[Value]>("columns", at: 2, .value(.list(.string)))

  static let signature = VerbSignature(
    word, [value, layout, columns], effect: .tell,
    traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(value) ?? .null
    let renderer = arguments.renderer
    let columns = try arguments.list(columns)?.map(renderer.text)
    if columns != nil, arguments.name(layout) != "table" {
      throw RunError(.invalidValue, "`columns` only apply to a table", help: "add `as: table`")
    }
    let presentation =
      switch arguments.name(layout) {
      case "table":
        try columns.map { try renderer.table(of: value, columns: $0) } ?? renderer.table(of: value)
      case "text": Presentation(.text(renderer.text(of: value)), value: value)
      case "markdown":
        Presentation(.text(renderer.text(of: value)), value: value, isMarkdown: true)
      default: renderer.presentation(of: value)
      }
    let run = arguments.run
    run.tell { run.front.show(presentation) }
    return nil
  }
}

/// `progress`: reports the progress of a long operation.
enum ProgressVerb: Verb {
  static let word = "progress"
  static let done = Argument<Value>(
    "done", at: 0, .value(.double), required: true, range: 0...Double.infinity)
  static let total = Argument<Value>(
    "total", at: 1, .value(.optional(.double)), range: 0...Double.infinity)
  static let label = Argument<String>("label", at: 2, .value(.string))

  static let signature = VerbSignature(word, [done, total, label], traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let done = try arguments.value(done)?.asDouble else { return nil }
    let whole = try arguments.value(total)?.asDouble
    let isOver = whole.map { done >= $0 } ?? false
    arguments.run.front.progress(
      Progress(try arguments.text(label), done: done, total: whole, isOver: isOver))
    return nil
  }
}

/// `activity`: publishes a long-running activity to other programs.
enum ActivityVerb: Verb {
  static let word = "activity"
  /// The state change of an activity.
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
  static let progress = Argument<Value>("progress", at: 3, .value(.optional(.double)), range: 0...1)
  static let detail = Argument<String>("detail", at: 4, .value(.optional(.string)))

  static let signature = VerbSignature(
    word,
    [
      key, title, state, progress,
      detail,
    ], traits: [.onlyTells, .records])

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let key = try arguments.text(key) ?? ""
    guard !key.isEmpty else {
      throw RunError(.invalidValue, "the `key` of an activity must not be empty")
    }
    let change = arguments.name(state).flatMap(Change.init) ?? .update
    let secrets = run.host.secrets
    var activity = Activity(
      .step, key: secrets.masked(key), title: secrets.masked(try arguments.text(title) ?? ""))
    activity.state = change.state
    activity.detail = try arguments.text(detail).map(secrets.masked)
    if let part = try arguments.value(progress)?.asDouble {
      (activity.done, activity.total) = (part, 1)
    }
    run.host.noteActivity?(activity)
    run.front.activity(activity)
    return nil
  }
}
