import CLinux
import Engine
import Glibc
import POSIX

/// A file that is read in chunks, and closed in `deinit` if it was opened here.
package final class InputFile {
  package let descriptor: Int32
  /// The file opened here; nil if the caller owns the descriptor.
  private let opened: Descriptor?
  /// The name in messages.
  package let name: String
  /// The bytes of several files; nil for one file.
  private let held: [UInt8]?
  private var place = 0

  /// Wraps standard input or another descriptor that the caller closes.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    (opened, held) = (nil, nil)
  }

  /// Opens a file.
  ///
  /// - Parameter shown: The name in messages; nil for the path.
  /// - Throws: `io`.
  package init(path: String, name shown: String? = nil) throws {
    let path = path.utf8.contains(0) ? "" : path
    name = shown ?? path
    held = nil
    do {
      let file = try Descriptor(input: path)
      (opened, descriptor) = (file, file.number)
    } catch {
      throw Self.failure(name, error.code)
    }
  }

  /// Wraps bytes that were read from several files.
  init(bytes: [UInt8], name: String) {
    (descriptor, opened, held) = (-1, nil, bytes)
    self.name = name
  }

  /// The size in bytes; nil if it is unknown, as for a pipe.
  package var size: Int? {
    if let held { return held.count }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isRegular else { return nil }
    return Int(status.st_size)
  }

  /// Seeks to the beginning; false if that is not possible, as for a pipe.
  package func rewind() -> Bool {
    place = 0
    return held != nil || lseek(descriptor, 0, SEEK_SET) == 0
  }

  /// Reads into `buffer` and returns the number of bytes, 0 at the end.
  ///
  /// - Throws: `io`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    if let held {
      let count = min(buffer.count, held.count - place)
      buffer.copyBytes(from: held[place..<(place + count)])
      place += count
      return count
    }
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
    let error = SystemError(name, code)
    return RunError(.io, "\(name) cannot be read: \(error.reason)", help: error.inputHelp)
  }
}
