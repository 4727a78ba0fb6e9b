package import CEL
import Glibc
import JSON

/// Writes what a worker does, a line each, for `journalctl` and `jq`: as logfmt or as JSON.
package struct WorkerLog {
  /// How much a line presses.
  package enum Level: String {
    case info, warning, error

    /// How systemd's journal is told of it, which takes it off the line (sd-daemon(3)).
    fileprivate var mark: String {
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
  private let write: (String) -> Void

  /// A log that gives each line, with its end, to a function.
  ///
  /// - Parameter isForJournal: whether systemd's journal reads the lines, which can then tell those
  ///   that press from others.
  package init(
    isJSON: Bool, isForJournal: Bool = false, now: @escaping () -> Timestamp,
    write: @escaping (String) -> Void
  ) {
    self.isJSON = isJSON
    self.isForJournal = isForJournal
    self.now = now
    self.write = write
  }

  /// Whether standard output leads to systemd's journal (systemd.exec(5), `JOURNAL_STREAM`).
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
    let all: [(String, Value)] =
      [
        ("time", .string(now().jsonText)), ("level", .string(level.rawValue)),
        ("message", .string(message)),
      ] + fields.filter { !$0.1.isNull }
    let mark = isForJournal ? level.mark : ""
    if isJSON, let text = try? JSONWriter().text(of: .map(MapValue(all))) {
      return write(mark + text + "\n")
    }
    write(mark + all.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ") + "\n")
  }

  /// A value of logfmt: quoted where it has spaces, quotes or anything that ends a word.
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
