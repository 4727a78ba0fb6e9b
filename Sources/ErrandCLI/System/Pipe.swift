import Glibc

/// A pipe to or from another program, both ends closed when it goes away.
final class Pipe {
  private(set) var readEnd: Int32 = -1
  private(set) var writeEnd: Int32 = -1

  /// A new pipe; nil when the process can open no more files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    closeReadEnd()
    closeWriteEnd()
  }

  /// Gives up the end that is read from.
  func closeReadEnd() {
    if readEnd >= 0 { close(readEnd) }
    readEnd = -1
  }

  /// Gives up the end that is written to, by which a reader sees the end.
  func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// Writes all bytes before a deadline; false when the other program does not take them.
  func write(_ bytes: [UInt8], deadline: Int) -> Bool {
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard wait(for: writeEnd, Int16(POLLOUT), deadline) else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Reads to the end before a deadline; nil when there is more than `limit` or it takes longer.
  func readAll(limit: Int, deadline: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit, wait(for: readEnd, Int16(POLLIN), deadline) {
      let count = read(readEnd, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno != EINTR, errno != EAGAIN { return nil }
      bytes += chunk[..<max(0, count)]
    }
    return nil
  }

  private func wait(for descriptor: Int32, _ events: Int16, _ deadline: Int) -> Bool {
    while true {
      let left = deadline - MonotonicClock.milliseconds
      guard left > 0 else { return false }
      var wanted = pollfd(fd: descriptor, events: events, revents: 0)
      let result = poll(&wanted, 1, Int32(clamping: left))
      if result > 0 { return true }
      if result < 0, errno != EINTR { return false }
    }
  }
}
