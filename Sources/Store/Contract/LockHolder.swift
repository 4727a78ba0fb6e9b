import Glibc
import POSIX

/// The process that holds a store's write lock.
package struct LockHolder: Hashable, Sendable {
  /// The process id.
  package let process: Int32
  /// The program's name; nil when it is unknown.
  package let name: String?

  /// The byte of the shared-memory file that writers lock (SQLite, "WAL-mode File Format", §2.3.1).
  private static let writerByte = "120"

  /// Looks up who holds the write lock of the store at a path; nil when the system does not say.
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
      name = Self.text(of: "/proc/\(process)/comm").map { String($0.prefix { !$0.isNewline }) }
      return
    }
    return nil
  }

  /// The text of a system file; nil when it is unreadable or empty.
  private static func text(of path: String) -> String? {
    guard let bytes = try? Descriptor(path, O_RDONLY).bytes(limit: .max), !bytes.isEmpty else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
