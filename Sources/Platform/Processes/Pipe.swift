import CLinux
import Engine
import Glibc

/// The two ends of a pipe; -1 for an end that is closed or was never opened.
package final class Pipe {
  /// The read end.
  package private(set) var reading: Int32 = -1
  /// The write end.
  package private(set) var writing: Int32 = -1

  /// - Parameter isNeeded: Whether the pipe is opened at all.
  /// - Throws: `io` if no more descriptors are available.
  package init(isNeeded: Bool = true) throws {
    guard isNeeded else { return }
    var ends: [Int32] = [0, 0]
    guard errand_pipe(&ends) == 0 else {
      throw RunError(.io, "cannot create a pipe: \(String(cString: strerror(errno)))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    closeWriting()
  }

  /// Closes the read end.
  package func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  /// Closes the write end, which readers see as end of file.
  package func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Makes an end non-blocking.
  static func dontWait(_ descriptor: Int32) {
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }
}
