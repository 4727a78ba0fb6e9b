import CEL
import Glibc
import POSIX

/// Reads messages from a descriptor and writes the server's messages to another.
package struct ServerLoop {
  private let server: LSPServer
  private let input: Int32
  private let output: Int32
  private var reader = MessageReader()
  /// When to check other documents again; nil after a check.
  private var othersAreDue: Int64?

  /// Idle time before other documents are checked.
  private static let pause = Duration.milliseconds(150)

  package init(_ server: LSPServer, input: Int32, output: Int32) {
    self.server = server
    self.input = input
    self.output = output
  }

  /// Serves the client until `exit` or the end of input; returns the exit status.
  package mutating func run() -> Int32 {
    while true {
      guard let isOpen = readMore() else { continue }
      // Messages that arrived together are handled together, and documents checked once.
      var parts: [MessageReader.Part] = []
      while let part = reader.next() { parts.append(part) }
      let cancelled = Self.cancelled(in: parts)
      for part in parts {
        if case .message(let message) = part, let id = message["id"], message["method"] != nil,
          cancelled.contains(id)
        {
          guard write([LSPServer.cancelled(id)]) else { return 1 }
          continue
        }
        guard write(server.take(part)) else { return 1 }
        if let status = server.exitStatus { return status }
      }
      if server.hasUncheckedText {
        guard write(server.checkChanged()) else { return 1 }
        othersAreDue = MonotonicClock.nanoseconds + Self.pause.nanoseconds
      }
      if !isOpen { return 1 }
    }
  }

  /// Reads available input; false at its end, nil on interruption or idle time.
  private mutating func readMore() -> Bool? {
    var polled = [pollfd(fd: input, events: Int16(POLLIN), revents: 0)]
    if !MonotonicClock.wait(&polled, until: othersAreDue), let due = othersAreDue,
      MonotonicClock.nanoseconds >= due
    {
      othersAreDue = nil
      return write(server.checkOthers()) ? nil : false
    }
    if polled[0].revents == 0 { return nil }
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = Glibc.read(input, &chunk, chunk.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? nil : false }
    reader.append(chunk[..<count])
    return count > 0
  }

  private static func cancelled(in parts: [MessageReader.Part]) -> Set<Value> {
    var ids: Set<Value> = []
    for case .message(let message) in parts where message["method"]?.string == "$/cancelRequest" {
      if let id = message["params"]?["id"] { ids.insert(id) }
    }
    return ids
  }

  private func write(_ messages: [Value]) -> Bool {
    messages.isEmpty
      || WholeWrite.write(messages.flatMap(MessageReader.bytes), to: output) == 0
  }
}
