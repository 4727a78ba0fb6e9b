package import CEL
import Items
import Program
package import Store

/// Who hears the dialog of a run and answers its questions.
package protocol Front: AnyObject {
  /// Whether a person can answer.
  var canAnswer: Bool { get }
  /// Whether it wants to hear of steps.
  var observesSteps: Bool { get }
  /// Says a sentence.
  func say(_ text: String)
  /// Tells a notification that no channel could show, where nobody can answer.
  func notify(_ notification: DesktopNotification)
  /// Puts something on the screen.
  func show(_ presentation: Presentation)
  /// Asks a question; called only when somebody can answer.
  ///
  /// - Throws: `cancelled` when the person leaves.
  func ask(_ question: Question) throws -> Reply
  /// Hears that a step of the asked-for intent or shortcut begins.
  func step(_ path: [String])
  /// Hears how far a long piece of work has come.
  func progress(_ progress: Progress)
  /// Hears of something that goes on for a while.
  func activity(_ activity: Activity)
  /// Hears what the run came to, once it is done.
  func result(_ presentation: Presentation)
  /// Hears why the run failed, where that may not be seen elsewhere.
  func failed(_ message: String)
  /// Hears what the run came to, where that was written and may not be seen.
  func wroteResult(_ presentation: Presentation)
}

/// A front hears nothing and answers nobody but for what it says otherwise.
extension Front {
  package var canAnswer: Bool { false }
  package var observesSteps: Bool { false }
  package func say(_ text: String) {}
  package func show(_ presentation: Presentation) {}
  package func step(_ path: [String]) {}
  package func progress(_ progress: Progress) {}
  package func result(_ presentation: Presentation) {}
  package func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "nobody is there to answer “\(question.prompt)”")
  }
  package func notify(_ notification: DesktopNotification) { say(notification.line) }
  package func failed(_ message: String) {}
  package func activity(_ activity: Activity) {}
  package func wroteResult(_ presentation: Presentation) {}
}

/// A front that hears nothing and has nobody to ask.
package final class SilentFront: Front {
  package init() {}
}

/// A front that hears and shows no secret that the run knows.
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
    if case .choice(let choices, let many) = question.kind {
      let masked = choices.map {
        Question.Choice(
          title: secrets.masked($0.title), subtitle: $0.subtitle.map(secrets.masked),
          reference: $0.reference)
      }
      question.kind = .choice(masked, many: many)
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
      case .cards(let cards): .cards(cards.changed(masked))
      case .table(let columns, let rows):
        .table(columns: columns.map(secrets.masked), rows: rows.map { $0.map(secrets.masked) })
      case .fields(let fields):
        .fields(fields.map { (secrets.masked($0.name), secrets.masked($0.text)) })
      }
    return Presentation(layout, value: secrets.masked(presentation.value))
  }

  private func masked(_ card: Presentation.Card) -> Presentation.Card {
    var masked = card
    masked.title = secrets.masked(card.title)
    masked.subtitle = card.subtitle.map(secrets.masked)
    masked.warnings = card.warnings.map(secrets.masked)
    masked.marks = card.marks.map(secrets.masked)
    // Where words of a search stand in it is not known of a text that was changed.
    if masked.title != card.title { masked.markedTitle = nil }
    if let text = card.snippet?.text, secrets.masked(text) != text { masked.snippet = nil }
    return masked
  }
}

/// A question to a person.
package struct Question: Sendable {
  package enum Kind: Sendable {
    /// Any text; the type says what will fit.
    case text(typeName: String)
    case choice([Choice], many: Bool)
    case confirmation(danger: Bool)
  }

  package struct Choice: Sendable {
    package let title: String
    package let subtitle: String?
    /// A reference such as `link:42`, when the choice is a stored item.
    package let reference: String?

    package init(title: String, subtitle: String? = nil, reference: String? = nil) {
      self.title = title
      self.subtitle = subtitle
      self.reference = reference
    }
  }

  package internal(set) var kind: Kind
  /// What to answer it by ahead of time: `--answer KEY=…`.
  package let key: String
  package internal(set) var prompt: String
  /// What an empty answer stands for, as text.
  package var defaultText: String?
  package var suggestions: [String] = []
  /// Why the last answer did not fit.
  package var problem: String?

  /// A question that is answered with yes or no, where nothing of a run asks it.
  package static func confirming(_ prompt: String, key: String, danger: Bool) -> Question {
    Question(.confirmation(danger: danger), key: key, prompt: prompt)
  }

  package init(_ kind: Kind, key: String, prompt: String) {
    self.kind = kind
    self.key = key
    self.prompt = prompt
  }
}

/// What a person answers.
package enum Reply: Sendable {
  /// Text as typed; empty takes the default.
  case text(String)
  /// The positions of the choices taken.
  case chosen([Int])
  case confirmed(Bool)
}

/// Something to put on the screen.
package struct Presentation {
  package enum Layout {
    case text(String)
    /// Items, each with its title, subtitle and reference.
    case cards(Cards)
    case table(columns: [String], rows: [[String]])
    /// Names with their values, for all there is to say of one item.
    case fields([(name: String, text: String)])
  }

  package struct Card: Sendable {
    package internal(set) var title: String
    package internal(set) var subtitle: String?
    /// Warnings for the person, such as `overdue`.
    package var warnings: [String] = []
    /// What else is told of the item in lists, such as its tags.
    package var marks: [String] = []
    package let reference: String?
    /// The title with the words of the search that found it; nil when they are not in it.
    package var markedTitle: MarkedText?
    /// The text of a property with the words that are not all in the title; nil when it is not
    /// needed.
    package var snippet: MarkedText?

    /// The line about the item beside its title, with its warnings marked; nil when there is none.
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
  /// What is shown, for other programs.
  package let value: Value

  package init(_ layout: Layout, value: Value) {
    self.layout = layout
    self.value = value
  }
}

/// How far a long piece of work has come.
package struct Progress: Sendable {
  /// What is being done, when it has a name.
  package internal(set) var label: String?
  /// What is done, in lines, items or whatever it counts.
  package let done: Double
  /// How much there is to do; nil when that is not known.
  package let total: Double?
  /// What is counted, such as `seconds`; nil for items.
  package let unit: Unit
  /// Whether the work is over, and nothing more will be told of it.
  package let isOver: Bool

  /// What is counted.
  package enum Unit: String, Sendable {
    case items, seconds
  }

  /// So much of a total.
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

  /// So many of a number of items.
  package init(done: Int, total: Int? = nil, isOver: Bool = false) {
    self.init(done: Double(done), total: total.map(Double.init), isOver: isOver)
  }
}

/// Something that goes on for a while, as other programs may show it.
package struct Activity: Sendable, Equatable {
  /// How far it has come.
  package enum State: String, CaseIterable, Sendable {
    case active, done, failed, cancelled
  }

  /// What it is.
  package enum Kind: String, CaseIterable, Sendable {
    /// One that a step tells of, whatever process that runs in.
    case step
    case run, job, `import`, download
  }

  /// What tells it from others of the person.
  package let key: String
  package let kind: Kind
  package var title: String
  package var state = State.active
  /// What is done, in whatever it counts; nil where that is not known.
  package var done: Double?
  /// How much there is to do; nil where that is not known.
  package var total: Double?
  /// What is being done just now, or why it failed.
  package var detail: String?

  /// An activity that goes on.
  package init(_ kind: Kind, key: String, title: String) {
    self.kind = kind
    self.key = key
    self.title = title
  }

  /// Which part is done, from 0 to 1; nil where that is not known.
  package var fraction: Double? {
    guard let done, let total, total > 0 else { return nil }
    return min(max(done / total, 0), 1)
  }

  /// The activity with what it leaves out as it was before.
  package func filled(from earlier: Activity) -> Activity {
    var filled = self
    if filled.title.isEmpty { filled.title = earlier.title }
    if filled.done == nil { (filled.done, filled.total) = (earlier.done, earlier.total) }
    if filled.detail == nil { filled.detail = earlier.detail }
    return filled
  }

  /// It as a value for programs.
  package var fields: [(String, Value)] {
    [
      ("key", .string(key)), ("kind", .string(kind.rawValue)), ("title", .string(title)),
      ("state", .string(state.rawValue)), ("done", Self.number(done)),
      ("total", Self.number(total)), ("detail", detail.map(Value.string) ?? .null),
    ]
  }

  private static func number(_ number: Double?) -> Value {
    guard let number else { return .null }
    return Int64(exactly: number).map(Value.int) ?? .double(number)
  }
}

extension Presentation {
  /// The cards of items, each made whenever it is asked for: the first screen waits for no other.
  package struct Cards: RandomAccessCollection {
    package let endIndex: Int
    private let make: (Int) -> Card

    /// Cards of which each is made of an item.
    init<Item>(_ items: [Item], make: @escaping (Item) -> Card) {
      endIndex = items.count
      self.make = { make(items[$0]) }
    }

    private init(_ cards: Cards, changed: @escaping (Card) -> Card) {
      endIndex = cards.endIndex
      make = { changed(cards[$0]) }
    }

    package var startIndex: Int { 0 }

    package subscript(position: Int) -> Card { make(position) }

    /// The same cards, each changed when it is asked for.
    func changed(_ change: @escaping (Card) -> Card) -> Cards { Cards(self, changed: change) }
  }
}
