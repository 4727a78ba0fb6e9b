package import ErrandKit
import JSON
import POSIX

/// A server of the Model Context Protocol: takes the messages of one client and returns its own.
///
/// Speaks revisions up to 2025-11-25, which begin with `initialize`, and 2026-07-28, which has no
/// handshake. Independent of the transport: ``StandardLoop`` does the reading and writing over
/// standard input and output. Not thread-safe.
package final class MCPServer {
  /// Dependencies of the server.
  package struct Options {
    /// The definitions and the library. Runs inherit its environment.
    package var errand: Errand
    /// The version of the program.
    package var version: String
    /// The caller to which waiting calls are bound, such as its token.
    package var caller: String
    /// Whether the caller may use a tool, besides the person's choice for all assistants.
    package var mayUse: (Errand.Definition) -> Bool = { _ in true }
    /// Whether the caller may read items.
    package var mayRead = true
    /// The name of the caller's token, for the logs; nil over standard input.
    package var token: String?
    /// The time that a question of a stateless call waits for its answer.
    package var patience: Duration = .seconds(600)

    package init(errand: Errand, version: String, caller: String) {
      self.errand = errand
      self.version = version
      self.caller = caller
    }
  }

  /// Revisions with a handshake, latest first.
  static let handshakeRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The revision without a handshake.
  static let statelessRevision = "2026-07-28"
  /// All revisions, latest first.
  package static var revisions: [String] { [statelessRevision] + handshakeRevisions }
  /// Maximum number of calls at once.
  static let callLimit = 32

  let options: Options
  let waiting: WaitingCalls
  var errand: Errand { options.errand }
  /// Calls with an open request or a run that is still ending.
  var calls: [ToolCall] = []
  private(set) var openedReader: Reader?
  private var lastElicitation: Int64 = 0
  /// The client of the handshake; nil before it.
  private var handshake: Peer?

  /// The identity and abilities of a client, as it declares them.
  struct Peer {
    var name: String
    var isModern: Bool
    var canAsk: Bool

    init(_ info: JSONValue?, capabilities: JSONValue?, isModern: Bool) {
      let given = (info?["name"]?.string ?? "").unicodeScalars
        .filter { ![.control, .format].contains($0.properties.generalCategory) }.prefix(64)
      name = given.isEmpty ? "assistant" : String(String.UnicodeScalarView(given))
      self.isModern = isModern
      let elicitation = capabilities?["elicitation"]?.members
      // An empty object means forms.
      canAsk = elicitation.map { $0.isEmpty || $0["form"] != nil } ?? false
    }
  }

  package init(_ options: Options, waiting: WaitingCalls) {
    self.options = options
    self.waiting = waiting
  }

  // MARK: Messages

  /// Takes a message of the client; returns the messages for it.
  package func take(_ bytes: some Sequence<UInt8>) -> [JSONValue] {
    let bytes = Array(bytes)
    let message: JSONValue
    do {
      guard bytes.count <= MessageReader.longestMessage else {
        throw ProtocolError(
          .invalidRequest, "a message must not be longer than \(MessageReader.longestMessage) bytes"
        )
      }
      do { message = JSONValue(try JSONParser().parse(bytes)) } catch {
        throw ProtocolError(.notJSON, "\(error)")
      }
    } catch let error as ProtocolError {
      return [error.answer(to: .null)]
    } catch {
      return [ProtocolError(.failed, "\(error)").answer(to: .null)]
    }
    if let refusal = Self.refusal(of: message) { return [refusal] }
    let id = message["id"]?.requestID
    guard let method = message["method"]?.string else {
      return id.map { answered($0, message["result"]) } ?? []
    }
    let parameters = message["params"] ?? .object([:])
    guard let id else {
      notified(method, parameters)
      return []
    }
    do {
      guard parameters.members != nil else {
        throw ProtocolError(.invalidParameters, "`params` must be an object")
      }
      guard !calls.contains(where: { $0.request == id }) else {
        throw ProtocolError(.invalidRequest, "a request with this id is open")
      }
      return try perform(method, id, parameters)
    } catch let error as ProtocolError {
      return [error.answer(to: id)]
    } catch {
      let message = (error as? ErrandError)?.description ?? "\(error)"
      return [ProtocolError(.failed, message).answer(to: id)]
    }
  }

  /// The answer to a message that is not a request, notification or response; nil for one that is.
  package static func refusal(of message: JSONValue) -> JSONValue? {
    let (id, method) = (message["id"], message["method"])
    let reason: String
    if message.array != nil {
      reason = "batches are not supported: send each message alone"
    } else if message["jsonrpc"]?.string != "2.0" {
      reason = "a message must be an object with \"jsonrpc\": \"2.0\""
    } else if let id, id.requestID == nil, method != nil || message["error"] == nil {
      reason = "`id` must be a string or integer"
    } else if method?.string == nil,
      method != nil || id == nil || message["result"] == nil && message["error"] == nil
    {
      reason = "`method` must be a string"
    } else {
      return nil
    }
    return ProtocolError(.invalidRequest, reason).answer(to: id?.requestID ?? .null)
  }

  private func perform(
    _ method: String, _ id: JSONValue, _ parameters: JSONValue
  ) throws -> [JSONValue] {
    if method == "initialize" {
      let peer = Peer(
        parameters["clientInfo"], capabilities: parameters["capabilities"], isModern: false)
      handshake = peer
      return [answer(id, initializeResult(parameters["protocolVersion"]?.string), peer)]
    }
    let peer = try peer(method, parameters)
    switch method {
    case "server/discover": return [answer(id, discoverResult, peer, isCacheable: true)]
    case "ping": return [answer(id, [:], peer)]
    case "tools/list":
      let tools = try tools().map(\.listing)
      return [answer(id, ["tools": .array(tools)], peer, isCacheable: true)]
    case "tools/call": return try call(id, parameters, peer)
    case "resources/list", "resources/read", "resources/templates/list":
      guard options.mayRead else {
        throw ProtocolError(.invalidRequest, "this token cannot read items")
      }
      let result = try resources(method, parameters, peer)
      return [answer(id, result, peer, isCacheable: true)]
    default: throw ProtocolError(.unknownMethod, "unknown method `\(method)`")
    }
  }

  /// Returns the client of a request.
  private func peer(_ method: String, _ parameters: JSONValue) throws(ProtocolError) -> Peer {
    let meta = parameters["_meta"]
    if let revision = meta?["io.modelcontextprotocol/protocolVersion"]?.string {
      guard revision == Self.statelessRevision else {
        throw ProtocolError(
          .unsupportedRevision, "unsupported protocol version",
          data: [
            "supported": .array(supportedRevisions), "requested": .string(revision),
          ])
      }
      return Peer(
        meta?["io.modelcontextprotocol/clientInfo"],
        capabilities: meta?["io.modelcontextprotocol/clientCapabilities"], isModern: true)
    }
    if let handshake { return handshake }
    guard ["ping", "server/discover"].contains(method) else {
      throw ProtocolError(
        .invalidRequest,
        "send `initialize` first, or the protocol version with each request in `_meta`")
    }
    return Peer(nil, capabilities: nil, isModern: method == "server/discover")
  }

  private func notified(_ method: String, _ parameters: JSONValue) {
    guard method == "notifications/cancelled", let id = parameters["requestId"]?.requestID
    else { return }
    for call in calls where call.request == id {
      call.request = nil
      call.asked = nil
      call.elicitation = nil
      call.run?.cancel()
    }
    calls.removeAll { $0.request == nil && $0.run == nil }
  }

  /// The id of the request that a message for the client answers or asks about; nil for
  /// notifications, which have a progress token instead.
  package func request(behind message: JSONValue) -> JSONValue? {
    guard message["method"] != nil else { return message["id"] }
    return message["id"].flatMap { id in calls.first { $0.elicitation == id.int }?.request }
  }

  // MARK: Answers

  private var supportedRevisions: [JSONValue] {
    Self.revisions.map(JSONValue.string)
  }

  private var serverInfo: JSONValue {
    ["name": "errand", "title": "Errand", "version": .string(options.version)]
  }

  private var capabilities: JSONValue { ["tools": [:], "resources": [:]] }

  private static let instructions: JSONValue = """
    Tools are the person's intents and shortcuts; resources are the items of their library. \
    Items are named by references such as link:42.
    """

  private func initializeResult(_ requested: String?) -> JSONValue {
    let revision = requested.flatMap { Self.handshakeRevisions.contains($0) ? $0 : nil }
    return [
      "protocolVersion": .string(revision ?? Self.handshakeRevisions[0]),
      "capabilities": capabilities, "serverInfo": serverInfo, "instructions": Self.instructions,
    ]
  }

  private var discoverResult: JSONValue {
    [
      "supportedVersions": .array(supportedRevisions), "capabilities": capabilities,
      "instructions": Self.instructions,
    ]
  }

  /// An answer with the members that the client's protocol revision adds to results.
  func answer(
    _ id: JSONValue, _ result: JSONValue, _ peer: Peer, isCacheable: Bool = false
  ) -> JSONValue {
    answer(id, result, isModern: peer.isModern, isCacheable: isCacheable)
  }

  func answer(
    _ id: JSONValue, _ result: JSONValue, isModern: Bool, isCacheable: Bool = false
  ) -> JSONValue {
    var members = result.members ?? [:]
    if isModern {
      members["resultType"] = members["resultType"] ?? "complete"
      members["_meta"] = ["io.modelcontextprotocol/serverInfo": serverInfo]
      if isCacheable {
        members["ttlMs"] = 0
        members["cacheScope"] = "private"
      }
    }
    return ["jsonrpc": "2.0", "id": id, "result": .object(members)]
  }

  // MARK: State

  /// The tools that the person lets assistants use, from the definitions as they are now.
  func tools() throws -> [Tool] {
    try errand.reload()
    return errand.assistantTools().filter { $0.isAllowed && options.mayUse($0.definition) }
      .map { Tool(definition: $0.definition) }
  }

  /// The reader of the library, opened once.
  func reader() throws -> Reader {
    if let openedReader { return openedReader }
    let reader = try errand.reader()
    openedReader = reader
    return reader
  }

  /// Makes the number of a request to the client.
  func nextElicitation() -> Int64 {
    lastElicitation += 1
    return lastElicitation
  }
}
