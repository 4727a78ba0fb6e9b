import Glibc

/// The process that holds the lock of a store's writers.
package struct LockHolder: Hashable, Sendable {
  /// Its number.
  package let process: Int32
  /// The name of its program; nil when that is not to be known.
  package let name: String?

  /// The byte of the file of shared memory that a writer locks (SQLite, "WAL-mode File Format", §2.3.1).
  private static let writerByte = "120"

  /// Looks up who holds the lock of the store at a path; nil where the system does not tell.
  package init?(ofStore path: String) {
    var status = stat()
    guard stat(path + "-shm", &status) == 0, let locks = Self.text(of: "/proc/locks") else {
      return nil
    }
    let inode = String(status.st_ino)
    for line in locks.split(separator: "\n") {
      // 1: POSIX  ADVISORY  WRITE 4711 08:01:123456 120 120 (proc_locks(5))
      let words = line.split(separator: " ")
      guard words.count >= 8, words[1] == "POSIX", words[3] == "WRITE",
        words[5].split(separator: ":").last.map(String.init) == inode,
        words[6] == Self.writerByte, let process = Int32(words[4]), process > 0
      else { continue }
      self.process = process
      name = Self.text(of: "/proc/\(process)/comm").map {
        String($0.prefix { !$0.isNewline })
      }
      return
    }
    return nil
  }

  /// The beginning of a file of the system; nil when it cannot be read.
  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      length += count
    }
    return length == 0 ? nil : String(decoding: bytes[..<length], as: UTF8.self)
  }
}
