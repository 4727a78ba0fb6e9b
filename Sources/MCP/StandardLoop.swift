import ErrandKit
import Glibc
import POSIX

/// Serves one client over two descriptors, one message a line.
package struct StandardLoop {
  private let server: MCPServer
  private let input: Int32
  private let output: Int32
  private var reader = MessageReader()

  package init(_ server: MCPServer, input: Int32, output: Int32) {
    self.server = server
    self.input = input
    self.output = output
  }

  /// Serves the client until its end of input; runs that are not done end with the server.
  ///
  /// Returns false if the client cannot be written to.
  package mutating func run() -> Bool {
    while true {
      var polled = ([input] + server.descriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if poll(&polled, nfds_t(polled.count), 60_000) < 0 { continue }
      if polled[0].revents != 0 {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(input, &chunk, chunk.count)
        if count == 0 { return true }
        if count < 0 {
          if errno == EINTR || errno == EAGAIN { continue }
          return true
        }
        reader.append(chunk[..<count])
        while let line = reader.next() {
          guard write(server.take(line)) else { return false }
        }
      }
      guard write(server.advance()) else { return false }
    }
  }

  private func write(_ messages: [JSONValue]) -> Bool {
    messages.isEmpty
      || WholeWrite.write(messages.flatMap(MessageReader.bytes), to: output) == 0
  }
}
