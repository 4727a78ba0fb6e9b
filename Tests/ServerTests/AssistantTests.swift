import ErrandKit
import Server
import TestSupport
import Testing

/// `/mcp`: the Model Context Protocol over HTTP.
@Suite struct AssistantTests {
  private static let hello = """
    shortcut: hello
    description: Says hello.
    steps: [ask: 'Who?', {say: 'Hello {{ it }}'}]
    output: '{{ it }}'
    """
  private static let meta = """
    {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    """

  private func post(
    _ api: API, _ method: String, _ parameters: String = "{}", id: Int? = 1,
    token: String? = nil, headers: [(name: String, value: String)] = []
  ) throws -> Response {
    let number = id.map { #""id": \#($0), "# } ?? ""
    return try api.request(
      "POST", "//mcp",
      #"{"jsonrpc": "2.0", \#(number)"method": "\#(method)", "params": \#(parameters)}"#,
      token: token, headers: headers)
  }

  /// Begins a session; returns its header.
  private func session(_ api: API, token: String? = nil) throws -> [(name: String, value: String)] {
    let begun = try post(
      api, "initialize",
      #"{"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}"#,
      token: token)
    #expect(begun.json["result"]?["protocolVersion"] == "2025-11-25")
    let id = try #require(begun["Mcp-Session-Id"])
    return [("Mcp-Session-Id", id)]
  }

  private func tools(_ response: Response) -> Set<String> {
    Set(response.json["result"]?["tools"]?.array?.compactMap { $0["name"]?.string } ?? [])
  }

  @Test func servesASession() throws {
    let api = try API(Self.hello)
    let session = try session(api)
    #expect(try post(api, "notifications/initialized", id: nil, headers: session).status == 202)
    let listed = tools(try post(api, "tools/list", headers: session))
    #expect(listed.isSuperset(of: ["hello", "recent"]) && !listed.contains("save"))
    let called = try post(
      api, "tools/call", #"{"name": "recent", "arguments": {}}"#, id: 2, headers: session)
    #expect(called.text.hasPrefix("event: message\ndata: {"))
    #expect(called.text.contains(#""id":2"#) && called.text.contains(#""isError":false"#))
    #expect(try api.request("DELETE", "//mcp", headers: session).status == 204)
    #expect(try post(api, "tools/list", headers: session).status == 404)
  }

  @Test func namesNoFilesOfThePerson() throws {
    let api = try API(
      Self.hello
        + "\n---\nshortcut: filer\ndescription: Reads.\ninput: file\nsteps: [{read-file: '{{ input }}'}]\n"
    )
    #expect(try api.sandbox.run("mcp", "allow", "filer").status == 0)
    let session = try session(api)
    let called = try post(
      api, "tools/call", #"{"name": "filer", "arguments": {"input": "/etc/passwd"}}"#, id: 2,
      headers: session)
    #expect(called.text.contains("-32602") && called.text.contains("a file of this machine"))
  }

  @Test(arguments: ["[]", "{}", "1.5", "true", "1e300", "null"])
  func refusesIDs(_ id: String) throws {
    let api = try API()
    for method in ["initialize", "tools/call"] {
      let refused = try api.request(
        "POST", "//mcp", #"{"jsonrpc": "2.0", "id": \#(id), "method": "\#(method)"}"#)
      #expect(refused.status == 400)
      #expect(refused.json["error"]?["code"]?.int == -32600 && refused.json["id"] == .null)
    }
  }

  @Test func sharesSessionsAmongTokens() throws {
    let api = try API(Self.hello)
    let other = try api.token(.read)
    let kept = try session(api, token: other)
    for _ in 0..<34 { _ = try session(api) }
    // A token replaces its own sessions only.
    #expect(try post(api, "tools/list", token: other, headers: kept).status == 200)
    #expect(try post(api, "tools/list", headers: session(api, token: other)).status == 404)
    #expect(try post(api, "tools/list", headers: session(api)).status == 200)
  }

  @Test func expectsASessionOfTheSameToken() throws {
    let api = try API()
    let session = try session(api)
    #expect(try post(api, "tools/list").status == 400)
    #expect(try post(api, "tools/list", headers: [("Mcp-Session-Id", "x")]).status == 404)
    let other = try api.token(.all)
    #expect(try post(api, "tools/list", token: other, headers: session).status == 404)
    #expect(try post(api, "tools/list", token: "", headers: session).status == 401)
    #expect(try post(api, "tools/list", token: api.token(.share)).status == 403)
    #expect(try api.request("GET", "//mcp", headers: session)["Allow"] == "POST, DELETE")
    let version = session + [("MCP-Protocol-Version", "1999-01-01")]
    #expect(try post(api, "tools/list", headers: version).status == 400)
    #expect(try api.request("POST", "//mcp", "{", headers: session).status == 400)
  }

  @Test func holdsToolsToTheScope() throws {
    let api = try API(Self.hello)
    let read = try api.token(.read)
    #expect(
      tools(try post(api, "tools/list", token: read, headers: session(api, token: read))).contains(
        "recent"))
    let run = try api.token(.run, only: ["hello"])
    let session = try session(api, token: run)
    #expect(tools(try post(api, "tools/list", token: run, headers: session)) == ["hello"])
    let items = try post(api, "resources/list", token: run, headers: session)
    #expect(items.json["error"]?["message"] == "this token cannot read items")
  }

  @Test func asksStatelessClients() throws {
    let api = try API(Self.hello)
    let call = #"{"_meta": \#(Self.meta), "name": "hello", "arguments": {}"#
    let asked = try post(api, "tools/call", call + "}")
    let data =
      asked.text.split(separator: "\n").first { $0.hasPrefix("data: ") }?.dropFirst(6) ?? ""
    let result = try #require(try JSONValue(parsing: String(data))["result"])
    #expect(result["resultType"] == "input_required")
    let state = try #require(result["requestState"]?.string)
    let answer =
      #", "requestState": "\#(state)", "inputResponses": {"question": {"action": "accept", "content": {"answer": "Ada"}}}}"#
    // Only the token that was asked can answer, and only once.
    let other = try api.token(.all)
    #expect(
      try post(api, "tools/call", call + answer, token: other).text.contains(
        "is not that of an open question"))
    #expect(try post(api, "tools/call", call + answer).text.contains(#""result":"Ada""#))
    #expect(
      try post(api, "tools/call", call + answer).text.contains("is not that of an open question"))
    let header = [(name: "Mcp-Method", value: "tools/list")]
    #expect(try post(api, "tools/call", call + "}", headers: header).status == 400)
  }
}
