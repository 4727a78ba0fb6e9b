import Glibc
import Source

/// The folders whose definitions a person has allowed, by path and content (language §1).
///
/// A line has the hash of the content and the path, percent-encoded, so that no path can hold a
/// line of its own.
struct TrustFile {
  let path: String

  private static let header = "errand trust 2"
  /// How long another process may hold the file, in milliseconds.
  private static let patience = 10_000
  /// After how many milliseconds of waiting it is told.
  private static let silence = 2_000

  /// The hash of the content that a folder is trusted with; nil when it is not.
  func hash(of folder: String) -> String? {
    let name = Self.encoded(folder)
    guard let entry = entries().last(where: { $0.path == name }) else { return nil }
    return String(entry.hash)
  }

  private func entries() -> [(hash: Substring, path: Substring)] {
    guard let bytes = try? FileReader.bytes(of: path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first.map({ $0 == Self.header }) ?? false else { return [] }
    return lines.dropFirst().compactMap { line in
      let parts = line.split(separator: " ")
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  /// Allows a folder with this content, and no longer with another.
  ///
  /// - Parameter tellOfWait: is called once when another process has the file for long.
  /// - Throws: `unwritable` when it can't be remembered.
  func allow(
    _ folder: String, hash: String, tellOfWait: () -> Void
  ) throws(Diagnostic) {
    try PrivateFolder(path: PrivateFolder.parent(of: path)).make()
    let lock = try lock(tellOfWait)
    defer { close(lock) }
    let name = Self.encoded(folder)
    let lines = entries().filter { $0.path != name }.map { "\($0.hash) \($0.path)" }
    let text = ([Self.header] + lines + ["\(hash) \(name)"]).map { $0 + "\n" }.joined()
    guard PrivateFile(path: path).replace(Array(text.utf8), isDurable: true) else {
      throw failure(String(cString: strerror(errno)))
    }
  }

  /// Waits for the others that write the file; to close the descriptor lets them go on.
  private func lock(_ tellOfWait: () -> Void) throws(Diagnostic) -> Int32 {
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    let start = MonotonicClock.milliseconds
    var isTold = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let isLocked = errno == EWOULDBLOCK || errno == EINTR
      let waited = MonotonicClock.milliseconds - start
      guard isLocked, waited < Self.patience else {
        close(descriptor)
        throw failure("another process keeps it locked")
      }
      if waited >= Self.silence, !isTold {
        isTold = true
        tellOfWait()
      }
      usleep(5000)
    }
    return descriptor
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

  private func failure(_ reason: String) -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be written: \(reason)")
  }
}
