import CCurl
import Engine
import Synchronization

/// The connections of a run: handles of libcurl that are not in use, each with its open
/// connections.
///
/// One handle does one request at a time, so that requests of several threads need no lock between
/// them; libcurl's own sharing of connections is not for threads (CURLOPT_SHARE(3)).
final class ConnectionPool: Sendable {
  private let idle = Mutex<[Idle]>([])

  /// A handle that waits for its next request.
  private struct Idle: @unchecked Sendable {
    // Only the thread that took it out of the pool touches the handle.
    let connection: Connection
    let origin: String
  }

  /// How many handles are kept; as many as branches may run at once.
  private static let limit = 64

  /// Lends a handle to a body, if possible one that was at this server before.
  func with<Result>(_ origin: String, _ body: (Connection) throws -> Result) throws -> Result {
    let known = idle.withLock { idle -> Idle? in
      guard let last = idle.indices.last else { return nil }
      return idle.remove(at: idle.lastIndex { $0.origin == origin } ?? last)
    }
    let connection = try known?.connection ?? Connection()
    let result = try body(connection)
    let returned = Idle(connection: connection, origin: origin)
    idle.withLock { if $0.count < Self.limit { $0.append(returned) } }
    return result
  }
}

/// A pair of libcurl's handles: one request at a time, over connections that stay open.
final class Connection {
  let easy: UnsafeMutableRawPointer
  let multi: UnsafeMutableRawPointer

  init() throws {
    guard let easy = curl_easy_init() else { throw Self.failure }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(easy)
      throw Self.failure
    }
    self.easy = easy
    self.multi = multi
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
  }

  private static var failure: RunError { RunError(.network, "there is no memory for a request") }
}
