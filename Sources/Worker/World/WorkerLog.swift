package import CEL
import JSON

/// Writes what a worker does, a line each, for `journalctl` and `jq`: as logfmt or as JSON.
package struct WorkerLog {
  /// How much a line presses.
  package enum Level: String {
    case info, warning, error
  }

  private let isJSON: Bool
  private let now: () -> Timestamp
  private let write: (String) -> Void

  /// A log that gives each line, with its end, to a function.
  package init(
    isJSON: Bool, now: @escaping () -> Timestamp, write: @escaping (String) -> Void
  ) {
    self.isJSON = isJSON
    self.now = now
    self.write = write
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
    if isJSON, let text = try? JSONWriter().text(of: .map(MapValue(all))) {
      return write(text + "\n")
    }
    write(all.map { "\($0.0)=\(Self.logfmt($0.1))" }.joined(separator: " ") + "\n")
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
