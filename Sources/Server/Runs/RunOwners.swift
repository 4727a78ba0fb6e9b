import ErrandKit
import Glibc
import Source

/// The tokens that began runs, and the open questions of durable ones; kept in a file, so that a
/// run can be continued after a restart.
struct RunOwners {
  /// An entry of a run.
  struct Entry {
    let token: String
    let action: String
    let isDurable: Bool
    /// The question asked last; nil if it was answered.
    var question: JSONValue?
  }

  private let file: PrivateFile
  private var entries: [String: Entry] = [:]
  /// Ids, oldest first.
  private var order: [String] = []

  /// The number of runs kept at startup.
  private static let keptRuns = 2_000
  /// The maximum number of runs in memory.
  private static let limit = 20_000

  /// Reads and compacts the file.
  init(path: String) {
    file = PrivateFile(path: path)
    let bytes = (try? FileReader.bytes(of: path, limit: 256 << 20)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let value = try? JSONValue(parsing: String(line)), let run = value["run"]?.string else {
        continue
      }
      if let token = value["token"]?.string, let action = value["action"]?.string {
        set(
          run,
          Entry(
            token: token, action: action, isDurable: value["durable"] == true,
            question: value["question"].flatMap { $0 == .null ? nil : $0 }))
      } else {
        entries[run]?.question = value["question"].flatMap { $0 == .null ? nil : $0 }
      }
    }
    for run in order.dropLast(Self.keptRuns) { entries[run] = nil }
    order = order.suffix(Self.keptRuns)
    let lines = order.compactMap { run in entries[run].map { Self.line(run, $0) } }
    _ = file.write(lines.joined())
  }

  subscript(run: String) -> Entry? { entries[run] }

  /// The runs of a token, latest first.
  func runs(of token: Token) -> [String] {
    order.reversed().filter { entries[$0]?.token == token.id }
  }

  private mutating func set(_ run: String, _ entry: Entry) {
    if entries.updateValue(entry, forKey: run) == nil { order.append(run) }
    if order.count > Self.limit { entries[order.removeFirst()] = nil }
  }

  /// Records a new run.
  mutating func add(_ run: String, _ entry: Entry) {
    set(run, entry)
    _ = file.append(Self.line(run, entry), limit: .max)
  }

  /// Records the open question of a durable run; nil once it is answered.
  mutating func ask(_ run: String, _ question: JSONValue?) {
    guard entries[run]?.isDurable == true, entries[run]?.question != question else { return }
    entries[run]?.question = question
    let line = try? JSONValue.object(["run": .string(run), "question": question ?? .null]).text()
    if let line { _ = file.append(line + "\n", limit: .max) }
  }

  private static func line(_ run: String, _ entry: Entry) -> String {
    let value = JSONValue.object([
      "run": .string(run), "token": .string(entry.token), "action": .string(entry.action),
      "durable": .bool(entry.isDurable), "question": entry.question ?? .null,
    ])
    return (try? value.text() + "\n") ?? ""
  }
}
