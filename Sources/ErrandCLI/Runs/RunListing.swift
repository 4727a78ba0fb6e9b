import CEL
import Engine
import Exchange
import Source
import Store

/// Recorded runs as rows for people and values for programs.
struct RunListing {
  private let session: Run
  private let journal: RunJournal

  /// The runs of a session's store.
  init(_ session: Run) throws {
    self.session = session
    journal = try Run.reader(in: session.workspace)
  }

  /// The columns of a row.
  static let columns = ["run", "name", "state", "began", "took", "result"]

  /// A run as a row.
  func row(_ run: RecordedRun, _ times: TimeText) -> [String] {
    [
      String(run.number), run.name, run.state.rawValue, times.text(run.started), took(run),
      outcome(run),
    ]
  }

  /// A run for another program.
  func value(_ run: RecordedRun) -> Value {
    .map(
      MapValue([
        ("run", .int(run.number)), ("id", .string(run.id)), ("name", .string(run.name)),
        ("state", .string(run.state.rawValue)), ("began", .timestamp(run.started)),
        ("ended", run.ended.map(Value.timestamp) ?? .null), ("durable", .bool(run.isDurable)),
        ("mode", run.mode.map(Value.string) ?? .null), ("process", .int(Int64(run.process))),
        ("result", result(run) ?? .null), ("error", error(run).map(Self.value) ?? .null),
      ]))
  }

  /// How long a run took, for a person; empty while it goes on.
  func took(_ run: RecordedRun) -> String {
    guard let length = run.ended?.since(run.started) else { return "" }
    return Self.text(microseconds: length.totalNanoseconds.map { $0 / 1000 } ?? 0)
  }

  /// The error of a run; nil where it has none.
  func error(_ run: RecordedRun) -> RunError? {
    run.error.isEmpty
      ? nil : (try? journal.value(ofText: run.error)).flatMap { RunError(journal: $0) }
  }

  /// The value of a run; nil where it has none, or none that is kept.
  func result(_ run: RecordedRun) -> Value? {
    run.result.isEmpty ? nil : try? journal.value(ofText: run.result)
  }

  private func outcome(_ run: RecordedRun) -> String {
    if let error = error(run) { return Self.text(error) }
    if run.state == .suspended || run.state == .interrupted, run.isDurable {
      return "errand resume \(run.number)"
    }
    return result(run).map { Self.short(session.renderer.text(of: $0)) } ?? ""
  }

  /// An error for another program, with those that led to it.
  static func value(_ error: RunError) -> Value {
    let errors = [error] + error.causes
    return ErrorJSON.value(of: errors.map { ($0.code.name, $0.message, $0.path) }[...]) ?? .null
  }

  /// An error for a person, with those that led to it.
  static func text(_ error: RunError) -> String {
    ([error] + error.causes).map { "\($0.message) [\($0.code)]" }.joined(separator: ", cause: ")
  }

  /// How many characters of a value are shown.
  private static let shownCharacters = 60

  /// A text that fits in a line.
  static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > shownCharacters ? line.prefix(shownCharacters) + "…" : line
  }

  /// A length of time as a person reads it at a glance.
  static func text(microseconds: Int64) -> String {
    switch microseconds {
    case ..<1_000: "0 ms"
    case ..<1_000_000: "\(microseconds / 1_000) ms"
    case ..<60_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: "\(microseconds / 60_000_000) min \(microseconds / 1_000_000 % 60) s"
    }
  }
}
