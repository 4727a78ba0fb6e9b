import CCurl
package import Engine
import Synchronization

/// An HTTP client based on libcurl that follows redirects only where that is safe.
///
/// The target Network owns all network access; only `errand-net` links it.
package final class HTTPClient: Sendable {
  private let options: ClientOptions
  private let pool = ConnectionPool()
  private let isStarted = Mutex(false)

  /// Creates a client; nothing is initialized before its first request.
  ///
  /// - Parameter environment: Returns an environment variable; nil if unset or empty.
  package init(userAgent: String, environment: @Sendable (String) -> String?) {
    options = ClientOptions(userAgent: userAgent, environment: environment)
  }

  /// The client as the interface that runs use.
  package var access: HTTPAccess { { try self.send($0, $1) } }

  /// Sends a request and follows its redirects.
  private func send(_ request: HTTPRequest, _ bounds: WaitBounds) throws -> HTTPEnd {
    try start()
    var request = request
    var url = try CurlURL(request.url)
    for count in 0... {
      try request.approve(url.host)
      let (reply, location) = try pool.with("\(url.scheme)://\(url.host):\(url.port)") {
        connection -> (HTTPReply?, String?) in
        let transfer = Transfer(request, url, on: connection)
        let reply = try transfer.run(bounds, options: options)
        return (reply, transfer.head.isRedirect ? transfer.head.location : nil)
      }
      guard let reply else { return .interrupted }
      guard let location, request.redirects > 0 else { return .reply(reply) }
      guard count < request.redirects else {
        throw Redirect.failure(
          "\(url.host) redirected more than \(request.redirects) times", reply)
      }
      (request, url) = try Redirect.next(after: reply, to: location, request, url)
    }
    return .interrupted
  }

  private func start() throws {
    try isStarted.withLock { isStarted in
      guard !isStarted else { return }
      guard errand_curl_start() == CURLE_OK else {
        throw RunError(.network, "libcurl cannot be initialized")
      }
      isStarted = true
    }
  }
}
