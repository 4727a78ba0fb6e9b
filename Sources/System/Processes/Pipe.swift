import CLinux
import Engine
import Glibc

/// Both ends of a pipe; ours never wait. -1 for an end that is closed, or was never there.
package final class Pipe {
  /// The end that is read from.
  package private(set) var reading: Int32 = -1
  /// The end that is written to.
  package private(set) var writing: Int32 = -1

  /// - Parameter isNeeded: whether there is to be one at all.
  /// - Throws: `io` when the process can open no more files.
  package init(isNeeded: Bool = true) throws {
    guard isNeeded else { return }
    var ends: [Int32] = [0, 0]
    guard errand_pipe(&ends) == 0 else {
      throw RunError(.io, "a program can't be reached: \(String(cString: strerror(errno)))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    closeWriting()
  }

  /// Gives up the end that is read from.
  package func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  /// Gives up the end that is written to, by which a reader sees the end.
  package func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Makes the end that stays here not wait.
  static func dontWait(_ descriptor: Int32) {
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }
}
