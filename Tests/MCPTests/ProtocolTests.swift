import ErrandKit
import MCP
import TestSupport
import Testing

/// The protocol around tools: revisions, resources, malformed messages, the loop over pipes.
@Suite struct ProtocolTests {
  @Test func negotiatesTheRevision() throws {
    let client = try Client()
    #expect(throws: Client.Refusal.self) { try client.request("tools/list") }
    #expect(try client.begin()["protocolVersion"] == "2025-11-25")
    #expect(try client.begin(revision: "2025-06-18")["protocolVersion"] == "2025-06-18")
    #expect(try client.begin(revision: "1999-01-01")["protocolVersion"] == "2025-11-25")
    let found = try client.request("server/discover", Client.stateless())
    #expect(found["supportedVersions"]?.array?.first == "2026-07-28")
    #expect(found["resultType"] == "complete")
    let refusal = #expect(throws: Client.Refusal.self) {
      try client.request(
        "tools/list", ["_meta": ["io.modelcontextprotocol/protocolVersion": "2031-01-01"]])
    }
    #expect(refusal?.code == -32022)
  }

  @Test func listsAndReadsItems() throws {
    let client = try Client()
    try client.begin()
    let writer = try client.errand.writer(as: "test")
    for number in 1...101 {
      _ = try writer.create(
        "Link", ["url": .string("https://e.example/\(number)"), "pageText": "Long"])
    }
    _ = try writer.create("Note", ["text": "Hello"])
    var found: [String] = []
    var page = try client.request("resources/list")
    found += page["resources"]?.array?.compactMap { $0["uri"]?.string } ?? []
    while let cursor = page["nextCursor"] {
      page = try client.request("resources/list", ["cursor": cursor])
      found += page["resources"]?.array?.compactMap { $0["uri"]?.string } ?? []
    }
    #expect(found.count == 102 && Set(found).count == 102)
    #expect(found.contains("errand://Note/1"))
    func text(_ uri: JSONValue) throws -> String {
      let result = try client.request("resources/read", ["uri": uri])
      return result["contents"]?.array?.first?["text"]?.string ?? ""
    }
    #expect(try text("errand://Link/42").contains("https://e.example/42"))
    #expect(try !text("errand://Link/42").contains("Long"))
    #expect(try text("errand://Link/42?text=true").contains("Long"))
    for uri: JSONValue in ["errand://Link/4200", "errand://Nothing/1", "file:///etc/passwd", 1] {
      #expect(throws: Client.Refusal.self) { try text(uri) }
    }
    #expect(throws: Client.Refusal.self) {
      try client.request("resources/list", ["cursor": "nonsense"])
    }
    let templates = try client.request("resources/templates/list")["resourceTemplates"]?.array
    #expect(
      templates?.contains { $0["uriTemplate"] == "errand://Link/{id}{?text}" } == true)
  }

  @Test(arguments: [
    ("", -32700), ("{", -32700), ("[]", -32600), ("1", -32600), ("{}", -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":3.0,"method":"ping"}"#, nil),
    ("\u{0}", -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, nil),
  ])
  func answersMalformedMessages(text: String, code: Int64?) throws {
    let answers = try Client().server.take(Array(text.utf8))
    #expect(answers.count == 1)
    #expect(answers.first?["error"]?["code"]?.int == code)
  }

  @Test func survivesRandomMessages() throws {
    let client = try Client()
    try client.begin()
    var generator = SeededGenerator(seed: 19)
    let seeds = [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1}}}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"errand://Link/1"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"cursor":"Link link:1"}}"#,
      #"{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":{"answer":1}}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    ]
    for _ in 0..<500 {
      var bytes = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
        case 1: bytes.remove(at: index)
        default:
          bytes.insert(contentsOf: Array(#""{[}],:1"#.utf8).shuffled(using: &generator), at: index)
        }
      }
      for answer in client.server.take(bytes) {
        #expect(answer["error"] != nil || answer["result"] != nil)
      }
    }
    #expect(try client.request("ping") == [:])
  }

  @Test func keepsNamesOfClientsReadable() throws {
    let client = try Client()
    try client.errand.setAssistantAccess(to: ["save"], allowed: true)
    _ = try client.request(
      "initialize", ["clientInfo": ["name": "Ada's \u{1B}[31m\u{202E}Desk"], "capabilities": [:]])
    let saved = try client.request(
      "tools/call", ["name": "save", "arguments": ["url": "https://swift.org"]])
    #expect(saved["structuredContent"]?["result"]?["source"] == "Ada's [31mDesk")
  }

  @Test func splitsLines() {
    var reader = MessageReader()
    reader.append(Array("{}\n\n \r\n[1".utf8))
    #expect(reader.next().map { String(decoding: $0, as: UTF8.self) } == "{}")
    #expect(reader.next() == nil)
    reader.append(Array("]\n".utf8))
    #expect(reader.next().map { String(decoding: $0, as: UTF8.self) } == "[1]")
    reader.append([UInt8](repeating: 0x20, count: MessageReader.longestMessage + 1))
    #expect(reader.next().map { $0.count > MessageReader.longestMessage } == true)
    reader.append(Array("tail\n{}\n".utf8))
    #expect(reader.next().map { String(decoding: $0, as: UTF8.self) } == "{}")
  }

  @Test func servesOverPipes() throws {
    let sandbox = try Sandbox()
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let run = try sandbox.run("mcp", input: "\(ping)\nnonsense\n")
    #expect(run.status == 0)
    #expect(run.err == "")
    let lines = run.out.split(separator: "\n")
    #expect(lines.first == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    #expect(lines.count == 2)
  }

  @Test func endsRunsWithItsInput() throws {
    let sandbox = try Sandbox([
      ".config/errand/hold.yaml": """
      shortcut: hold
      steps:
        - try: [{ask: 'Go on?'}]
          finally: [{add-note: {text: ended}}]
      """
    ])
    #expect(try sandbox.run("mcp", "allow", "hold").status == 0)
    let meta = try Client.stateless(["name": "hold"]).text()
    try sandbox.write(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(meta)}"# + "\n", to: "call")
    // The input stays open until the question came.
    let run = try sandbox.shell(
      """
      mkfifo in
      errand mcp <in >out &
      exec 3>in
      cat call >&3
      for _ in $(seq 2400); do grep -q input_required out && break; sleep 0.05; done
      exec 3>&-
      wait
      for _ in $(seq 600); do [ "$(errand find notes --count)" = 1 ] && break; sleep 0.05; done
      errand find notes --count
      """)
    #expect(run == ProgramRun(out: "1\n", err: ""))
  }

  @Test func setsWhatAssistantsMayUse() throws {
    let sandbox = try Sandbox()
    let allowed = try sandbox.run("mcp", "allow", "save")
    #expect(allowed.err == "Assistants may now use save.\n")
    #expect(try sandbox.run("mcp", "tools").out.contains("save\tmay\tchanges\n"))
    #expect(
      try sandbox.run("mcp", "allow", "svae").err == """
        errand: error: there is no intent or shortcut `svae` of your own or built in [not-found]
          help: did you mean `save`?

        """)
    #expect(try sandbox.run("mcp", "allow").status == 2)
  }
}
