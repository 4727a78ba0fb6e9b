package import CEL
package import Items
import Program
package import Store

/// The user interface of a run: shows its dialog and answers its questions.
package protocol Front: AnyObject {
  /// Whether a person can answer.
  var canAnswer: Bool { get }
  /// Whether to call `step(_:)`.
  var observesSteps: Bool { get }
  /// Says a sentence.
  func say(_ text: String)
  /// Shows a notification that no channel delivered, in a run without a person.
  func notify(_ notification: DesktopNotification)
  /// Shows a presentation.
  func show(_ presentation: Presentation)
  /// Asks a question; called only when `canAnswer` is true.
  ///
  /// - Throws: `cancelled` when the person leaves.
  func ask(_ question: Question) throws -> Reply
  /// Called when a step of the top-level intent or shortcut starts.
  func step(_ path: [String])
  /// Reports the progress of a long operation.
  func progress(_ progress: Progress)
  /// Reports the state of an activity.
  func activity(_ activity: Activity)
  /// Called with the result of the run, once it is done.
  func result(_ presentation: Presentation)
  /// Called with the error of a failed run, where the person may not see it otherwise.
  func failed(_ message: String)
  /// Called once with the transcript of the run, before any output.
  func begin(_ transcript: Transcript)
  /// Called when the result was written elsewhere, such as to a pipe, and may not be seen.
  func wroteResult(_ presentation: Presentation)
}

/// Default implementations that ignore output and answer no question.
extension Front {
  package var canAnswer: Bool { false }
  package var observesSteps: Bool { false }
  package func say(_ text: String) {}
  package func show(_ presentation: Presentation) {}
  package func step(_ path: [String]) {}
  package func progress(_ progress: Progress) {}
  package func result(_ presentation: Presentation) {}
  package func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "nobody can answer “\(question.prompt)”")
  }
  package func notify(_ notification: DesktopNotification) { say(notification.line) }
  package func failed(_ message: String) {}
  package func begin(_ transcript: Transcript) {}
  package func activity(_ activity: Activity) {}
  package func wroteResult(_ presentation: Presentation) {}
}

/// A front that ignores output and answers no question.
package final class SilentFront: Front {
  package init() {}
}

/// A front that masks known secrets before it passes anything on.
final class MaskedFront: Front {
  private let front: any Front
  private let secrets: KnownSecrets

  init(_ front: any Front, _ secrets: KnownSecrets) {
    self.front = front
    self.secrets = secrets
  }

  var canAnswer: Bool { front.canAnswer }
  var observesSteps: Bool { front.observesSteps }

  func say(_ text: String) { front.say(secrets.masked(text)) }

  // Its texts were masked when it was made.
  func notify(_ notification: DesktopNotification) { front.notify(notification) }

  func show(_ presentation: Presentation) { front.show(masked(presentation)) }

  func result(_ presentation: Presentation) { front.result(masked(presentation)) }

  func wroteResult(_ presentation: Presentation) { front.wroteResult(masked(presentation)) }

  func step(_ path: [String]) { front.step(path.map(secrets.masked)) }

  func progress(_ progress: Progress) {
    var progress = progress
    progress.label = progress.label.map(secrets.masked)
    front.progress(progress)
  }

  func activity(_ activity: Activity) { front.activity(activity) }

  func ask(_ question: Question) throws -> Reply {
    var question = question
    if case .choice(var choices, let many) = question.kind {
      for index in choices.indices {
        choices[index].title = secrets.masked(choices[index].title)
        choices[index].subtitle = choices[index].subtitle.map(secrets.masked)
      }
      question.kind = .choice(choices, many: many)
    }
    question.prompt = secrets.masked(question.prompt)
    question.defaultText = question.defaultText.map(secrets.masked)
    question.suggestions = question.suggestions.map(secrets.masked)
    question.problem = question.problem.map(secrets.masked)
    return try front.ask(question)
  }

  private func masked(_ presentation: Presentation) -> Presentation {
    let layout: Presentation.Layout =
      switch presentation.layout {
      case .text(let text): .text(secrets.masked(text))
      case .cards(let cards): .cards(cards.indices.lazy.map { [self] in masked(cards[$0]) })
      case .table(let columns, let rows):
        .table(columns: columns.map(secrets.masked), rows: rows.map { $0.map(secrets.masked) })
      case .fields(let fields):
        .fields(fields.map { (secrets.masked($0.name), secrets.masked($0.text)) })
      }
    return Presentation(
      layout, value: secrets.masked(presentation.value), isMarkdown: presentation.isMarkdown)
  }

  private func masked(_ card: Presentation.Card) -> Presentation.Card {
    var masked = card
    masked.title = secrets.masked(card.title)
    masked.subtitle = card.subtitle.map(secrets.masked)
    masked.warnings = card.warnings.map(secrets.masked)
    masked.marks = card.marks.map(secrets.masked)
    // The positions of matches are unknown in a text that was masked.
    if masked.title != card.title { masked.markedTitle = nil }
    if let text = card.snippet?.text, secrets.masked(text) != text { masked.snippet = nil }
    return masked
  }
}

/// A question to a person.
package struct Question: Sendable {
  /// The kind of a question.
  package enum Kind: Sendable {
    /// The text of a value of a type.
    case text(DataType)
    case choice([Choice], many: Bool)
    case confirmation(danger: Bool)
  }

  /// An answer to choose.
  package struct Choice: Sendable {
    package internal(set) var title: String
    package internal(set) var subtitle: String?
    /// A reference such as `link:42`, when the choice is a stored item.
    package let reference: String?
    /// The title as the definition has it, if a translation replaced it; it answers, too.
    let original: String?

    package init(
      title: String, subtitle: String? = nil, reference: String? = nil, original: String? = nil
    ) {
      self.title = title
      self.original = original
      self.subtitle = subtitle
      self.reference = reference
    }

    /// The choice of an item.
    init(_ card: Presentation.Card) {
      self.init(title: card.title, subtitle: card.subtitle, reference: card.reference)
    }
  }

  package internal(set) var kind: Kind
  /// The key that answers it ahead of time: `--answer KEY=…`.
  package let key: String
  package internal(set) var prompt: String
  /// The text used for an empty answer.
  package var defaultText: String?
  package var suggestions: [String] = []
  /// The reason why the last answer was rejected.
  package var problem: String?
  /// The limits of the value.
  package var constraints = ValueConstraints()

  package init(_ kind: Kind, key: String, prompt: String) {
    self.kind = kind
    self.key = key
    self.prompt = prompt
  }
}

/// The answer of a person.
package enum Reply: Sendable {
  /// Text as typed; empty for the default.
  case text(String)
  /// The indices of the chosen choices.
  case chosen([Int])
  case confirmed(Bool)
}

/// Content to show on the screen.
package struct Presentation {
  /// Cards made on demand, so that the first screen does not wait for the rest.
  package typealias Cards = LazyMapSequence<Range<Int>, Card>

  /// The layout of a presentation.
  package enum Layout {
    case text(String)
    /// Items, each with its title, subtitle and reference.
    case cards(Cards)
    case table(columns: [String], rows: [[String]])
    /// Names and values of the properties of one item.
    case fields([(name: String, text: String)])
  }

  /// The summary of an item.
  package struct Card: Sendable {
    package internal(set) var title: String
    package internal(set) var subtitle: String?
    /// Warnings for the person, such as `overdue`.
    package var warnings: [String] = []
    /// Further details for lists, such as tags.
    package var marks: [String] = []
    package let reference: String?
    /// The title with matches of the search marked; nil when it contains none.
    package var markedTitle: MarkedText?
    /// An excerpt of the property that contains the matches missing from the title; nil when not
    /// needed.
    package var snippet: MarkedText?

    /// The line beside the title, with warnings marked; nil when there is nothing to show.
    package var details: MarkedText? {
      let separator = " · "
      var runs: [MarkedText.Run] = []
      for warning in warnings {
        if !runs.isEmpty { runs.append(.init(separator, isMarked: false)) }
        runs.append(.init(warning, isMarked: true))
      }
      let others = ([subtitle ?? ""] + marks).filter { !$0.isEmpty }.joined(separator: separator)
      if !others.isEmpty {
        runs.append(.init((runs.isEmpty ? "" : separator) + others, isMarked: false))
      }
      return runs.isEmpty ? nil : MarkedText(runs)
    }
  }

  package let layout: Layout
  /// Whether a text is Markdown.
  package let isMarkdown: Bool
  /// The value shown, for other programs.
  package let value: Value

  package init(_ layout: Layout, value: Value, isMarkdown: Bool = false) {
    self.layout = layout
    self.value = value
    self.isMarkdown = isMarkdown
  }
}

/// The progress of a long operation.
package struct Progress: Sendable {
  /// The name of the operation, if it has one.
  package internal(set) var label: String?
  /// The amount done, in `unit`.
  package let done: Double
  /// The total amount; nil when unknown.
  package let total: Double?
  /// The unit of `done` and `total`.
  package let unit: Unit
  /// Whether this is the last report of the operation.
  package let isOver: Bool

  /// A unit of progress.
  package enum Unit: String, Sendable {
    case items, seconds
  }

  /// An amount of a total.
  package init(
    _ label: String? = nil, done: Double, total: Double? = nil, unit: Unit = .items,
    isOver: Bool = false
  ) {
    self.label = label
    self.done = done
    self.total = total
    self.unit = unit
    self.isOver = isOver
  }

  /// A number of items.
  package init(done: Int, total: Int? = nil, isOver: Bool = false) {
    self.init(done: Double(done), total: total.map(Double.init), isOver: isOver)
  }
}

/// A long-running activity, as other programs may show it.
package struct Activity: Sendable, Equatable {
  /// The state of an activity.
  package enum State: String, CaseIterable, Sendable {
    case active, done, failed, cancelled
  }

  /// The kind of an activity.
  package enum Kind: String, CaseIterable, Sendable {
    /// Reported by a step, in any process.
    case step
    case run, job, `import`, download
  }

  /// Unique among the activities of the person.
  package let key: String
  package let kind: Kind
  package var title: String
  package var state = State.active
  /// The amount done; nil when unknown.
  package var done: Double?
  /// The total amount; nil when unknown.
  package var total: Double?
  /// The current item of work, or the reason for the failure.
  package var detail: String?

  /// An active activity.
  package init(_ kind: Kind, key: String, title: String) {
    self.kind = kind
    self.key = key
    self.title = title
  }

  /// The part done, from 0 to 1; nil when unknown.
  package var fraction: Double? {
    guard let done, let total, total > 0 else { return nil }
    return min(max(done / total, 0), 1)
  }

  /// The activity with its missing values taken from an earlier report.
  package func filled(from earlier: Activity) -> Activity {
    var filled = self
    if filled.title.isEmpty { filled.title = earlier.title }
    if filled.done == nil { (filled.done, filled.total) = (earlier.done, earlier.total) }
    if filled.detail == nil { filled.detail = earlier.detail }
    return filled
  }

  /// The fields for programs.
  package var fields: [(String, Value)] {
    [
      ("key", .string(key)), ("kind", .string(kind.rawValue)), ("title", .string(title)),
      ("state", .string(state.rawValue)), ("done", .number(done)),
      ("total", .number(total)), ("detail", .text(detail)),
    ]
  }
}
