import CEL
import ForeignText
import Inbox
import Items
import Program

/// Files of a run: paths as people write them, and what is read of them.
extension Run {
  /// The most bytes of a file that is read into a value.
  static let fileLimit = 64 << 20

  /// A path with `~` as the home of the person.
  ///
  /// - Throws: `invalid-value` for an empty text, and for a zero byte, at which the system would take
  ///   the path to end.
  func path(_ text: String) throws -> String {
    if text.isEmpty {
      throw RunError(.invalidValue, "a path is empty", help: "the working folder is `.`")
    }
    if text.utf8.contains(0) {
      throw RunError(.invalidValue, "a path holds a zero byte: “\(text.shortened)”")
    }
    return expanded(text)
  }

  /// A text with `~` or `~/` at its beginning as the home of the person.
  func expanded(_ text: String) -> String {
    guard text == "~" || text.hasPrefix("~/"), let home = host.environment("HOME") else {
      return text
    }
    return home + text.dropFirst()
  }

  /// A value of a type with the home of the person in its paths.
  func expanded(_ value: Value, _ type: DataType) -> Value {
    switch (type.unwrapped, value) {
    case (.file, .string(let text)): .string(expanded(text))
    case (.list(let element), .list(let values)): .list(values.map { expanded($0, element) })
    default: value
    }
  }

  /// What bytes are that have a signature; nil for those that may be text.
  private static func kind(of bytes: [UInt8]) -> String? {
    let type = ContentSignature.mediaType(
      of: Array(bytes.prefix(4096)), isWhole: bytes.count <= 4096, name: nil)
    switch type.prefix(while: { $0 != "/" }) {
    case "image": return "an image"
    case "audio": return "a sound file"
    case "video": return "a video"
    case "application" where type == "application/pdf": return "a PDF"
    case "application" where type == "application/vnd.sqlite3": return "a database"
    case "application" where type.contains("document"): return "an office document"
    case "application"
    where type != "application/octet-stream" && !type.contains("json")
      && !type.contains("xml") && !type.contains("yaml"):
      return "an archive"
    default: return nil
    }
  }

  /// The text of a file.
  ///
  /// - Throws: `io`, `not-found`, `invalid-value` when it is not UTF-8.
  func text(of path: String, _ encoding: Charset = .utf8) throws -> String {
    let files = host.machine.files
    let bytes = try outside { try files.read(path, Self.fileLimit) }
    guard let text = DecodedText.exact(bytes, encoding) else {
      if let kind = Self.kind(of: bytes) {
        throw RunError(.invalidValue, "\(path) is \(kind), and read-file reads text")
      }
      throw RunError(
        .invalidValue, "\(path) is not text in \(encoding.name)",
        help: "name its encoding: csv: {encoding: latin1}")
    }
    return text
  }
}
