import Engine
import Glibc
import POSIX

/// An open file, closed when it goes out of use.
final class Descriptor {
  let number: Int32
  private let path: String

  /// Opens a file.
  ///
  /// - Throws: `RunError` with the code `io` or `not-found`.
  init(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws {
    number = open(path, flags | O_CLOEXEC, mode)
    self.path = path
    guard number >= 0 else { throw RunError.file(path) }
  }

  deinit { close(number) }

  /// What the system knows of it.
  func status() throws -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw RunError.file(path) }
    return status
  }

  /// Reads to the end.
  ///
  /// - Throws: `io` past a limit of bytes.
  func readAll(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(number, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw RunError.file(path)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > limit {
        throw RunError(.io, "\(path) is larger than \(limit >> 20) MiB")
      }
    }
  }

  /// Writes all bytes.
  func writeAll(_ bytes: [UInt8]) throws {
    errno = WholeWrite.write(bytes, to: number)
    if errno != 0 { throw RunError.file(path) }
  }

  /// Waits until what was written is on the disk.
  func sync() throws {
    guard fsync(number) == 0 else { throw RunError.file(path) }
  }
}
