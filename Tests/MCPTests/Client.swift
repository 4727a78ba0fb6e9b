import ErrandKit
import FoundationEssentials
import Glibc
import MCP
import TestSupport

/// A scripted client of a server in this process, with a sandbox as its home.
final class Client {
  let sandbox: Sandbox
  let server: MCPServer
  let errand: Errand
  /// Answers to elicitations, in order; nil leaves the question.
  var answers: [JSONValue?] = []
  /// Receives the schema of each answer.
  var asked: (JSONValue) -> Void = { _ in }
  /// The messages of the server other than answers.
  private(set) var received: [JSONValue] = []
  private var lastID: Int64 = 0

  init(
    _ definitions: [String: String] = [:], caller: String = "test", waiting: WaitingCalls? = nil,
    in sandbox: Sandbox? = nil
  ) throws {
    self.sandbox = try sandbox ?? Sandbox()
    for (name, text) in definitions {
      try self.sandbox.write(text, to: ".config/errand/\(name).yaml")
    }
    var options = Errand.Options()
    options.folder = self.sandbox.path
    options.program = Sandbox.products + "/errand"
    options.environment = self.sandbox.environment
    for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "ERRAND_STORE"] {
      options.environment[name] = ""
    }
    errand = try Errand.open(options)
    server = MCPServer(
      .init(errand: errand, version: "test", caller: caller),
      waiting: try waiting ?? WaitingCalls().get())
  }

  /// A failed request.
  struct Refusal: Error, Equatable {
    let code: Int64
    let message: String
  }

  /// Parameters of the stateless revision.
  static func stateless(_ parameters: [String: JSONValue] = [:], canAsk: Bool = true) -> JSONValue {
    let abilities: JSONValue = canAsk ? ["elicitation": ["form": [:]]] : [:]
    let meta: JSONValue = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": ["name": "script", "version": "1"],
      "io.modelcontextprotocol/clientCapabilities": abilities,
    ]
    return .object(parameters.merging(["_meta": meta]) { $1 })
  }

  /// Begins a session of revision 2025-11-25.
  @discardableResult
  func begin(canAsk: Bool = true, revision: JSONValue = "2025-11-25") throws -> JSONValue {
    let abilities: JSONValue = canAsk ? ["elicitation": [:]] : [:]
    return try request(
      "initialize",
      [
        "protocolVersion": revision, "capabilities": abilities,
        "clientInfo": ["name": "script", "version": "1"],
      ])
  }

  /// Sends a message; returns the messages for it.
  @discardableResult
  func send(_ message: JSONValue) throws -> [JSONValue] {
    let messages = server.take(Array(try message.text().utf8))
    received += messages
    return messages
  }

  /// Sends a request; returns its id.
  func open(_ method: String, _ parameters: JSONValue = [:]) throws -> Int64 {
    lastID += 1
    try send([
      "jsonrpc": "2.0", "id": .int(lastID), "method": .string(method), "params": parameters,
    ])
    return lastID
  }

  /// Sends a request and answers questions until its result.
  func request(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
    try result(of: try open(method, parameters))
  }

  func call(_ name: String, _ arguments: JSONValue = [:]) throws -> JSONValue {
    try request("tools/call", ["name": .string(name), "arguments": arguments])
  }

  /// Returns the result of a request.
  func result(of id: Int64) throws -> JSONValue {
    while true {
      for (index, message) in received.enumerated() {
        if message["method"]?.string == "elicitation/create", !answers.isEmpty {
          received.remove(at: index)
          let answer = answers.removeFirst()
          asked(message["params"]?["requestedSchema"]?["properties"]?["answer"] ?? .null)
          let result: JSONValue =
            answer.map { ["action": "accept", "content": ["answer": $0]] } ?? ["action": "cancel"]
          try send(["jsonrpc": "2.0", "id": message["id"] ?? .null, "result": result])
          break
        }
        guard message["method"] == nil, message["id"] == .int(id) else { continue }
        received.remove(at: index)
        if let error = message["error"] {
          throw Refusal(
            code: error["code"]?.int ?? 0, message: error["message"]?.string ?? "")
        }
        return message["result"] ?? .null
      }
      if received.contains(where: { $0["id"] == .int(id) && $0["method"] == nil }) { continue }
      wait()
    }
  }

  /// Waits for an event of a run.
  func wait() {
    var polled = server.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&polled, nfds_t(polled.count), 100)
    received += server.advance()
  }
}

extension Optional {
  /// The value, which must exist.
  func get() throws -> Wrapped {
    guard let self else { throw Client.Refusal(code: 0, message: "no value") }
    return self
  }
}
