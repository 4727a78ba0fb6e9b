import Glibc
import POSIX

/// A temporary file beside its destination, so that a killed process never leaves a partial file
/// under the final name.
package struct WorkFile {
  /// The temporary path.
  package let path: String
  /// The final path.
  private let destination: String
  private let failure: (_ name: String, _ code: Int32) -> StoreError

  /// The suffixes of the files that SQLite keeps beside a database.
  private static let companions = ["", "-wal", "-shm", "-journal"]

  /// Creates the empty file, readable only by its owner, under a unique name; leftovers of dead
  /// processes for the same destination are removed.
  ///
  /// - Parameter failure: Makes the error for a name that cannot be written.
  /// - Throws: `io`, `full`, or the error of `failure`, naming the destination.
  package init(
    for destination: String, failure: @escaping (String, Int32) -> StoreError = Self.failure
  ) throws {
    self.destination = destination
    self.failure = failure
    path = "\(destination).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    for file in Self.dead(for: destination) { unlink(file) }
    do { _ = try Descriptor(path, O_CREAT | O_EXCL | O_RDWR) } catch {
      throw failure(destination, error.code)
    }
  }

  /// Removes the file together with SQLite's files beside it.
  package func remove() { for suffix in Self.companions { unlink(path + suffix) } }

  /// Links the file to its final name.
  ///
  /// - Throws: `conflict` when that exists, `io`.
  package func publish() throws {
    guard try publish(ifFree: destination) else { throw Self.taken(destination) }
  }

  /// Links the file to its final or another name; returns false when that exists.
  ///
  /// The file and its name are synced to disk on return.
  /// - Throws: `full`, `io`.
  func publish(ifFree name: String) throws -> Bool {
    do { try Descriptor(path, O_RDONLY).sync() } catch { throw failure(name, error.code) }
    guard link(path, name) == 0 else {
      let code = errno
      if code == EEXIST { return false }
      throw failure(name, code)
    }
    let code = Folder.sync(Folder.parent(of: name))
    guard code == 0 else { throw failure(name, code) }
    return true
  }

  /// The error for a file that cannot be written.
  package static func failure(_ name: String, _ code: Int32) -> StoreError {
    code == ENOSPC || code == EDQUOT || code == EFBIG
      ? StoreError(
        .full,
        "the disk or your quota is full: “\(name)” was not written, and nothing was changed; free "
          + "some space and try again")
      : StoreError(.io, "cannot write “\(name)” (\(String(cString: strerror(code))))")
  }

  /// The error for a name that is taken.
  package static func taken(_ path: String) -> StoreError {
    StoreError(.conflict, "“\(path)” already exists: choose another name")
  }

  /// The leftover files of dead processes for a destination.
  package static func dead(for destination: String) -> [String] {
    besides(destination).filter { _, end in
      guard let process = process(of: end), process != getpid() else { return false }
      return kill(process, 0) != 0 && errno == ESRCH
    }.map(\.path).sorted()
  }

  /// The files whose names start with another's name and a dot, with the rest of their names.
  static func besides(_ path: String) -> [(path: String, end: Substring)] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let name = path[(slash.map(path.index(after:)) ?? path.startIndex)...] + "."
    return (Folder.names(in: folder) ?? []).filter { $0.hasPrefix(name) }
      .map { (folder + $0, $0.dropFirst(name.count)) }
  }

  /// The process id in a suffix like `12.345.new-wal`; a backup's suffix starts with its date.
  private static func process(of end: Substring) -> pid_t? {
    guard let suffix = companions.first(where: { end.hasSuffix(".new" + $0) }) else { return nil }
    let parts = end.dropLast(4 + suffix.count).split(separator: ".")
    guard (1...4).contains(parts.count), UInt32(parts[parts.count - 1]) != nil else { return nil }
    return pid_t(parts[max(0, parts.count - 2)])
  }
}
