import CEL
package import Engine
import Exchange
import Items
import JSON
package import Program
import Store

/// A front that exchanges JSON Lines with another program: events out, answers in (docs/events.md).
package final class EventsFront: Front {
  private let write: (String) -> Void
  private let json: ItemJSON
  private var answers: JSONLinesReader
  /// The number of the latest question.
  private var number: Int64 = 0
  private let form: Form
  private var transcript: Transcript?

  /// The lines to write.
  package enum Form: Sendable {
    case events
    /// Entries of the transcript.
    case entries
    /// Events, and each entry as an event `entry`.
    case both
  }

  /// - Parameters:
  ///   - write: Writes a line immediately; the peer program waits for it.
  ///   - read: Reads input into the buffer and returns the number of bytes, 0 at the end.
  package init(
    _ form: Form = .events, clock: LocalClock = LocalClock { .system() },
    write: @escaping (String) -> Void,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.form = form
    self.write = write
    json = ItemJSON(clock)
    answers = JSONLinesReader(maxLineBytes: 1 << 20, read: read)
  }

  /// Always true: the peer program can answer until it closes its end.
  package var canAnswer: Bool { true }

  package var observesSteps: Bool { true }

  // MARK: Output

  package func begin(_ transcript: Transcript) {
    self.transcript = transcript
    guard form != .events else { return }
    transcript.deliver = { [unowned self, unowned transcript] entry in
      switch form {
      case .events: break
      case .entries:
        put(entry)
        if transcript.hasEnded { ended?() }
      case .both: put(.record(["event": "entry", "entry": entry]))
      }
    }
  }

  /// Writes the run's id; must be the first event.
  package func begin(_ run: String) { emit("begin", ["run": run]) }

  package func say(_ text: String) { emit("say", ["text": text]) }

  package func show(_ presentation: Presentation) {
    let fields: Record
    switch presentation.layout {
    case .text(let text): fields = ["as": "text", "text": text]
    case .cards(let cards):
      let values: [Value] = cards.map { shown in
        Value.record(
          card(shown.title, shown.subtitle, shown.reference),
          ["snippet": shown.snippet.map(Self.snippet)])
      }
      fields = ["as": "card", "cards": values]
    case .table(let columns, let rows):
      fields = ["as": "table", "columns": columns, "rows": rows]
    case .fields(let named):
      let named = Record(named.map { ($0.name, .string($0.text)) })
      fields = ["as": "fields", "fields": Value.record(named)]
    }
    emit("show", fields, ["value": presentation.value])
  }

  package func step(_ path: [String]) { emit("step", ["path": path]) }

  /// Called when the last entry was written.
  package var ended: (() -> Void)?

  /// Also called with each progress update.
  package var progressed: ((Progress) -> Void)?

  package func progress(_ progress: Progress) {
    progressed?(progress)
    emit(
      "progress",
      [
        "label": progress.label, "done": Value.number(progress.done),
        "total": Value.number(progress.total),
      ])
  }

  package func activity(_ activity: Activity) { emit("activity", Record(activity.fields)) }

  package func result(_ presentation: Presentation) {
    emit("result", ["value": presentation.value])
  }

  private func card(_ title: String, _ subtitle: String?, _ reference: String?) -> Record {
    ["title": title, "subtitle": subtitle, "ref": reference]
  }

  /// The maximum number of characters in a snippet.
  private static let snippetLength = 200

  private static func snippet(_ text: MarkedText) -> [Value] {
    text.excerpt(length: snippetLength).runs.map { run in
      .record(["text": run.text, "isMatch": run.isMarked])
    }
  }

  /// Writes an event with its fields.
  package func emit(_ event: String, _ records: Record...) {
    let fields = [("event", .string(event))] + records.flatMap(\.fields)
    if form != .entries { put(.map(MapValue(fields))) }
  }

  /// Writes a line.
  private func put(_ value: Value) {
    // Omits a value that JSON cannot represent, such as one nested too deeply.
    guard case .map(let map) = value else { return }
    let line =
      (try? json.text(of: value))
      ?? (try? json.text(
        of: .map(
          MapValue(
            map.entries.filter { $0.key != "value" }.map {
              ($0.key.text, $0.value)
            }))))
    if let line { write(line + "\n") }
  }

  // MARK: Asking

  package func ask(_ question: Question) throws -> Reply {
    var problem = question.problem
    // A question repeated because of an invalid answer keeps its number.
    if problem == nil { number += 1 }
    // The same limit as for a person: a program that sends invalid answers must not loop forever.
    for _ in 0..<Asker.attempts {
      put(question, problem)
      switch AnswerReader(question).read(try nextAnswer()) {
      case .reply(let reply): return reply
      case .problem(let text):
        problem = text
        var again = question
        again.problem = text
        transcript?.ask(again)
      case .cancelled:
        throw RunError.left(question.prompt)
      }
    }
    throw RunError(.cancelled, "no valid answer to “\(question.prompt)”")
  }

  private func put(_ question: Question, _ problem: String?) {
    let head: Record = ["number": number, "key": question.key, "prompt": question.prompt]
    let tail: Record = ["problem": problem]
    switch question.kind {
    case .text(let type):
      let fields: Record = [
        "type": type.description, "default": question.defaultText,
        "suggestions": question.suggestions,
      ]
      emit("ask", head, fields, tail)
    case .choice(let choices, let many):
      let listed = choices.enumerated().map { index, choice in
        Value.record(["number": index + 1], card(choice.title, choice.subtitle, choice.reference))
      }
      emit("choose", head, ["many": many, "choices": listed], tail)
    case .confirmation(let danger): emit("confirm", head, ["danger": danger], tail)
    }
  }

  /// The next line from the peer program; nil at the end of its input.
  private func nextAnswer() throws -> Result<Value, JSONError>? {
    while let line = try answers.next() {
      // Skip late answers to earlier questions.
      if case .success(.map(let map)) = line.value,
        case .int(let meant)? = map["number"], meant != number
      {
        continue
      }
      return line.value
    }
    return nil
  }
}
