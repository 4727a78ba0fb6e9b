import ErrandKit
import Source

/// Text on standard input, read only where a person wrote `-`.
enum StandardInput {
  /// How much is read at most.
  private static let limit = 64 << 20

  /// All of it, without the line end after the last line.
  ///
  /// - Throws: a `Diagnostic` when it can't be read or is not UTF-8.
  static func text() throws -> String {
    var bytes = try FileReader.bytes(of: "-", limit: limit)
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(
        "invalid-utf8", "standard input is not valid UTF-8", help: "convert it to UTF-8 first")
    }
    return text
  }
}
