import ErrandKit
import MCP
import TestSupport
import Testing

/// Tools: their listing, calls, questions, progress and cancellation, in both revisions.
@Suite struct ToolTests {
  private let ask = """
    shortcut: greet
    steps:
      - ask: {prompt: 'Who?'}
        as: who
      - choose: {from: [red, blue], prompt: 'Which colour?'}
        as: colour
      - say: 'Hello {{ who }}, {{ colour }}'
    output: '{{ who }} {{ colour }}'
    """

  private func names(_ client: Client) throws -> [String] {
    try client.request("tools/list")["tools"]?.array?.compactMap { $0["name"]?.string } ?? []
  }

  @Test func offersWhatOnlyReadsAtFirst() throws {
    let client = try Client()
    try client.begin()
    #expect(try names(client).contains("recent"))
    #expect(try !names(client).contains("save"))
    try client.errand.setAssistantAccess(to: ["save"], allowed: true)
    try client.errand.setAssistantAccess(to: ["recent"], allowed: false)
    #expect(try names(client).contains("save"))
    #expect(try !names(client).contains("recent"))
    #expect(throws: Client.Refusal.self) { try client.call("recent") }
    #expect(throws: ErrandError.self) {
      try client.errand.setAssistantAccess(to: ["recent", "nothing"], allowed: true)
    }
    #expect(try !names(client).contains("recent"))
  }

  @Test func describesTools() throws {
    let client = try Client()
    try client.begin()
    try client.errand.setAssistantAccess(to: ["save"], allowed: true)
    let tools = try client.request("tools/list")["tools"]?.array ?? []
    let save = try #require(tools.first { $0["name"] == "save" })
    #expect(save["inputSchema"]?["properties"]?["url"]?["format"] == "uri")
    #expect(save["inputSchema"]?["properties"]?["source"] == nil)
    #expect(save["inputSchema"]?["required"] == ["url"])
    #expect(save["annotations"]?["readOnlyHint"] == false)
    #expect(save["outputSchema"]?["properties"]?["result"]?["title"] == "Link")
    let recent = tools.first { $0["name"] == "recent" }
    #expect(recent?["annotations"]?["readOnlyHint"] == true)
    #expect(recent?["annotations"]?["destructiveHint"] == false)
  }

  @Test func inputSchemasHaveNoUnions() throws {
    let client = try Client([
      "typed": """
      intent: typed
      parameters:
        text: string?
        count: int?
        times: list<date?>?
        link: Link?
        kind: {type: enum, values: [a, b], default: a}
      steps: [{return: '{{ count }}'}]
      """
    ])
    try client.begin()
    let names = client.errand.assistantTools().map(\.definition.summary.name)
    try client.errand.setAssistantAccess(to: names, allowed: true)
    for tool in try client.request("tools/list")["tools"]?.array ?? [] {
      let text = try tool["inputSchema"]?.text() ?? ""
      #expect(!text.contains(#""null""#) && !text.contains(#""type":["#), "\(text)")
    }
    let called = try client.call("typed", ["text": nil, "count": 3.0, "link": nil])
    #expect(called["structuredContent"]?["result"] == 3, "\(called)")
  }

  @Test func questionsHaveTitleFormatAndLimits() throws {
    let client = try Client([
      "typed": """
      intent: typed
      parameters:
        day: {type: date, title: Day, description: The first day.}
        count: {type: int, min: 1, max: 9}
      steps: [{return: '{{ count }}'}]
      """
    ])
    try client.begin()
    client.answers = ["2026-05-01", 3.0]
    var asked: [JSONValue] = []
    client.asked = { asked.append($0) }
    #expect(try client.call("typed")["structuredContent"]?["result"] == 3)
    #expect(asked.first?["type"] == "string" && asked.first?["format"] == "date")
    #expect(asked.first?["title"] == "Day" && asked.first?["description"] == "The first day.")
    #expect(asked.last?["type"] == "integer" && asked.last?["maximum"]?.int == 9)
  }

  @Test func callsWithTypesAndNamesTheClient() throws {
    let client = try Client()
    try client.begin()
    try client.errand.setAssistantAccess(to: ["save"], allowed: true)
    let saved = try client.call("save", ["url": "https://swift.org", "tags": ["a, b", "c"]])
    let link = saved["structuredContent"]?["result"]
    #expect(saved["isError"] == false)
    #expect(link?["tags"] == ["a, b", "c"])
    #expect(link?["source"] == "script")
    #expect(link?["pageText"] == nil)
    let reader = try client.errand.reader()
    #expect(try reader.changes().first?["by"] == "save by script")
    #expect(try reader.jobs() == [])
    let log = try #require(client.sandbox.read(".local/state/errand/assistants.log"))
    #expect(log.contains(#""client":"script""#) && log.contains(#""tool":"save""#))
  }

  @Test func passesTextsOfPagesOnRequest() throws {
    let client = try Client()
    try client.begin()
    _ = try client.errand.writer(as: "test").create(
      "Link", ["url": "https://swift.org", "pageText": "Long"])
    let brief = try client.call("recent")["structuredContent"]?["result"]?.array?.first
    #expect(brief?["ref"] == "link:1" && brief?["pageText"] == nil)
    let whole = try client.call("recent", ["text": true])["structuredContent"]?["result"]
    #expect(whole?.array?.first?["pageText"] == "Long")
  }

  @Test func reportsErrorsOfRuns() throws {
    let client = try Client()
    try client.begin()
    let result = try client.call("recent", ["limit": "many"])
    #expect(result["isError"] == true)
    #expect(result["structuredContent"] == nil)
  }

  @Test func asksByElicitation() throws {
    let client = try Client(["greet": ask])
    try client.begin()
    client.answers = ["Ada", "2"]
    let result = try client.call("greet")
    #expect(result["structuredContent"]?["result"] == "Ada blue")
    #expect(result["structuredContent"]?["dialog"] == ["Hello Ada, blue"])
    client.answers = ["Ada", nil]
    #expect(try client.call("greet")["isError"] == true)
  }

  @Test func failsWhereNobodyCanBeAsked() throws {
    let client = try Client(["greet": ask])
    try client.begin(canAsk: false)
    let result = try client.call("greet")
    #expect(result["isError"] == true)
    let text = result["content"]?.array?.first?["text"]?.string ?? ""
    #expect(text.contains("this client cannot ask the person “Who?”"))
    let refusal = #expect(throws: Client.Refusal.self) {
      try client.request("tools/call", Client.stateless(["name": "greet"], canAsk: false))
    }
    #expect(refusal?.code == -32021)
  }

  @Test func asksStatelessClientsByResults() throws {
    let waiting = try WaitingCalls().get()
    let client = try Client(["greet": ask], waiting: waiting)
    func answer(_ answer: JSONValue, _ state: JSONValue?, _ arguments: JSONValue = [:]) -> JSONValue
    {
      let response: JSONValue = ["action": "accept", "content": ["answer": answer]]
      return Client.stateless([
        "name": "greet", "arguments": arguments, "requestState": state ?? .null,
        "inputResponses": ["question": response],
      ])
    }
    let first = try client.request("tools/call", Client.stateless(["name": "greet"]))
    #expect(first["resultType"] == "input_required")
    let request = first["inputRequests"]?["question"]
    #expect(request?["method"] == "elicitation/create")
    #expect(request?["params"]?["message"] == "Who?")
    let state = first["requestState"]

    // Another caller, other arguments and another state are refused, and use nothing up.
    let other = try Client(caller: "other", waiting: waiting, in: client.sandbox)
    #expect(throws: Client.Refusal.self) {
      try other.request("tools/call", answer("Eve", state))
    }
    #expect(throws: Client.Refusal.self) {
      try client.request("tools/call", answer("Eve", state, ["input": 1]))
    }
    #expect(throws: Client.Refusal.self) {
      try client.request("tools/call", answer("Eve", .string((state?.string ?? "") + "x")))
    }

    let second = try client.request("tools/call", answer("Ada", state))
    #expect(second["resultType"] == "input_required")
    #expect(throws: Client.Refusal.self) {
      try client.request("tools/call", answer("Ada", state))
    }
    let last = try client.request("tools/call", answer("1", second["requestState"]))
    #expect(last["resultType"] == "complete")
    #expect(last["structuredContent"]?["result"] == "Ada red")
  }

  @Test func asksBeforeWhatCannotBeUndone() throws {
    let client = try Client([
      "touch": "shortcut: touch-it\nsteps: [{exec: {command: [touch, done]}}]"
    ])
    try client.begin()
    #expect(throws: Client.Refusal.self) { try client.call("touch-it") }
    try client.errand.setAssistantAccess(to: ["touch-it"], allowed: true)
    client.answers = [false]
    #expect(try client.call("touch-it")["isError"] == true)
    #expect(client.sandbox.read("done") == nil)
    client.answers = [true]
    #expect(try client.call("touch-it")["isError"] == false)
    #expect(client.sandbox.read("done") != nil)
  }

  @Test func endsCancelledCalls() throws {
    let client = try Client(["greet": ask])
    try client.begin()
    let id = try client.open("tools/call", ["name": "greet"])
    while client.received.isEmpty { client.wait() }
    try client.send([
      "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": .int(id)],
    ])
    while !client.server.descriptors.isEmpty { client.wait() }
    #expect(!client.received.contains { $0["id"] == .int(id) && $0["method"] == nil })
  }

  @Test func reportsProgress() throws {
    let client = try Client([
      "count": """
      shortcut: count
      steps:
        - progress: {done: 1, total: 3, label: Counting}
        - progress: {done: 3, total: 3, label: Counting}
      """
    ])
    try client.begin()
    _ = try client.request(
      "tools/call", ["name": "count", "_meta": ["progressToken": "token"]])
    let progress = client.received.filter { $0["method"] == "notifications/progress" }
    #expect(
      progress.first?["params"] == [
        "progressToken": "token", "progress": 1.0, "total": 3, "message": "Counting",
      ])
  }
}
