import CEL
import Engine
import Inbox
import Store

/// A share that is not done yet, as lists show it.
struct InboxEntry {
  /// Where it is on its way.
  enum State: String {
    /// In the folder, and nothing keeps it there.
    case waiting
    /// In the folder, since nothing takes it or it can't be read.
    case refused
    /// In the queue.
    case queued, running
    /// In the queue, from which it is not taken any more until somebody wants it.
    case failed, suspended
  }

  /// The name of its file.
  let name: String
  var state: State
  /// What it is, in a few words.
  var summary: String
  var from: String?
  /// What takes it; nil while that is open.
  var handler: String?
  /// Why it stays; nil while nothing is wrong.
  var reason: String?
  let time: Timestamp?
  /// Its job; nil while it lies in the folder.
  var job: Int64?

  /// The columns of a row.
  static let columns = ["share", "state", "what", "from", "for", "why"]

  /// The entry for a person.
  var row: [String] {
    [
      ShareName.short(name), state.rawValue, summary, from ?? "", handler ?? "", reason ?? "",
    ]
  }

  /// The entry for another program.
  var value: Value {
    func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }
    return .map(
      MapValue([
        ("share", .string(name)), ("state", .string(state.rawValue)), ("what", .string(summary)),
        ("from", text(from)), ("handler", text(handler)), ("reason", text(reason)),
        ("time", time.map(Value.timestamp) ?? .null), ("job", job.map(Value.int) ?? .null),
      ]))
  }
}
