package import CEL
package import Items
import Program
package import Store

/// The journal of a run: decisions and completed steps by place.
///
/// The journal of a durable run has everything needed to resume it without evaluating expressions
/// again; otherwise it is informational.
package final class RunJournal {
  /// Whether the run can be resumed from it.
  package let isDurable: Bool
  /// Receives the lines; nil for a read-only journal.
  private let record: PendingRun?
  /// Number of lines dropped from an informational journal.
  package private(set) var leftOut = 0
  private var coder: ValueCoder
  /// The secrets to mask in all lines.
  var secrets: KnownSecrets?
  /// Reads a secret by name when a run is resumed; without it each secret is masked.
  var readSecret: ((String) throws -> Secret)? {
    get { coder.secret }
    set { coder.secret = newValue }
  }
  /// Storage for values that are too large for a line; nil for none.
  private let values: ValueFiles?
  private let now: @Sendable () -> Timestamp
  /// The lines of earlier processes by key.
  private var recorded: [String: JournalLine] = [:]
  private var count: Int64 = 0

  /// Maximum number of lines of an informational journal.
  package static let keptLines = 500

  /// A journal that continues the lines of earlier processes.
  package init(
    isDurable: Bool, record: PendingRun? = nil, after lines: [JournalLine] = [],
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

  /// Whether further lines are dropped.
  var isFull: Bool { !isDurable && count >= Self.keptLines }

  // MARK: Reading

  /// The line that an earlier process wrote under a key.
  func line(_ key: String) -> JournalLine? { recorded.isEmpty ? nil : recorded[key] }

  /// Whether an earlier process wrote a line under a key.
  func has(_ key: String) -> Bool { line(key) != nil }

  /// The decoded value of a line.
  package func value(of line: JournalLine) throws -> Value {
    if line.data.hasPrefix("#"), let values {
      return try coder.value(of: try values.text(of: String(line.data.dropFirst())))
    }
    return try coder.value(of: line.data)
  }

  /// Decodes a text made by `text(of:)`.
  package func value(ofText text: String) throws -> Value { try coder.value(of: text) }

  /// Encodes a value, with secrets masked.
  func text(of value: Value) throws -> String {
    let plain = try coder.text(of: value)
    return secrets?.masked(plain) ?? plain
  }

  /// The number of the next line.
  var nextNumber: Int64 { count + 1 }

  // MARK: Writing

  /// Appends a line about a decision or a step.
  package func note(
    _ key: String, _ kind: JournalLine.Kind, name: String, value: Value? = nil,
    took: Duration = .zero
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
