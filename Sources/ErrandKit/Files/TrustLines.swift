import Glibc
import POSIX
package import Source

/// A file of the person's own that remembers paths with hashes, a line each.
///
/// A line has the hash and the path, percent-encoded, so that no path can hold a line of its own.
package struct TrustLines {
  /// Where it is.
  package let path: String
  /// Its first line, which says what it is.
  package let header: String

  /// A path with the hash that it is remembered with.
  package struct Entry {
    package var hash: String
    package var path: String
  }

  /// All entries; none when the file is not there, or another one.
  package func read() -> [Entry] {
    guard let bytes = try? FileReader.bytes(of: path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first.map({ $0 == header }) ?? false else { return [] }
    return lines.dropFirst().compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 2 else { return nil }
      return Entry(hash: String(parts[0]), path: Self.decoded(parts[1]))
    }
  }

  /// Changes the entries, with no other process in between.
  ///
  /// - Parameter tellOfWait: is called once when another process has the file for long.
  /// - Throws: `unwritable` when they can't be remembered.
  package func change(
    tellOfWait: () -> Void = {}, _ body: (inout [Entry]) -> Void
  ) throws(Diagnostic) {
    let lock = try FileLock.taken(beside: path, tellOfWait: tellOfWait)
    defer { lock.release() }
    var entries = read()
    body(&entries)
    let lines = [header] + entries.map { "\($0.hash) \(Self.encoded($0.path))" }
    let text = lines.map { $0 + "\n" }.joined()
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw failure(String(cString: strerror(errno)))
    }
  }

  /// A path without anything that ends a word or a line.
  private static func encoded(_ path: String) -> String {
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
        bytes.append(byte)
      } else {
        bytes += Array("%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func failure(_ reason: String) -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be written: \(reason)")
  }
}
