import Source

/// The checks of a request before its body is read: host, origin, resource, token or cookies, scope,
/// size.
package struct Authorizer {
  /// The values of `Host` at which programs use the API; nil on a socket, which browsers cannot
  /// reach.
  private let hosts: Set<String>?
  private let origins: Set<String>
  /// The values of `Host` at which browsers get the page, and their origins.
  private let sites: Set<String>
  private let siteOrigins: Set<String>
  private var tokens: KnownTokens
  /// The signed-in browsers.
  var browsers: BrowserSessions
  private let now: () -> Int64
  /// The requests to webhooks in the current minute, by token.
  private var hooks: (minute: Int64, counts: [String: Int]) = (0, [:])
  /// The maximum number of requests to webhooks in a minute, for each token.
  private static let hooksPerMinute = 60

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - port: The port on the loopback address; nil for a socket.
  ///   - proxy: The URL at which a proxy serves the API and the page; nil for none.
  ///   - site: The name of the page.
  ///   - now: Returns the time in seconds since 1970.
  init(
    port: Int?, proxy: String?, site: Site, tokens: TokenFile, browsers: BrowserSessions,
    now: @escaping () -> Int64
  ) {
    var hosts: Set<String> = []
    var sites: Set<String> = []
    if let port {
      hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
      sites = ["\(site.host):\(port)"]
    }
    origins = Set(hosts.map { "http://" + $0 } + [proxy].compactMap { $0 })
    siteOrigins = Set(sites.map { "http://" + $0 } + [proxy].compactMap { $0 })
    if let proxy, let start = proxy.firstRange(of: "://")?.upperBound {
      hosts.insert(String(proxy[start...]))
      sites.insert(String(proxy[start...]))
    }
    self.hosts = port == nil ? nil : hosts
    self.sites = sites
    self.tokens = KnownTokens(tokens)
    self.browsers = browsers
    self.now = now
  }

  /// Admits a request.
  ///
  /// - Throws: The problem to answer with.
  package mutating func admit(_ head: RequestHead?) throws(Problem) -> AdmittedRequest {
    guard let head else {
      throw Problem(400, "invalid-value", "the target or a header of the request is not valid")
    }
    let isSite = try isSite(head)
    try Self.expectFraming(head)
    let endpoints = Router.endpoints(at: head.path, isPage: isSite && !Self.isForPrograms(head))
    guard let first = endpoints.first else {
      throw Problem(404, "not-found", "there is nothing at this path")
    }
    let method = head.method == "HEAD" ? "GET" : head.method
    if !first.isFromAnywhere { try expectOrigin(head, isSite: isSite, method: method) }
    guard let endpoint = endpoints.first(where: { $0.method.rawValue == method }) else {
      var problem = Problem(405, "not-allowed", "\(head.method.prefix(20)) is not possible here")
      let names = endpoints.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
      problem.headers = [("Allow", names.joined(separator: ", "))]
      throw problem
    }
    var request = AdmittedRequest(endpoint: endpoint, head: head)
    if let scope = endpoint.scope {
      let token: Token
      if scope == .hook {
        token = try hook(head)
      } else if scope == .calendar {
        token = try subscription(head)
      } else if isSite, head.all("authorization").isEmpty {
        (request.session, token) = try browser(head, method: method)
      } else {
        token = try self.token(head)
      }
      guard token.scope.includes(scope) else {
        throw Problem(
          403, "not-allowed", "a token with the scope `\(token.scope.rawValue)` cannot do this",
          help: "create one with `errand serve token create`")
      }
      request.token = token
    }
    try Self.expectSize(head, request.bodyLimit)
    return request
  }

  /// Whether a request is for the page, so that a person reads the response.
  func isPage(_ head: RequestHead) -> Bool {
    (try? isSite(head)) == true && !Self.isForPrograms(head)
  }

  /// Whether the path of a request is one for programs also on the host of the page.
  private static func isForPrograms(_ head: RequestHead) -> Bool {
    head.path.first.map { ["api", "hooks", "calendar"].contains($0) } ?? false
  }

  /// Whether a request is for the host of the page; refuses unknown hosts.
  private func isSite(_ head: RequestHead) throws(Problem) -> Bool {
    // An attacker's name may resolve to 127.0.0.1 (DNS rebinding).
    guard let host = head.header("host")?.lowercased(),
      sites.contains(host) || hosts?.contains(host) ?? true
    else {
      throw Problem(
        421, "denied", "this server does not serve the host of the request",
        help: "use the address that `errand serve` prints")
    }
    return sites.contains(host)
  }

  /// Refuses cross-site browser requests; modifying requests to the site need an `Origin` header or
  /// a token.
  private func expectOrigin(
    _ head: RequestHead, isSite: Bool, method: String
  ) throws(Problem) {
    let origins = head.all("origin")
    let isOurs = origins.allSatisfy((isSite ? siteOrigins : self.origins).contains)
    let isKnown =
      !isSite || method == "GET" || !origins.isEmpty || !head.all("authorization").isEmpty
    // A link on another site may lead to the page.
    let isFollowed = isSite && method == "GET" && head.header("sec-fetch-mode") == "navigate"
    let sources = head.all("sec-fetch-site")
    guard isOurs, isKnown,
      isFollowed || sources.allSatisfy({ $0 == "none" || $0 == "same-origin" })
    else { throw Problem(403, "denied", "requests of other sites are refused") }
  }

  /// Refuses ambiguous framing: two parsers that disagree about the end of a body are an attack
  /// (RFC 9112 §11.2).
  private static func expectFraming(_ head: RequestHead) throws(Problem) {
    let lengths = head.all("content-length")
    let codings = head.all("transfer-encoding")
    guard lengths.count + codings.count <= 1, codings.allSatisfy({ $0.lowercased() == "chunked" })
    else { throw Problem(400, "invalid-value", "the length of the body is ambiguous") }
  }

  /// The session of a signed-in browser and its permission: one cookie allows reading; changes need
  /// both cookies and the form's token.
  private mutating func browser(
    _ head: RequestHead, method: String
  ) throws(Problem) -> (BrowserSessions.Session, Token) {
    guard let (session, mayAct) = browsers.session(head, at: now()) else {
      throw Problem(
        401, "denied", "this browser is not signed in", help: "run `errand serve --open`")
    }
    let isDevice = session.device != nil
    if method == "GET" { return (session, .browser(.read, isDevice: isDevice)) }
    guard mayAct else {
      throw Problem(403, "denied", "this was not sent from the page", help: "load the page again")
    }
    // The token of a form of the page is in its body, and checked there.
    if head.path.first == "api" {
      guard let form = head.header("x-errand-form"), session.isForm(form) else {
        throw Problem(403, "denied", "the form's token is missing", help: "load the page again")
      }
    }
    guard !isDevice || DeviceRules.allow(head.path) else { throw DeviceRules.refusal }
    return (session, .browser(.all, isDevice: isDevice))
  }

  /// The token of a webhook: its name and secret are the path.
  private mutating func hook(_ head: RequestHead) throws(Problem) -> Token {
    guard head.path.count == 3, let token = tokens.token(withSecret: head.path[2]),
      token.scope == .hook, token.only.contains(head.path[1]), token.isValid(at: now())
    else { throw Problem(404, "not-found", "there is nothing at this path") }
    let minute = now() / 60
    if hooks.minute != minute { hooks = (minute, [:]) }
    hooks.counts[token.id, default: 0] += 1
    guard hooks.counts[token.id, default: 0] <= Self.hooksPerMinute else {
      var problem = Problem(
        429, "busy", "a webhook takes \(Self.hooksPerMinute) requests a minute")
      problem.headers = [("Retry-After", "\(60 - now() % 60)")]
      throw problem
    }
    return token
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

  /// The token in the address of a calendar, as programs subscribe to it; others learn nothing.
  private mutating func subscription(_ head: RequestHead) throws(Problem) -> Token {
    let name = head.path.last ?? ""
    guard name.hasSuffix(".ics"), let token = tokens.token(withSecret: String(name.dropLast(4))),
      token.scope == .calendar, token.isValid(at: now())
    else { throw Problem(404, "not-found", "there is nothing at this path") }
    return token
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
