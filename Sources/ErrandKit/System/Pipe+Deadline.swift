import CLinux
import Glibc
import POSIX
import System

/// Talks through a pipe with a program that may not listen.
extension Pipe {
  /// Writes all bytes before a deadline; false when the other program does not take them.
  package func write(_ bytes: [UInt8], deadline: Int) -> Bool {
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard wait(for: writing, Int16(POLLOUT), deadline) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Reads to the end before a deadline; nil when there is more than `limit` or it takes longer.
  package func readAll(limit: Int, deadline: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit, wait(for: reading, Int16(POLLIN), deadline) {
      let count = read(reading, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno != EINTR, errno != EAGAIN { return nil }
      bytes += chunk[..<max(0, count)]
    }
    return nil
  }

  private func wait(for descriptor: Int32, _ events: Int16, _ deadline: Int) -> Bool {
    var wanted = [pollfd(fd: descriptor, events: events, revents: 0)]
    while MonotonicClock.milliseconds < deadline {
      if MonotonicClock.wait(&wanted, until: Int64(deadline) * 1_000_000) { return true }
    }
    return false
  }
}
