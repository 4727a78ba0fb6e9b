import Glibc
import Synchronization

/// A server on the loopback address that sends bytes chosen by the test.
///
/// Each connection has its own thread, which ends when either side closes it. The server stops when
/// the object is released.
package final class LoopbackServer: Sendable {
  /// The port.
  package let port: Int
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var requests: [Request] = []
    var connections = 0
  }

  /// A client's request.
  package struct Request: Sendable {
    package let method: String
    /// The path, including the query.
    package let target: String
    /// The headers by lower-case name.
    package let headers: [String: String]
    package let body: String
    /// The number of the connection, from 1.
    package let connection: Int
  }

  /// Starting the server failed.
  package struct Failure: Error {}

  /// Starts a server that answers each request by calling a function.
  package convenience init(_ answer: @escaping @Sendable (Request, Peer) -> Void) throws {
    try self.init(serve: { server, number, peer in
      while peer.isOpen, let request = peer.readRequest(number) {
        server()?.state.withLock { $0.requests.append(request) }
        answer(request, peer)
      }
    })
  }

  /// Starts a server that passes each connection to a function, for any protocol.
  package convenience init(connected: @escaping @Sendable (Peer) -> Void) throws {
    try self.init(serve: { _, _, peer in connected(peer) })
  }

  /// Serves a connection, given its number from 1; the server may have been released.
  private typealias Service = @Sendable (_ server: () -> LoopbackServer?, Int, Peer) -> Void

  private init(serve: @escaping Service) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard bind(listener, address, length) == 0, listen(listener, 128) == 0 else { return -1 }
        return getsockname(listener, address, &length)
      }
    }
    self.listener = listener
    guard status == 0 else { throw Failure() }
    port = Int(UInt16(bigEndian: address.sin_port))
    try Self.start { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0, let self else {
          // Only this thread closes it: elsewhere, the descriptor could already belong to another
          // server.
          close(listener)
          return
        }
        self.start(Peer(descriptor), serve)
      }
    }
  }

  deinit {
    // Wakes the thread that waits for connections.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The URL for a path.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in order.
  package var requests: [Request] { state.withLock { $0.requests } }

  private func start(_ peer: Peer, _ serve: @escaping Service) {
    let number = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    try? Self.start { [weak self] in
      serve({ self }, number, peer)
      peer.hangUp()
    }
  }

  private final class Job {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping () -> Void) throws {
    let job = Unmanaged.passRetained(Job(body)).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, job)
    guard status == 0 else {
      Unmanaged<Job>.fromOpaque(job).release()
      throw Failure()
    }
    pthread_detach(thread)
  }
}
