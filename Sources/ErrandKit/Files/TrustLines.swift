import Glibc
import POSIX
package import Source

/// A private file of paths with hashes, one entry per line.
///
/// Paths are percent-encoded, so that no path can contain a line break.
package struct TrustLines {
  /// The path.
  package let path: String
  /// The first line, which identifies the format.
  package let header: String

  /// A path with its hash.
  package struct Entry {
    package var hash: String
    package var path: String
  }

  /// Returns all entries; none if the file does not exist or has another format.
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

  /// Changes the entries under an interprocess lock.
  ///
  /// - Parameter tellOfWait: Called once if another process holds the lock for long.
  /// - Throws: `unwritable` if the file cannot be written.
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

  /// Removes matching entries; false if there were none.
  ///
  /// - Throws: `unwritable` if the file cannot be written.
  package func remove(where isMeant: (Entry) -> Bool) throws(Diagnostic) -> Bool {
    var isFound = false
    try change { entries in
      isFound = entries.contains(where: isMeant)
      entries.removeAll(where: isMeant)
    }
    return isFound
  }

  /// A path with spaces, control characters, `%` and non-ASCII bytes percent-encoded.
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
    Diagnostic("unwritable", "\(path) cannot be written: \(reason)")
  }
}
