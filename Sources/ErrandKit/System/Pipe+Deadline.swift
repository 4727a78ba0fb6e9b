import CLinux
import Glibc
import POSIX
import Platform

/// Reading with a deadline, for programs that may not end.
extension Pipe {
  /// Reads to the end; nil if there is more than `limit` or the deadline, in milliseconds, passes.
  package func readAll(limit: Int, deadline: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit, isReadable(before: deadline) {
      let count = read(reading, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno != EINTR, errno != EAGAIN { return nil }
      bytes += chunk[..<max(0, count)]
    }
    return nil
  }

  private func isReadable(before deadline: Int) -> Bool {
    var wanted = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    while MonotonicClock.milliseconds < deadline {
      if MonotonicClock.wait(&wanted, until: Int64(deadline) * 1_000_000) { return true }
    }
    return false
  }
}
