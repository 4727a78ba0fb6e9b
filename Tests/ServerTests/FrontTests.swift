import ErrandKit
import Links
import Server
import TestSupport
import Testing

/// One run, led by each front to the same transcript.
@Suite struct FrontTests {
  /// Twelve questions of twelve types, choices, progress, two presentations, a failure and a retry.
  private static let survey = """
    shortcut: survey
    phrases: [take the survey]
    steps:
      - say: Good to see you.
      - ask: {prompt: A word?}
        as: word
      - ask: {prompt: A count?, type: int}
        as: count
      - ask: {prompt: A part?, type: double}
        as: part
      - ask: {prompt: Really?, type: bool}
        as: really
      - ask: {prompt: A day?, type: date}
        as: day
      - ask: {prompt: A moment?, type: timestamp}
        as: moment
      - ask: {prompt: A length?, type: duration}
        as: length
      - ask: {prompt: An address?, type: url}
        as: address
      - ask: {prompt: A grade?, type: enum, values: [low, high]}
        as: grade
      - ask: {prompt: Some words?, type: list<string>}
        as: words
      - ask: {prompt: A task?, type: Task}
        as: task
      - ask: {prompt: A period?, type: period}
        as: period
      - choose: {from: [Oslo, Rome, Bern], prompt: A town?}
        as: town
      - choose: {from: [red, blue], prompt: Colours?, many: true}
        as: colours
      - confirm: Go on?
      - repeat: 3
        index: n
        do:
          - progress: {done: '{{ n + 1 }}', total: 3, label: Sorting}
      - show: {value: '{{ [{"town": town, "count": count}] }}', as: table}
      - show: {value: "# Notes\\n\\nNothing.", as: markdown}
      - exec: {shell: 'if [ -e tried ]; then rm tried; else touch tried; exit 1; fi'}
        retry: {times: 2, delay: 1ms, on: exec}
      - try: [fail: It broke]
        catch: [say: 'It broke once.']
      - create: {entity: Note, set: {text: '{{ word }}'}}
      - return: '{{ word }} {{ count }} {{ period }} {{ grade }}'
    """

  /// The answers, as typed, in the order of the questions.
  private static let answers: [(typed: String, json: JSONValue)] = [
    ("Ada", "Ada"), ("42", 42), ("0.5", 0.5), ("true", true), ("2026-12-24", "2026-12-24"),
    ("2026-12-24 18:30", "2026-12-24 18:30"), ("1h30m", "1h30m"),
    ("https://swift.org", "https://swift.org"), ("high", "high"), ("x,y", ["x", "y"]),
    ("task:1", "task:1"), ("2w", "2w"),
  ]

  private func home() throws -> API {
    let api = try API(Self.survey)
    #expect(try api.request("POST", "/items/Task", #"{"title":"Milk"}"#).status == 201)
    api.sandbox.environment["NO_COLOR"] = "1"
    api.sandbox.environment["TERM"] = "dumb"
    return api
  }

  /// The entries of the latest run, without times and numbers of items.
  private func kept(in api: API) throws -> [String] {
    let log = try JSONValue(parsing: api.sandbox.run("log", "--json").out)
    return try (log["transcript"]?.array ?? []).map { entry in
      guard case .object(var members) = entry else { return "" }
      members["time"] = nil
      members["run"] = nil
      members["changes"] = nil
      return try JSONValue.object(members.filter { $0.value != .null }).text()
    }
  }

  /// Types the answers at a terminal.
  private func type(_ terminal: TerminalRun) throws {
    for (prompt, answer) in zip(
      [
        "A word?", "A count?", "A part?", "Really?", "A day?", "A moment?", "A length?",
        "An address?", "A grade?", "Some words?", "A task?", "A period?",
      ], Self.answers)
    {
      try terminal.expect(prompt)
      terminal.type(answer.typed + "\n")
    }
    try terminal.expect("A town?")
    terminal.type("2\n")
    try terminal.expect("Colours?")
    terminal.type("1,2\n")
    try terminal.expect("Go on?")
    terminal.type("y\n")
    #expect(try terminal.finish() == 0, "\(terminal.text)")
  }

  private func throughTheAPI(_ api: API) throws {
    var reply = try api.request("POST", "/actions/survey", "{}")
    let run = try #require(reply.json["run"]?.string)
    let choices: [JSONValue] = ["Rome", ["red", "blue"], true]
    for (index, answer) in (Self.answers.map(\.json) + choices).enumerated() {
      let sent: JSONValue = ["number": .int(Int64(index) + 1), "answer": answer]
      reply = try api.request("POST", "/runs/\(run)/answers", sent.text())
    }
    #expect(reply.status == 200, "\(reply.text)")
  }

  private func throughThePage(_ api: API) throws {
    var browser = Browser(api)
    try browser.signIn()
    var place = try browser.send("/run/survey", "form=\(browser.form)")["Location"] ?? ""
    for (kind, answers) in Self.answers.map({ ("ask", [$0.typed]) })
      + [("choose", ["2"]), ("choose", ["1", "2"]), ("confirm", ["true"])]
    {
      let page = try browser.load(place).text
      func field(_ name: String) -> String {
        guard let found = page.firstRange(of: "name=\"\(name)\" value=\"") else { return "" }
        return String(page[found.upperBound...].prefix { $0 != "\"" })
      }
      let sent = answers.map { "answer=\(PercentEncoding.encode($0))" }.joined(separator: "&")
      place =
        try browser.send(
          place,
          "form=\(browser.form)&number=\(field("number"))&kind=\(field("kind"))"
            + "&many=\(field("many"))&\(sent)")["Location"] ?? ""
      #expect(field("kind") == kind || field("kind") == "list", "\(page)")
    }
  }

  /// Calls a tool; each answer is to the question of the call before.
  private func callTool(
    _ name: String, answers: [JSONValue], through api: API
  ) throws -> JSONValue {
    let meta: JSONValue = [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": ["name": "test", "version": "1"],
      "io.modelcontextprotocol/clientCapabilities": ["elicitation": ["form": [:]]],
    ]
    var parameters: [String: JSONValue] = [
      "_meta": meta, "name": .string(name), "arguments": [:],
    ]
    func call() throws -> JSONValue {
      let request: JSONValue = [
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": .object(parameters),
      ]
      let reply = try api.request("POST", "//mcp", request.text()).text
      let data = reply.split(separator: "\n").last { $0.hasPrefix("data: ") }?.dropFirst(6)
      return try JSONValue(parsing: String(data ?? "{}"))["result"] ?? .null
    }
    for answer in answers {
      let asked = try call()
      let state = asked["requestState"]?.string
      parameters["requestState"] = .string(try #require(state, "\(asked)"))
      parameters["inputResponses"] = [
        "question": ["action": "accept", "content": ["answer": answer]]
      ]
    }
    return try call()
  }

  private func throughAnAssistant(_ api: API) throws {
    // The client confirms a tool that runs programs before it starts.
    let choices: [JSONValue] = ["Rome", ["red", "blue"], true]
    let ended = try callTool(
      "survey", answers: [true] + Self.answers.map(\.json) + choices, through: api)
    #expect(ended["isError"] == false, "\(ended)")
  }

  // MARK: Entries

  /// A run with an entry of each kind but questions, and one that fails.
  private static let entries = """
    shortcut: entries
    steps:
      - say: A sentence that is longer than a narrow terminal is wide.
      - show: {value: '{{ [{"town": "Oslo", "rain": 2}, {"town": "Bern", "rain": 11}] }}', as: table}
      - show: {value: '{{ {"author": "Ada", "pages": 412} }}'}
      - show: {value: "# One\\n\\n- Two **bold**\\n", as: markdown}
      - repeat: 3
        index: n
        do:
          - progress: {done: '{{ n + 1 }}', total: 3, label: Sorting}
      - activity: {key: wash, title: Washing, progress: 0.5, detail: two left}
      - create: {entity: Note, set: {text: A note}}
        as: note
      - show: '{{ note }}'
      - return: '{{ note.text }}'
    ---
    shortcut: fails
    steps:
      - create: {entity: Note, set: {text: Kept}}
      - say: Until here.
      - read-file: nothing.txt
    """

  /// The text of a page's run, a line for each element.
  private func shown(_ page: String) throws -> String {
    let start = try #require(page.firstRange(of: "id=\"said\"")).lowerBound
    let end = try #require(page.firstRange(of: "id=\"asked\"")).lowerBound
    var text = ""
    var isTag = true
    for character in page[start..<end] {
      if character == "<" { isTag = true }
      if !isTag { text.append(character) }
      if character == ">" {
        isTag = false
        text.append("\n")
      }
    }
    return text.split(separator: "\n").map { $0.filter { $0 != "\r" } }
      .filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n") + "\n"
  }

  @Test(arguments: ["terminal-40", "terminal-80", "pipe", "log", "page", "assistant"])
  func entriesLookAsDrawn(front: String) throws {
    let api = try API(Self.entries)
    (api.sandbox.environment["NO_COLOR"], api.sandbox.environment["TERM"]) = ("1", "dumb")
    var browser = Browser(api)
    if front == "page" {
      #expect(try api.request("POST", "/items/Task", #"{"title":"Milk"}"#).status == 201)
      try browser.signIn()
    }
    var text = ""
    for name in ["entries", "fails"] {
      text += "## \(name)\n"
      switch front {
      case "pipe":
        let run = try api.sandbox.run("run", name)
        text += run.out + run.err
      case "log":
        _ = try api.sandbox.run("run", name)
        text +=
          try api.sandbox.run("log").out.split(separator: "\n")
          .filter { $0.hasPrefix("  │") }.joined(separator: "\n") + "\n"
      case "page":
        let sent = try browser.send("/run/\(name)", "form=\(browser.form)")
        text += try shown(browser.load(try #require(sent["Location"])).text)
      case "assistant":
        #expect(try api.sandbox.run("mcp", "allow", name).status == 0)
        // The client confirms a tool that reads files.
        let reply = try callTool(name, answers: name == "fails" ? [true] : [], through: api)
        #expect(reply["requestState"] == nil, "\(reply)")
        let content = reply["content"]?.array
        text += (content ?? []).map { ($0["text"]?.string ?? "") + "\n" }.joined()
      default:
        let terminal = try api.sandbox.terminal(
          "run", name, columns: Int(front.suffix(2)) ?? 80)
        _ = try terminal.finish()
        text += terminal.text
      }
    }
    text = text.replacing(api.sandbox.path + "/", with: "")
    #expect(try text == Golden.text("entries/\(front).txt", recording: text))
  }

  @Test func everyFrontTellsTheSame() throws {
    let api = try home()
    #expect(try api.sandbox.run("mcp", "allow", "survey").status == 0)
    try throughTheAPI(api)
    let expected = try kept(in: api)
    #expect(expected.count > 20)
    let fronts: [(name: String, lead: () throws -> Void)] = [
      ("terminal", { try type(api.sandbox.terminal("run", "survey")) }),
      ("do", { try type(api.sandbox.terminal("do", "take", "the", "survey")) }),
      ("page", { try throughThePage(api) }), ("assistant", { try throughAnAssistant(api) }),
    ]
    for front in fronts {
      try front.lead()
      let found = try kept(in: api)
      #expect(found.count == expected.count, "\(front.name)")
      for (one, other) in zip(found, expected) { #expect(one == other, "\(front.name)") }
    }
  }
}
