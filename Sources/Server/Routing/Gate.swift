import Source

/// The checks of a request before its body is read: host, origin, resource, token, scope, size.
package struct Gate {
  /// The values of `Host` that are ours; nil on a socket, which browsers cannot reach.
  private let hosts: Set<String>?
  private let origins: Set<String>
  private var tokens: KnownTokens
  private let now: () -> Int64

  /// An admitted request.
  package struct Visit: Sendable {
    package let route: Route
    /// The token; nil where none is needed.
    let token: Token?
    /// The maximum size of the body in bytes.
    package let bodyLimit: Int
  }

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - port: The port on the loopback address; nil for a socket.
  ///   - proxy: The URL at which a proxy serves the API; nil for none.
  ///   - now: Returns the time in seconds since 1970.
  package init(port: Int?, proxy: String?, tokens: TokenFile, now: @escaping () -> Int64) {
    var hosts: Set<String> = []
    if let port { hosts = ["127.0.0.1:\(port)", "localhost:\(port)"] }
    origins = Set(hosts.map { "http://" + $0 } + [proxy].compactMap { $0 })
    if let proxy, let start = proxy.firstRange(of: "://")?.upperBound {
      hosts.insert(String(proxy[start...]))
    }
    self.hosts = port == nil ? nil : hosts
    self.tokens = KnownTokens(tokens)
    self.now = now
  }

  /// Admits a request.
  ///
  /// - Throws: The problem to answer with.
  package mutating func admit(_ head: RequestHead?) throws(Problem) -> Visit {
    guard let head else { throw Problem(400, "invalid-value", "the request target is not valid") }
    try expectOurs(head)
    guard let route = Route(head.path) else {
      throw Problem(404, "not-found", "there is nothing at this path")
    }
    let method = head.method == "HEAD" ? "GET" : head.method
    guard route.methods.contains(method) else {
      var problem = Problem(405, "not-allowed", "\(head.method.prefix(20)) is not possible here")
      let names = route.methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
      problem.headers = [("Allow", names.joined(separator: ", "))]
      throw problem
    }
    let isForm = head.mediaType == "multipart/form-data"
    let limit =
      method == "GET"
      ? 0 : route.bodyLimit(isForm: isForm, isJSON: head.mediaType == "application/json")
    let token = route == .health ? nil : try token(head)
    if let token, !route.isAllowed(token.scope, method: method) {
      throw Problem(
        403, "not-allowed", "a token with the scope `\(token.scope.rawValue)` cannot do this",
        help: "create one with `errand serve token create`")
    }
    try Self.expectSize(head, limit)
    return Visit(route: route, token: token, bodyLimit: limit)
  }

  /// Refuses requests that a browser makes for another site, and ambiguous framing.
  private func expectOurs(_ head: RequestHead) throws(Problem) {
    // An attacker's name may resolve to 127.0.0.1 (DNS rebinding).
    guard let host = head.header("host"), hosts?.contains(host.lowercased()) ?? true else {
      throw Problem(
        421, "denied", "this server does not serve the host of the request",
        help: "use the address that `errand serve` prints")
    }
    let sites = head.all("sec-fetch-site")
    guard head.all("origin").allSatisfy(origins.contains),
      sites.allSatisfy({ $0 == "none" || $0 == "same-origin" })
    else { throw Problem(403, "denied", "requests of other sites are refused") }
    // Two parsers that disagree about the end of a body are an attack (RFC 9112 §11.2).
    let lengths = head.all("content-length")
    let codings = head.all("transfer-encoding")
    guard lengths.count + codings.count <= 1, codings.allSatisfy({ $0.lowercased() == "chunked" })
    else { throw Problem(400, "invalid-value", "the length of the body is ambiguous") }
  }

  private mutating func token(_ head: RequestHead) throws(Problem) -> Token {
    let words = head.header("authorization")?.split(separator: " ") ?? []
    if words.count == 2, words[0].lowercased() == "bearer",
      let token = tokens.token(withSecret: String(words[1]))
    {
      if token.isValid(at: now()) { return token }
      throw Self.unauthorized("the token has expired")
    }
    throw Self.unauthorized(
      words.isEmpty ? "a token is needed" : "the token is not valid")
  }

  private static func unauthorized(_ detail: String) -> Problem {
    var problem = Problem(
      401, "denied", detail,
      help: "send `Authorization: Bearer TOKEN` with one of `errand serve token create`")
    problem.headers = [("WWW-Authenticate", "Bearer")]
    return problem
  }

  private static func expectSize(_ head: RequestHead, _ limit: Int) throws(Problem) {
    guard let text = head.header("content-length") else { return }
    guard let length = Int(text), length >= 0 else {
      throw Problem(400, "invalid-value", "the length of the body is not valid")
    }
    if length > limit { throw tooLarge(limit) }
  }

  /// The problem of a body above a limit.
  package static func tooLarge(_ limit: Int) -> Problem {
    limit == 0
      ? Problem(413, "invalid-value", "this request cannot have a body")
      : Problem(413, "invalid-value", "the body is larger than \(limit >> 20) MiB")
  }
}
