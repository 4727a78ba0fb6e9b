import CEL
import Engine
import JSON

/// Talks with a program: events as JSON Lines on stdout, answers as JSON Lines on stdin.
final class EventsFront: Front {
  private let console: Console
  private let json: ItemJSON

  init(console: Console, clock: LocalClock = LocalClock { .system() }) {
    self.console = console
    json = ItemJSON(clock: clock)
  }

  /// Tells the result of a run, a JSON text.
  func result(_ text: String) {
    console.out("{\"event\":\"result\",\"value\":\(text)}\n")
    console.flush()
  }

  private func emit(_ event: String, _ fields: [(String, Value)]) {
    let object = Value.map(MapValue([("event", .string(event))] + fields))
    if let text = try? json.text(of: object) { console.out(text + "\n") }
    console.flush()
  }

  var canAnswer: Bool { true }

  var observesSteps: Bool { true }

  func say(_ text: String) { emit("say", [("text", .string(text))]) }

  func show(_ presentation: Presentation) {}

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.cancelled, "nobody answered “\(question.prompt)”")
  }

  func step(_ path: [String]) { emit("step", [("path", .list(path.map(Value.string)))]) }
}
