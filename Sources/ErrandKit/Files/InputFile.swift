import CLinux
import Engine
import Glibc

/// A file that is read piece by piece, and closed at the end if it was opened here.
package final class InputFile {
  package let descriptor: Int32
  private let isOwned: Bool
  /// What messages call it.
  package let name: String

  /// Standard input, or another descriptor that somebody else closes.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    isOwned = false
  }

  /// Opens a file.
  ///
  /// - Throws: `io`.
  package init(path: String) throws {
    let path = path.utf8.contains(0) ? "" : path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    name = path
    isOwned = true
    if descriptor < 0 { throw Self.failure(path, errno) }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// How many bytes it has; nil when that is not known, as for a pipe.
  package var size: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Goes back to the beginning; false where that is impossible, as for a pipe.
  package func rewind() -> Bool { lseek(descriptor, 0, SEEK_SET) == 0 }

  /// Fills a part of a buffer and gives how many bytes it put there, 0 at the end.
  ///
  /// - Throws: `io`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        throw Self.failure(name, errno)
      }
    }
  }

  private static func failure(_ name: String, _ code: Int32) -> RunError {
    RunError(.io, "\(name) can't be read: \(String(cString: strerror(code)))")
  }
}
