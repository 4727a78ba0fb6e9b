import ErrandKit
import Glibc
import Source

/// Text on standard input, read only where `-` is given.
enum StandardInput {
  /// Size limit, in bytes.
  static let limit = 64 << 20

  /// Whether a pipe or file on standard input has data that can be read at once.
  static var isWaiting: Bool {
    var count: Int32 = 0
    return isatty(0) == 0 && ioctl(0, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Reads all of it, without the final line end.
  ///
  /// - Throws: `Diagnostic` if it cannot be read or is not UTF-8.
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
