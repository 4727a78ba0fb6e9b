import CCurl
import Engine
import Synchronization

/// The connections of a run: idle handles of libcurl, each with its open connections.
///
/// A handle does one request at a time, so requests of several threads need no lock between them; libcurl's sharing of
/// connections is not thread-safe (CURLOPT_SHARE(3)).
final class ConnectionPool: Sendable {
  private let idle = Mutex<[Idle]>([])

  /// An idle handle.
  private struct Idle: @unchecked Sendable {
    // Only the thread that takes it from the pool uses the handle.
    let connection: Connection
    let origin: String
  }

  /// Maximum number of idle handles; equals the maximum number of parallel branches.
  private static let limit = 64

  /// Lends a handle to `body`, preferring one that is connected to this origin.
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

/// A pair of libcurl handles that does one request at a time and keeps its connections open.
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

  private static var failure: RunError { RunError(.network, "out of memory for a request") }
}
