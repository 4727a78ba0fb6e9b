import CEL
import CLinux
import Engine
import ForeignText
import Links
import POSIX
import Program

/// Requests to a server of calendars (WebDAV, RFC 4918), with the person's login.
struct WebDAV {
  /// A resource that a reply tells of.
  struct Resource {
    let url: WebURL
    let status: Int
    /// The elements of its properties, by local names.
    let properties: XMLNode

    /// The resource to which a property refers.
    func link(_ property: String) -> String? { properties[property]?["href"]?.text }
  }

  /// A reply with the state of several resources.
  struct Resources {
    var all: [Resource]
    /// The state of a collection (RFC 6578 §6.2).
    var syncToken: String?
    /// Whether the server has left some out.
    var isCut = false
  }

  private let http: HTTPAccess
  private let host: Host
  private let interrupt: Interrupt
  private let secretName: String?
  private let authorization: String?

  private static let timeout = Duration.seconds(60)

  /// Creates requests with a name and the secret with its password, or with a secret token alone.
  ///
  /// - Throws: `network` in a binary without the network, `no-secret`.
  init(_ run: Run, user: String?, secret: String?) throws {
    host = run.host
    guard let http = host.machine.http else {
      throw RunError(
        .network, "calendars of servers need errand-net, which is not installed beside errand",
        help: "install both: make && sudo make install")
    }
    (self.http, interrupt, secretName) = (http, run.interrupt, secret)
    guard let secret, let read = host.readSecret else {
      authorization = nil
      return
    }
    do {
      let text = try host.secrets.secret(secret) { () throws(EvaluationError) in try read(secret) }
        .text
      authorization =
        user.map { "Basic " + Base64.encode(Array("\($0):\(text)".utf8)) } ?? "Bearer " + text
    } catch {
      throw RunError(.noSecret, error.message, help: error.help)
    }
  }

  /// Sends a request; the reply may have any status but that of a refused login.
  ///
  /// - Throws: `denied`, `network`.
  func send(
    _ method: String, _ url: String, headers: [(String, String)] = [], body: String? = nil
  ) throws -> HTTPReply {
    let reply = try reply(method, url, headers, body)
    guard reply.status == 401 else { return reply }
    // A redirect to another host of the same site has not taken the login along.
    if reply.url != url, Self.areOfOneSite(url, reply.url) {
      let again = try self.reply(method, reply.url, headers, body)
      if again.status != 401 { return again }
    }
    throw RunError(
      .denied, "\(Self.host(of: url)) wants \(authorization == nil ? "a" : "another") login",
      help: authorization == nil
        ? "errand calendar add \(url) --user NAME --secret NAME"
        : "check the name; `errand secret set \(secretName ?? "NAME")` changes the password")
  }

  private func reply(
    _ method: String, _ url: String, _ headers: [(String, String)], _ body: String?
  ) throws -> HTTPReply {
    var request = HTTPRequest(method, url)
    request.headers = headers.map { .init($0.0, $0.1) }
    if let authorization {
      request.headers.append(.init("Authorization", authorization, isSecret: true))
    }
    if let body { request.body = .bytes(Array(body.utf8)) }
    request.accepts = { _ in true }
    // The person's own server may be in the local network; where it redirects to may not.
    request.localHosts = [Self.host(of: url)]
    let bounds = WaitBounds(
      deadline: host.machine.monotonic() + Self.timeout.nanoseconds,
      descriptors: [interrupt.pollDescriptor].filter { $0 >= 0 })
    guard case .reply(let reply) = try http(request, bounds) else {
      if interrupt.isSet { throw Cancellation(.interrupted) }
      throw RunError(
        .network, "\(Self.host(of: url)) did not answer within a minute")
    }
    return reply
  }

  /// Asks for the properties of a resource; nil if it has none to tell.
  ///
  /// - Parameter properties: Elements with the prefixes `d` (WebDAV) and `c` (CalDAV).
  func properties(
    of url: String, _ properties: String, depth: Int = 0
  ) throws -> Resources? {
    try resources(propfind(url, properties, depth: depth))
  }

  /// Asks for the properties of a collection and of the resources within it.
  ///
  /// - Throws: `not-found`, `denied`, `network`.
  func members(of url: String, _ properties: String) throws -> Resources {
    let reply = try propfind(url, properties, depth: 1)
    if let all = try resources(reply) { return all }
    switch reply.status {
    case 404, 410: throw RunError(.notFound, "there is no calendar at \(url)")
    case 403: throw RunError(.denied, "\(Self.host(of: url)) does not let you read \(url)")
    case 200, 207:
      throw RunError(.network, "\(Self.host(of: url)) answered with what is not WebDAV")
    default: throw Self.failure(reply)
    }
  }

  private func propfind(_ url: String, _ properties: String, depth: Int) throws -> HTTPReply {
    try send(
      "PROPFIND", url, headers: Self.headers(depth: depth),
      body: Self.document("d:propfind", "<d:prop>\(properties)</d:prop>"))
  }

  /// Asks for a report; nil if the server does not make it.
  func report(_ name: String, on url: String, _ content: String, depth: Int) throws -> Resources? {
    try resources(
      send(
        "REPORT", url, headers: Self.headers(depth: depth), body: Self.document(name, content)))
  }

  private static func headers(depth: Int) -> [(String, String)] {
    [("Depth", "\(depth)"), ("Content-Type", "application/xml; charset=utf-8")]
  }

  private static func document(_ name: String, _ content: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      + "<\(name) xmlns:d=\"DAV:\" xmlns:c=\"urn:ietf:params:xml:ns:caldav\">\(content)</\(name)>"
  }

  /// The resources of a reply (RFC 4918 §13); nil for one of another kind.
  ///
  /// - Throws: `network` for a failure of the server.
  private func resources(_ reply: HTTPReply) throws -> Resources? {
    guard reply.status == 207 else {
      if reply.status >= 500, reply.status != 501, reply.status != 507 {
        throw Self.failure(reply)
      }
      return nil
    }
    guard let base = try? WebURL(reply.url),
      let root = XMLNode(String(decoding: reply.body, as: UTF8.self))
    else { return nil }
    var found = Resources(all: [])
    found.syncToken = root["sync-token"]?.text
    for response in root.children where response.name == "response" {
      let groups = response.children.filter { $0.name == "propstat" }
      let good = groups.first { $0.status == 200 }
      let status = response.status ?? (groups.isEmpty ? 200 : good == nil ? 404 : 200)
      for href in response.children where href.name == "href" {
        guard let url = try? base.resolve(href.text) else { continue }
        if status == 507 { found.isCut = true }
        found.all.append(
          Resource(url: url, status: status, properties: good?["prop"] ?? XMLNode.none))
      }
    }
    return found
  }

  /// The failure that a status means.
  static func failure(_ reply: HTTPReply) -> RunError {
    RunError(.network, "\(host(of: reply.url)) answered with status \(reply.status)")
  }

  static func host(of url: String) -> String { (try? WebURL(url))?.host ?? url }

  /// Whether two addresses are of the same host, or of hosts that differ in their first label.
  static func areOfOneSite(_ first: String, _ second: String) -> Bool {
    guard let first = try? WebURL(first), let second = try? WebURL(second),
      first.scheme == second.scheme
    else { return false }
    func parent(_ host: String) -> [Substring] {
      let labels = host.split(separator: ".")
      return labels.count > 2 ? Array(labels.dropFirst()) : labels
    }
    return first.host == second.host && first.port == second.port
      || first.scheme == "https" && parent(first.host) == parent(second.host)
  }
}

/// An element of XML; its namespace is left out.
struct XMLNode {
  /// The local name.
  let name: String
  let text: String
  let attributes: MapValue
  let children: [XMLNode]

  static let none = XMLNode(name: "", text: "", attributes: MapValue(), children: [])

  private init(name: String, text: String, attributes: MapValue, children: [XMLNode]) {
    (self.name, self.text, self.attributes, self.children) = (name, text, attributes, children)
  }

  /// Reads a document; nil for a text that is not well-formed.
  init?(_ text: String) {
    guard let value = try? XMLTree.value(of: text) else { return nil }
    self.init(value)
  }

  private init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let name)? = map["name"],
      case .string(let text)? = map["text"], case .map(let attributes)? = map["attributes"],
      case .list(let children)? = map["children"]
    else { return nil }
    self.init(
      name: name.split(separator: ":").last.map(String.init) ?? name, text: text.trimmingBlanks,
      attributes: attributes, children: children.compactMap { XMLNode($0) })
  }

  /// The first child with a name.
  subscript(name: String) -> XMLNode? { children.first { $0.name == name } }

  /// The code of its status line.
  var status: Int? {
    self["status"].flatMap { $0.text.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
  }
}
