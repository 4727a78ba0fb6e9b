import CLinux
import ErrandKit
import Glibc
import MCP
import Synchronization

/// A session of the Model Context Protocol, with its own thread and definitions.
///
/// The serving thread enqueues messages and dequeues the replies to the client.
final class AssistantSession: Sendable {
  /// A message for the client, and the id of the request on whose response it belongs.
  typealias Output = (request: JSONValue?, message: JSONValue)

  private struct State {
    var inbox: [[UInt8]] = []
    var outbox: [Output] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let open: @Sendable () throws -> MCPServer
  /// Readable when the thread has something to do.
  private let wake = errand_eventfd()
  /// Readable when there are replies for the serving thread.
  private let done: Int32

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - done: Written to when there are messages for the client.
  ///   - open: Makes the server, on the thread.
  init(done: Int32, open: @escaping @Sendable () throws -> MCPServer) {
    self.done = done
    self.open = open
    let context = Unmanaged.passRetained(self).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<AssistantSession>.fromOpaque(context).takeRetainedValue().serve()
        return nil
      }, context)
    if status == 0 {
      pthread_detach(thread)
    } else {
      Unmanaged<AssistantSession>.fromOpaque(context).release()
    }
  }

  deinit { Glibc.close(wake) }

  /// Enqueues a message of the client.
  func take(_ bytes: [UInt8]) {
    state.withLock { $0.inbox.append(bytes) }
    Self.signal(wake)
  }

  /// Removes and returns the messages for the client.
  func outputs() -> [Output] {
    state.withLock { state in
      defer { state.outbox = [] }
      return state.outbox
    }
  }

  /// Ends the thread, and with it the session's runs.
  func close() {
    state.withLock { $0.isClosed = true }
    Self.signal(wake)
  }

  private static func signal(_ descriptor: Int32) {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  private func serve() {
    let server: MCPServer
    do { server = try open() } catch {
      // Each request is answered with the error.
      return refuse(error)
    }
    while true {
      var polled = ([wake] + server.descriptors).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&polled, nfds_t(polled.count), 60_000)
      guard let messages = messages() else { return }
      for message in messages { put(server.take(message), server) }
      put(server.advance(), server)
    }
  }

  /// The messages enqueued since; nil once the session is closed.
  private func messages() -> [[UInt8]]? {
    var count: UInt64 = 0
    _ = read(wake, &count, 8)
    return state.withLock { state in
      defer { state.inbox = [] }
      return state.isClosed ? nil : state.inbox
    }
  }

  private func put(_ messages: [JSONValue], _ server: MCPServer) {
    guard !messages.isEmpty else { return }
    let outputs = messages.map { (server.request(behind: $0), $0) }
    state.withLock { $0.outbox += outputs }
    Self.signal(done)
  }

  private func refuse(_ error: any Error) {
    while true {
      var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
      _ = poll(&polled, 1, 60_000)
      guard let messages = messages() else { return }
      for bytes in messages {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let id = (try? JSONValue(parsing: text))?["id"] else { continue }
        let message: JSONValue = [
          "jsonrpc": "2.0", "id": id,
          "error": ["code": -32_603, "message": .string("\(error)")],
        ]
        state.withLock { $0.outbox.append((id, message)) }
      }
      Self.signal(done)
    }
  }
}
