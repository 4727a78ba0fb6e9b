import CCurl
package import Engine
import Synchronization

/// Makes requests by libcurl, and follows redirects where that is safe.
package final class HTTPClient: Sendable {
  private let options: ClientOptions
  private let pool = ConnectionPool()
  private let isStarted = Mutex(false)

  /// A client; nothing is done before its first request.
  ///
  /// - Parameter environment: a variable of the process; nil when it is unset or empty.
  package init(userAgent: String, environment: @Sendable (String) -> String?) {
    options = ClientOptions(userAgent: userAgent, environment: environment)
  }

  /// What makes the requests of a run.
  package var access: HTTPAccess { { try self.send($0, $1) } }

  /// Makes a request, and those to which its redirects lead.
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
        throw RunError(.network, "libcurl can't be used here")
      }
      isStarted = true
    }
  }
}
