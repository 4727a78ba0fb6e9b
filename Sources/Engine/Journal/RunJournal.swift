package import CEL
package import Items
import Program
package import Store

/// The journal of one run: what was decided and done, each under its place.
///
/// That of a durable run has all that it takes to go on without evaluating anything again; that of
/// another run tells a person what was done.
package final class RunJournal {
  /// Whether the run can go on from it.
  package let isDurable: Bool
  /// What takes the lines as they come up; nil where none is written.
  private let record: RunRecord?
  /// How many lines of a run that is not durable were left out.
  package private(set) var leftOut = 0
  private var coder: ValueCoder
  /// The secrets that no line may hold.
  var secrets: KnownSecrets?
  /// Reads the secret of a name anew, for a run that goes on; without it a mark stands for each.
  var readSecret: ((String) throws -> Secret)? {
    get { coder.secret }
    set { coder.secret = newValue }
  }
  /// Where values are kept that are too large for a line; nil where there is no such place.
  private let values: ValueFiles?
  private let now: @Sendable () -> Timestamp
  /// What the run wrote when it was here before, by key.
  private var recorded: [String: JournalLine] = [:]
  private var count: Int64 = 0

  /// How many lines a run that is not durable keeps.
  package static let keptLines = 500

  /// A journal that goes on after the lines of an earlier process.
  package init(
    isDurable: Bool, record: RunRecord? = nil, after lines: [JournalLine] = [],
    values: ValueFiles? = nil,
    now: @escaping @Sendable () -> Timestamp,
    schema: @escaping (String) -> EntitySchema?
  ) {
    self.isDurable = isDurable
    self.record = record
    self.now = now
    self.values = values
    coder = ValueCoder(schema: schema)
    for line in lines { recorded[line.key] = line }
    count = lines.last?.number ?? 0
  }

  /// Whether nothing more is kept.
  var isFull: Bool { !isDurable && count >= Self.keptLines }

  // MARK: Reading

  /// The line of an earlier process under a key.
  func line(_ key: String) -> JournalLine? { recorded.isEmpty ? nil : recorded[key] }

  /// Whether an earlier process wrote a line under a key.
  func has(_ key: String) -> Bool { line(key) != nil }

  /// The value of a line.
  package func value(of line: JournalLine) throws -> Value {
    if line.data.hasPrefix("#"), let values {
      return try coder.value(of: try values.text(of: String(line.data.dropFirst())))
    }
    return try coder.value(of: line.data)
  }

  /// The value of a text that `text` gave.
  package func value(ofText text: String) throws -> Value { try coder.value(of: text) }

  /// The text of a value, as lines have it: with a mark where a secret was.
  func text(of value: Value) throws -> String {
    let plain = try coder.text(of: value)
    return secrets?.masked(plain) ?? plain
  }

  /// The number of the line that is written next.
  var nextNumber: Int64 { count + 1 }

  // MARK: Writing

  /// Notes what was decided or done.
  package func note(
    _ key: String, _ kind: JournalLine.Kind, name: String, value: Value? = nil, took: Int64 = 0
  ) throws {
    if isFull {
      leftOut += 1
      return
    }
    count += 1
    record?.append(
      JournalLine(
        number: count, key: key, kind: kind, name: name, time: now(), took: took,
        data: try value.map(data) ?? ""))
  }

  private func data(_ value: Value) throws -> String {
    let text = try text(of: value)
    guard text.utf8.count > ValueFiles.threshold, let values else { return text }
    return try values.keep(text)
  }
}
