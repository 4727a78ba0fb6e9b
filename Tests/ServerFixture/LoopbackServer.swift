import Glibc
import Synchronization

/// A server on the loopback address whose answers are bytes as a test gives them.
///
/// Each connection has a thread of its own, which ends when either side closes it; the server goes
/// away with the object.
public final class LoopbackServer: Sendable {
  /// The port on which it listens.
  public let port: Int
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var requests: [Request] = []
    var connections = 0
  }

  /// What a client asked for.
  public struct Request: Sendable {
    public let method: String
    /// The path with the query.
    public let target: String
    /// The headers by their names in lower case.
    public let headers: [String: String]
    public let body: String
    /// Which connection it came on, counted from 1.
    public let connection: Int
  }

  /// A server could not be started.
  public struct Failure: Error {}

  /// Starts a server that answers each request by a function.
  public convenience init(_ answer: @escaping @Sendable (Request, Peer) -> Void) throws {
    try self.init(serve: { server, number, peer in
      while peer.isOpen, let request = peer.readRequest(number) {
        server()?.state.withLock { $0.requests.append(request) }
        answer(request, peer)
      }
    })
  }

  /// Starts a server that gives each connection to a function, whatever is spoken there.
  public convenience init(connected: @escaping @Sendable (Peer) -> Void) throws {
    try self.init(serve: { _, _, peer in connected(peer) })
  }

  /// What is done with a connection, by its number from 1; the server may have gone.
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
          // Only this thread closes it: its number could be that of another server otherwise.
          close(listener)
          return
        }
        self.start(Peer(descriptor), serve)
      }
    }
  }

  deinit {
    // It wakes the thread that waits for connections.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The address of a path.
  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in the order in which they came.
  public var requests: [Request] { state.withLock { $0.requests } }

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
