package import CEL
import Glibc
import JSON

/// Writes the worker's log, one line per event, as logfmt or JSON for `journalctl` and `jq`.
package struct WorkerLog {
  /// The severity of a line.
  package enum Level: String {
    case info, warning, error

    /// The syslog priority prefix, which systemd's journal removes (sd-daemon(3)).
    fileprivate var syslogPrefix: String {
      switch self {
      case .info: "<6>"
      case .warning: "<4>"
      case .error: "<3>"
      }
    }
  }

  private let isJSON: Bool
  private let isForJournal: Bool
  private let now: () -> Timestamp
  private let write: ((String) -> Void)?
  /// Called with each line before it is written.
  package var observer: ((Level, _ message: String, [(String, Value)]) -> Void)?

  /// Creates a log that passes each line, including its line break, to `write`; nil discards them.
  ///
  /// - Parameter isForJournal: Whether to add syslog priorities for systemd's journal.
  package init(
    isJSON: Bool, isForJournal: Bool = false, now: @escaping () -> Timestamp,
    write: ((String) -> Void)?
  ) {
    self.isJSON = isJSON
    self.isForJournal = isForJournal
    self.now = now
    self.write = write
  }

  /// Whether standard output goes to systemd's journal (systemd.exec(5), `JOURNAL_STREAM`).
  package static func journalReadsOutput(_ environment: (String) -> String?) -> Bool {
    var status = stat()
    guard let stream = environment("JOURNAL_STREAM"), fstat(STDOUT_FILENO, &status) == 0
    else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes a line.
  package func note(
    _ message: String, level: Level = .info, _ fields: [(String, Value)] = []
  ) {
    observer?(level, message, fields)
    guard let write else { return }
    let all: [(String, Value)] =
      [
        ("time", .string(now().jsonText)), ("level", .string(level.rawValue)),
        ("message", .string(message)),
      ] + fields.filter { !$0.1.isNull }
    let prefix = isForJournal ? level.syslogPrefix : ""
    if isJSON, let text = try? JSONWriter().text(of: .map(MapValue(all))) {
      return write(prefix + text + "\n")
    }
    write(prefix + all.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ") + "\n")
  }

  /// A logfmt value, quoted if it contains spaces, quotes or other delimiters.
  private static func logfmt(_ value: Value) -> String {
    let text = if case .string(let text) = value { text } else { value.text }
    let isPlain = text.utf8.allSatisfy { byte in
      byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=") && byte != 0x7F
        && byte != UInt8(ascii: "\\")
    }
    if isPlain, !text.isEmpty { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "\u{0}"..."\u{1F}", "\u{7F}": quoted += "?"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
