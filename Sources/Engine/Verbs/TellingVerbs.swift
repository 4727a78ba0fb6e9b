import CEL
import Catalog
import Items
import Program

/// `say`: says something to the person.
enum SayVerb: PlainVerb {
  static let word = "say"
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(word, [text.declaration], effect: .tell, traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.front.say(text) }
    return nil
  }
}

/// `log`: keeps a line for the log.
enum LogVerb: PlainVerb {
  static let word = "log"
  static let text = Argument<String>(
    "text", at: 0, .value(.any), required: true, takesSecrets: true)

  static let signature = VerbSignature(word, [text.declaration], effect: .tell, traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let text = try arguments.text(text) ?? ""
    let run = arguments.runner.run
    run.tell { run.host.log(text) }
    return nil
  }
}

/// `show`: puts a value on the screen.
enum ShowVerb: PlainVerb {
  static let word = "show"
  static let value = Argument<Value>(
    "value", at: 0, .value(.any), required: true, takesSecrets: true)
  static let layout = Argument<ArgumentName>("as", at: 1, .choice(["card", "table", "text"]))
  static let columns = Argument<[Value]>("columns", at: 2, .value(.list(.string)))

  static let signature = VerbSignature(
    word, [value.declaration, layout.declaration, columns.declaration], effect: .tell,
    traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let value = try arguments.value(value) ?? .null
    let renderer = arguments.runner.renderer
    let columns = try arguments.list(columns)?.map(renderer.text)
    if columns != nil, arguments.name(layout) != "table" {
      throw RunError(.invalidValue, "`columns` are those of a table", help: "add `as: table`")
    }
    let presentation =
      switch arguments.name(layout) {
      case "table":
        try columns.map { try renderer.table(of: value, columns: $0) }
          ?? renderer.table(of: value)
      case "text": Presentation(.text(renderer.text(of: value)), value: value)
      default: renderer.presentation(of: value)
      }
    let run = arguments.runner.run
    run.tell { run.front.show(presentation) }
    return nil
  }
}

/// `progress`: tells how far a long piece of work has come.
enum ProgressVerb: PlainVerb {
  static let word = "progress"
  static let done = Argument<Value>(
    "done", at: 0, .value(.double), required: true, range: 0...Double.infinity)
  static let total = Argument<Value>(
    "total", at: 1, .value(.optional(.double)), range: 0...Double.infinity)
  static let label = Argument<String>("label", at: 2, .value(.string))

  static let signature = VerbSignature(
    word, [done.declaration, total.declaration, label.declaration], traits: .onlyTells)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard case .double(let done)? = try arguments.value(done) else { return nil }
    try check(done, "done")
    var whole: Double?
    if case .double(let number)? = try arguments.value(total) {
      try check(number, "total")
      whole = number
    }
    arguments.runner.run.front.progress(
      Progress(
        try arguments.text(label), done: done, total: whole,
        isOver: whole.map { done >= $0 } ?? false))
    return nil
  }

  private static func check(_ number: Double, _ name: String) throws {
    guard number.isFinite, number >= 0 else {
      throw RunError(.invalidValue, "`\(name)` is a number from 0, and \(number) is not")
    }
  }
}

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
