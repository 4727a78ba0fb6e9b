import CLinux
import ErrandKit
import Glibc
import Links
import MCP
import POSIX

/// The Model Context Protocol over HTTP (Streamable HTTP); confined to the serving thread.
///
/// A client with a handshake has a separate session; stateless requests of a token share one.
final class Assistants {
  /// A request whose response is not complete.
  private struct Pending {
    enum Target {
      case reply((Reply) -> Void)
      case stream(EventStream)
    }

    let target: Target
    /// The id and the progress token as the client knows them.
    let id: JSONValue
    let progressToken: JSONValue?
  }

  private final class Entry {
    let session: AssistantSession
    /// The token's id.
    let token: String
    var used = MonotonicClock.nanoseconds
    /// The open requests by their ids in the session.
    var pending: [JSONValue: Pending] = [:]

    init(_ session: AssistantSession, token: String) {
      self.session = session
      self.token = token
    }
  }

  private let options: Errand.Options
  private let version: String
  private let patience: Duration
  private let hidden: HiddenFolders
  /// Sessions by id; those of stateless requests by the token's id.
  private var entries: [String: Entry] = [:]
  /// Readable when a session has messages.
  private let done = errand_eventfd()
  private var nextBeat: Int64 = 0
  private var lastStateless = 0

  /// The maximum number of sessions, each of which is a thread.
  private static let limit = 32
  /// The time after which an unused session ends, in nanoseconds.
  private static let idleTime: Int64 = 1_800_000_000_000
  /// The time between comments in streams, in nanoseconds.
  private static let beat: Int64 = 15_000_000_000
  private static let revisionKey = "io.modelcontextprotocol/protocolVersion"

  /// - Parameter patience: The time that a question waits for its answer.
  init(_ options: Errand.Options, version: String, patience: Duration, hiding hidden: HiddenFolders)
  {
    self.options = options
    self.version = version
    self.patience = patience
    self.hidden = hidden
  }

  deinit { Glibc.close(done) }

  // MARK: Requests

  /// Answers a request.
  func answer(_ head: RequestHead, _ body: Body, _ token: Token, reply: @escaping (Reply) -> Void) {
    do {
      if head.method == "DELETE" {
        try end(head, token)
        return reply(.response(Response(204)))
      }
      guard head.mediaType == "application/json" else {
        throw Problem(415, "invalid-value", "the body must be application/json")
      }
      let text = try body.text()
      let message: JSONValue
      do { message = try JSONValue(parsing: text) } catch {
        throw Problem(400, "invalid-value", "the body is not a JSON-RPC message")
      }
      if let refusal = MCPServer.refusal(of: message) {
        return reply(.response(Response(json: refusal, status: 400)))
      }
      try take(message, bytes: Array(text.utf8), head: head, token: token, reply: reply)
    } catch {
      reply(.response(Problem(error).response))
    }
  }

  private func take(
    _ message: JSONValue, bytes: [UInt8], head: RequestHead, token: Token,
    reply: @escaping (Reply) -> Void
  ) throws {
    let method = message["method"]?.string
    let revision = message["params"]?["_meta"]?[Self.revisionKey]?.string
    if let header = head.header("mcp-protocol-version") {
      guard MCPServer.revisions.contains(header), revision == nil || revision == header else {
        throw Problem(
          400, "invalid-value",
          "the protocol version \(header) is not supported, or not the body's",
          help: "the versions are \(MCPServer.revisions.joined(separator: ", "))")
      }
    }
    if let header = head.header("mcp-method"), header != method {
      throw Problem(400, "invalid-value", "`Mcp-Method` is not the method of the body")
    }
    var headers: [(name: String, value: String)] = []
    let entry: Entry
    if revision != nil {
      entry = try entries[token.id] ?? begin(token, as: token.id)
    } else if method == "initialize" {
      let id = SystemHost.randomBytes(16).hexadecimal
      entry = try begin(token, as: id)
      headers = [("Mcp-Session-Id", id)]
    } else {
      entry = try self.entry(head, token)
    }
    entry.used = MonotonicClock.nanoseconds
    guard method != nil, let id = message["id"]?.requestID else {
      entry.session.take(bytes)
      if method == "notifications/cancelled", let id = message["params"]?["requestId"]?.requestID,
        case .stream(let stream)? = entry.pending[id]?.target
      {
        entry.pending[id] = nil
        stream.end()
      }
      return reply(.response(Response(202)))
    }
    var inner = id
    var bytes = bytes
    if revision != nil { (inner, bytes) = try renumbered(message) }
    guard entry.pending[inner] == nil else {
      throw Problem(400, "conflict", "a request with this id is open")
    }
    let target: Pending.Target
    if method == "tools/call" {
      let stream = EventStream()
      // A stateless client cancels by disconnecting; clients with a session may reconnect.
      if revision != nil {
        stream.closed = { [weak entry] in entry.map { Self.cancel(inner, $0) } }
      }
      target = .stream(stream)
      reply(.stream(stream))
    } else {
      target = .reply { answer in
        guard case .response(var response) = answer else { return }
        response.headers += headers
        reply(.response(response))
      }
    }
    entry.pending[inner] = Pending(
      target: target, id: id, progressToken: message["params"]?["_meta"]?["progressToken"])
    entry.session.take(bytes)
  }

  /// Replaces the id of a stateless request, since clients with the same token may use equal ids.
  private func renumbered(_ message: JSONValue) throws -> (id: JSONValue, bytes: [UInt8]) {
    lastStateless += 1
    let id = JSONValue.string("\(lastStateless)")
    guard case .object(var members) = message else { return (id, []) }
    members["id"] = id
    if case .object(var parameters)? = members["params"],
      case .object(var meta)? = parameters["_meta"], meta["progressToken"] != nil
    {
      meta["progressToken"] = id
      parameters["_meta"] = .object(meta)
      members["params"] = .object(parameters)
    }
    return (id, Array(try JSONValue.object(members).text().utf8))
  }

  private static func cancel(_ id: JSONValue, _ entry: Entry) {
    entry.pending[id] = nil
    let message: JSONValue = [
      "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id],
    ]
    entry.session.take(Array(((try? message.text()) ?? "").utf8))
  }

  private func entry(_ head: RequestHead, _ token: Token) throws -> Entry {
    guard let id = head.header("mcp-session-id") else {
      throw Problem(
        400, "invalid-value", "`Mcp-Session-Id` is missing", help: "begin with `initialize`")
    }
    guard let entry = entries[id], entry.token == token.id, id != token.id else {
      throw Problem(404, "not-found", "there is no such session", help: "begin with `initialize`")
    }
    return entry
  }

  private func end(_ head: RequestHead, _ token: Token) throws {
    let entry = try entry(head, token)
    close(entry)
    entries = entries.filter { $0.value !== entry }
  }

  private func begin(_ token: Token, as id: String) throws -> Entry {
    if entries.count >= Self.limit {
      let owner = FairPlaces.yielding(to: token.id, entries.values.map(\.token))
      // Idle sessions first; only those, unless a token has more than its share.
      let oldest = entries.filter {
        owner.map { [token = $0.value.token] in $0 == token } ?? $0.value.pending.isEmpty
      }.min {
        ($0.value.pending.isEmpty ? 0 : 1, $0.value.used)
          < ($1.value.pending.isEmpty ? 0 : 1, $1.value.used)
      }
      guard let oldest else {
        var problem = Problem(503, "busy", "too many assistants are connected")
        problem.headers = [("Retry-After", "5")]
        throw problem
      }
      close(oldest.value)
      entries[oldest.key] = nil
    }
    var errand = options
    // Links that an assistant saves are not fetched until the person has seen them.
    errand.environment["ERRAND_ENRICH"] = "off"
    let session = AssistantSession(done: done) { [errand, version, patience] in
      var options = MCPServer.Options(
        errand: try Errand.open(errand), version: version, caller: token.id)
      options.mayUse = { token.mayCall($0.summary.name, onlyReads: $0.onlyReads) }
      options.mayRead = token.scope != .run
      options.token = token.name
      options.patience = patience
      guard let waiting = WaitingCalls() else {
        throw ErrandError(code: "io", message: "the system has no random source")
      }
      return MCPServer(options, waiting: waiting)
    }
    let entry = Entry(session, token: token.id)
    entries[id] = entry
    return entry
  }

  private func close(_ entry: Entry) {
    entry.session.close()
    let problem = Problem(404, "not-found", "the session has ended")
    for pending in entry.pending.values {
      switch pending.target {
      case .reply(let reply): reply(.response(problem.response))
      case .stream(let stream): stream.end()
      }
    }
    entry.pending = [:]
  }

  // MARK: The loop

  /// Readable when ``work()`` has something to do.
  var descriptor: Int32 { done }

  /// The time of the monotonic clock at which ``work()`` has something to do; nil for none.
  var due: Int64? { entries.isEmpty ? nil : nextBeat }

  /// Sends the messages of sessions, and ends idle sessions.
  func work() {
    var count: UInt64 = 0
    _ = read(done, &count, 8)
    for entry in entries.values {
      for output in entry.session.outputs() { send(output, entry) }
    }
    let now = MonotonicClock.nanoseconds
    guard now >= nextBeat else { return }
    nextBeat = now + Self.beat
    for (id, entry) in entries {
      for (request, pending) in entry.pending {
        guard case .stream(let stream) = pending.target else { continue }
        if stream.isClosed { entry.pending[request] = nil } else { stream.send(":\n\n") }
      }
      if entry.pending.isEmpty, now - entry.used > Self.idleTime {
        close(entry)
        entries[id] = nil
      }
    }
  }

  private func send(_ output: AssistantSession.Output, _ entry: Entry) {
    let token = output.message["params"]?["progressToken"]
    let ofToken = entry.pending.first {
      token != nil && [$0.key, $0.value.progressToken].contains(token)
    }
    guard let request = output.request ?? ofToken?.key, let pending = entry.pending[request] else {
      return
    }
    let isResponse = output.message["method"] == nil
    if isResponse { entry.pending[request] = nil }
    entry.used = MonotonicClock.nanoseconds
    var message = Self.renamed(output.message, for: pending)
    if message["error"] != nil || message["result"]?["isError"] == true {
      message = hidden.hiding(message)
    }
    switch pending.target {
    case .reply(let reply): if isResponse { reply(.response(Response(json: message))) }
    case .stream(let stream):
      stream.send("event: message\ndata: \((try? message.text()) ?? "null")\n\n")
      if isResponse { stream.end() }
    }
  }

  /// A message of a session with the client's id and token.
  private static func renamed(_ message: JSONValue, for pending: Pending) -> JSONValue {
    guard case .object(var members) = message else { return message }
    if members["method"] == nil { members["id"] = pending.id }
    if let token = pending.progressToken, case .object(var parameters)? = members["params"],
      parameters["progressToken"] != nil
    {
      parameters["progressToken"] = token
      members["params"] = .object(parameters)
    }
    return .object(members)
  }

  /// Ends all sessions.
  func end() {
    for entry in entries.values { close(entry) }
    entries = [:]
  }
}
