package import CEL
package import Engine
import Exchange
import JSON
package import Program
import Store

/// Talks with a program: events as JSON Lines, and answers to questions as JSON Lines
/// (docs/events.md).
package final class EventsFront: Front {
  private let write: (String) -> Void
  private let json: ItemJSON
  private var answers: JSONLinesReader
  /// The number of the latest question.
  private var number: Int64 = 0

  /// - Parameters:
  ///   - write: Hands a line to the other program at once, which waits for it.
  ///   - read: Fills a part of a buffer with what the other program says, and gives how many bytes
  ///     it put there, 0 at the end.
  package init(
    clock: LocalClock = LocalClock { .system() }, write: @escaping (String) -> Void,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.write = write
    json = ItemJSON(clock)
    answers = JSONLinesReader(maxLineBytes: 1 << 20, read: read)
  }

  /// The other program can always answer, until it closes its end.
  package var canAnswer: Bool { true }

  package var observesSteps: Bool { true }

  // MARK: Telling

  /// Tells the name of the run, before anything else of it.
  package func begin(_ run: String) { emit("begin", [("run", .string(run))]) }

  package func say(_ text: String) { emit("say", [("text", .string(text))]) }

  package func show(_ presentation: Presentation) {
    var fields: [(String, Value)]
    switch presentation.layout {
    case .text(let text): fields = [("as", "text"), ("text", .string(text))]
    case .cards(let cards):
      let cards = cards.map { shown in
        card(shown.title, shown.subtitle, shown.reference)
          + [("snippet", shown.snippet.map(Self.snippet) ?? .null)]
      }
      fields = [("as", "card"), ("cards", .list(cards.map { .map(MapValue($0)) }))]
    case .table(let columns, let rows):
      fields = [
        ("as", "table"), ("columns", .list(columns.map(Value.string))),
        ("rows", .list(rows.map { .list($0.map(Value.string)) })),
      ]
    case .fields(let named):
      fields = [
        ("as", "fields"),
        ("fields", .map(MapValue(named.map { ($0.name, .string($0.text)) }))),
      ]
    }
    fields.append(("value", presentation.value))
    emit("show", fields)
  }

  package func step(_ path: [String]) { emit("step", [("path", .list(path.map(Value.string)))]) }

  /// Hears of progress, too.
  package var progressed: ((Progress) -> Void)?

  package func progress(_ progress: Progress) {
    progressed?(progress)
    emit(
      "progress",
      [
        ("label", text(progress.label)), ("done", Self.number(progress.done)),
        ("total", progress.total.map(Self.number) ?? .null),
      ])
  }

  package func activity(_ activity: Activity) { emit("activity", activity.fields) }

  /// A count as a whole number where it is one.
  private static func number(_ number: Double) -> Value {
    Int64(exactly: number).map(Value.int) ?? .double(number)
  }

  package func result(_ presentation: Presentation) {
    emit("result", [("value", presentation.value)])
  }

  private func card(
    _ title: String, _ subtitle: String?, _ reference: String?
  ) -> [(String, Value)] {
    [
      ("title", .string(title)), ("subtitle", text(subtitle)), ("ref", text(reference)),
    ]
  }

  /// How many characters of a text a snippet has at most.
  private static let snippetLength = 200

  private static func snippet(_ text: MarkedText) -> Value {
    .list(
      text.excerpt(length: snippetLength).runs.map { run in
        .map(MapValue([("text", .string(run.text)), ("isMatch", .bool(run.isMarked))]))
      })
  }

  private func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// Writes an event with its fields.
  package func emit(_ event: String, _ fields: [(String, Value)]) {
    let name: [(String, Value)] = [("event", .string(event))]
    // A value that JSON can't hold, such as one nested too deep, is left out.
    let line =
      (try? json.text(of: .map(MapValue(name + fields))))
      ?? (try? json.text(of: .map(MapValue(name + fields.filter { $0.0 != "value" }))))
    guard let line else { return }
    write(line + "\n")
  }

  // MARK: Asking

  package func ask(_ question: Question) throws -> Reply {
    var problem = question.problem
    // One that is asked again, because the answer did not fit, keeps its number.
    if problem == nil { number += 1 }
    // As many as a person may give: a program that answers with rubbish must not go on for ever.
    for _ in 0..<Asker.attempts {
      put(question, problem)
      switch AnswerReader(question).read(try nextAnswer()) {
      case .reply(let reply): return reply
      case .problem(let text): problem = text
      case .cancelled:
        throw RunError.left(question.prompt)
      }
    }
    throw RunError(.cancelled, "no answer to “\(question.prompt)” fits")
  }

  private func put(_ question: Question, _ problem: String?) {
    let head: [(String, Value)] = [
      ("number", .int(number)), ("key", .string(question.key)),
      ("prompt", .string(question.prompt)),
    ]
    let tail: [(String, Value)] = [("problem", text(problem))]
    switch question.kind {
    case .text(let typeName):
      let fields: [(String, Value)] = [
        ("type", .string(typeName)), ("default", text(question.defaultText)),
        ("suggestions", .list(question.suggestions.map(Value.string))),
      ]
      emit("ask", head + fields + tail)
    case .choice(let choices, let many):
      let listed = choices.enumerated().map { index, choice -> Value in
        let number: [(String, Value)] = [("number", .int(Int64(index + 1)))]
        return .map(MapValue(number + card(choice.title, choice.subtitle, choice.reference)))
      }
      emit("choose", head + [("many", .bool(many)), ("choices", .list(listed))] + tail)
    case .confirmation(let danger):
      emit("confirm", head + [("danger", .bool(danger))] + tail)
    }
  }

  /// The next line of the other program; nil when it has closed its end.
  private func nextAnswer() throws -> Result<Value, JSONError>? {
    while let line = try answers.next() {
      // An answer to an earlier question comes too late.
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
