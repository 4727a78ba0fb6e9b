import Glibc
import POSIX

/// A file that is worked on under another name beside the one that it becomes, so that a run that
/// is killed leaves nothing that passes for a whole one.
package struct WorkFile {
  /// The path for the time being.
  package let path: String
  /// The path that it is made for.
  private let destination: String

  /// The ends of the names of the files that SQLite keeps beside a database.
  private static let companions = ["", "-wal", "-shm", "-journal"]

  /// A name that is free; what runs that are dead left behind for the same file is removed.
  package init(for destination: String) {
    self.destination = destination
    path = "\(destination).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    Self.removeDead(destination)
  }

  /// Removes the file under this name, with all that SQLite keeps beside it.
  package func remove() {
    for suffix in Self.companions { unlink(path + suffix) }
  }

  /// Makes the empty file, which nobody else may read.
  ///
  /// - Throws: `io`, `full`, `readOnly`, naming what it becomes.
  package func make() throws {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Self.failure(destination, errno)
    }
    close(descriptor)
  }

  /// Gives the file its name.
  ///
  /// - Throws: `conflict` when there is one already, `io`.
  package func publish() throws {
    try publish(as: destination)
  }

  /// Gives the file another name than the one that it was made for; false when that is taken.
  ///
  /// It is on the disk, with its name, when this ends.
  /// - Throws: `full`, `io`.
  func publish(ifFree name: String) throws -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure(name, errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw Self.failure(name, errno) }
    guard link(path, name) == 0 else {
      let code = errno
      if code == EEXIST { return false }
      throw Self.failure(name, code)
    }
    guard Folder.sync(Folder.parent(of: name)) == 0 else {
      throw Self.failure(name, errno)
    }
    return true
  }

  private func publish(as name: String) throws {
    guard try publish(ifFree: name) else { throw Self.taken(name) }
  }

  /// The error for a file that cannot be written.
  static func failure(_ name: String, _ code: Int32) -> StoreError {
    code == ENOSPC || code == EDQUOT || code == EFBIG
      ? StoreError(
        .full,
        "the disk or your quota is full: “\(name)” was not written, and nothing was changed; free "
          + "some space and try again")
      : StoreError(.io, "cannot write “\(name)” (\(String(cString: strerror(code))))")
  }

  /// What is said of a name that is not free.
  package static func taken(_ path: String) -> StoreError {
    StoreError(.conflict, "“\(path)” is there already: name a new file")
  }

  /// Removes the files for the same destination whose process is gone.
  static func removeDead(_ destination: String) {
    for file in dead(for: destination) { unlink(file) }
  }

  /// The paths of the files for a destination whose process is gone, which nobody needs.
  package static func dead(for destination: String) -> [String] {
    let slash = destination.lastIndex(of: "/")
    let folder = slash.map { String(destination[...$0]) } ?? "./"
    let name = slash.map { destination[destination.index(after: $0)...] } ?? destination[...]
    var dead: [String] = []
    for file in Folder.names(in: folder) ?? [] {
      guard file.hasPrefix(name + "."), let process = process(of: file.dropFirst(name.utf8.count))
      else { continue }
      if process != getpid(), kill(process, 0) != 0, errno == ESRCH { dead.append(folder + file) }
    }
    return dead.sorted()
  }

  /// The process that a name like `.12.345.new-wal` tells; a backup's has its date before that.
  private static func process(of end: Substring) -> pid_t? {
    guard let suffix = companions.first(where: { end.hasSuffix(".new" + $0) }) else { return nil }
    let parts = end.dropLast(4 + suffix.count).split(separator: ".")
    guard (1...4).contains(parts.count), UInt32(parts[parts.count - 1]) != nil else { return nil }
    return pid_t(parts[max(0, parts.count - 2)])
  }
}
