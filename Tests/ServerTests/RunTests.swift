import ErrandKit
import Server
import TestSupport
import Testing

@Suite struct RunTests {
  private static let definitions = """
    shortcut: asker
    durable: true
    steps:
      - {ask: First?, as: first}
      - {ask: Second?, as: second}
      - {return: '{{ first }} {{ second }}'}
    ---
    shortcut: hasty
    steps:
      - {ask: Name?, as: name}
      - {say: 'Hello {{ name }}'}
    ---
    shortcut: slow
    steps: [{wait: 1h}]
    ---
    shortcut: many
    steps: [{repeat: 600, do: [{say: Again}]}]
    ---
    shortcut: reader
    input: file
    steps: [{return: '{{ input }}'}]
    ---
    shortcut: chooser
    steps: [{ask: {prompt: Which?, type: file}}, {read-file: '{{ it }}'}]
    """

  private func run(_ response: Response) throws -> String {
    try #require(response.json["run"]?.string)
  }

  @Test func answersInOneRequest() throws {
    let api = try API()
    let response = try api.request(
      "POST", "/actions/save", #"{"url":"https://swift.org","tags":["a"]}"#)
    #expect(response.status == 200)
    #expect(response.json["result"]?["ref"] == "link:1")
    #expect(response.json["dialog"] == ["Saved https://swift.org in your library."])
    let run = try run(response)
    let shown = try api.request("GET", "/runs/\(run)").json
    #expect(shown["state"] == "done")
    #expect(try api.request("GET", "/runs").json["runs"]?.array?.first?["run"] == .string(run))
  }

  @Test func reportsFailures() throws {
    let api = try API()
    let response = try api.request("POST", "/actions/save", #"{"url":"nonsense"}"#)
    #expect(response.status == 422)
    #expect(response["Content-Type"] == "application/problem+json")
    #expect(response.json["code"] == "invalid-value")
    for (name, status) in [("nothing", 404), ("Link", 404), ("..", 404)] {
      #expect(try api.request("POST", "/actions/\(name)", "{}").status == status)
    }
    #expect(try api.request("POST", "/actions/save", #"{"nothing":1}"#).status == 422)
  }

  @Test func asksAndGoesOn() throws {
    let api = try API(Self.definitions)
    let asked = try api.request("POST", "/actions/asker", "{}")
    #expect(asked.status == 202)
    #expect(asked.json["question"]?["prompt"] == "First?")
    let run = try run(asked)
    func answer(_ number: Int, _ text: String) throws -> Response {
      try api.request(
        "POST", "/runs/\(run)/answers", #"{"number":\#(number),"answer":"\#(text)"}"#)
    }
    #expect(try answer(2, "x").status == 409)
    let second = try answer(1, "A")
    #expect(second.status == 202)
    #expect(second.json["question"]?["number"] == 2)
    #expect(try answer(1, "x").status == 409)
    // A durable run continues after a restart, under the same number.
    try api.restart()
    #expect(try api.request("GET", "/runs/\(run)").json["state"] == "suspended")
    #expect(try answer(1, "x").status == 409)
    let end = try answer(2, "B")
    #expect(end.status == 200)
    #expect(end.json["result"] == "A B")
    #expect(try answer(2, "B").status == 409)
  }

  @Test func givesUpQuestions() throws {
    let api = try API(Self.definitions, patience: .milliseconds(1))
    let hasty = try run(api.request("POST", "/actions/hasty", "{}"))
    let asker = try run(api.request("POST", "/actions/asker", "{}"))
    func state(_ run: String) throws -> String? {
      try api.request("GET", "/runs/\(run)").json["state"]?.string
    }
    try api.turn { (try? state(hasty)) == "cancelled" && (try? state(asker)) == "suspended" }
    let answer = #"{"number":1,"answer":"A"}"#
    #expect(try api.request("POST", "/runs/\(hasty)/answers", answer).status == 409)
    let second = try api.request("POST", "/runs/\(asker)/answers", answer)
    #expect(second.json["question"]?["prompt"] == "Second?")
  }

  @Test func runsBelongToTheirToken() throws {
    let api = try API(Self.definitions)
    let run = try run(api.request("POST", "/actions/hasty", "{}"))
    let other = try api.token(.all)
    for (method, path, body) in [
      ("GET", "", nil), ("GET", "/events", nil), ("DELETE", "", nil),
      ("POST", "/answers", #"{"number":1,"answer":"x"}"#),
    ] as [(String, String, String?)] {
      #expect(try api.request(method, "/runs/\(run)\(path)", body, token: other).status == 404)
    }
    #expect(try api.request("GET", "/runs", token: other).json["runs"] == [])
    #expect(try api.request("DELETE", "/runs/\(run)").json["state"] == "cancelled")
    #expect(try api.request("DELETE", "/runs/\(run)").status == 409)
  }

  @Test func sendsEvents() throws {
    let api = try API(Self.definitions)
    let run = try run(api.request("POST", "/actions/many", "{}"))
    let events = try api.request("GET", "/runs/\(run)/events").text
    // The run writes 1,200 steps and texts; the last 1,000 are kept.
    #expect(events.hasPrefix("event: lost\ndata: {\"from\":1,"))
    #expect(events.contains("\nevent: result\n"))
    let numbers = events.split(separator: "\n").filter { $0.hasPrefix("id: ") }
    #expect(numbers.count == 1_000)
    let last = try #require(numbers.last?.dropFirst(4)).description
    let rest = try api.request(
      "GET", "/runs/\(run)/events", headers: [("Last-Event-ID", "\((Int(last) ?? 0) - 1)")])
    #expect(rest.text.hasPrefix("id: \(last)\n"))
  }

  @Test func sendsTheTranscript() throws {
    let api = try API(Self.definitions)
    let run = try run(api.request("POST", "/actions/hasty", "{}"))
    let path = "/runs/\(run)/transcript"
    func kinds(_ json: JSONValue) -> [String] {
      (json["entries"]?.array ?? []).compactMap { $0["kind"]?.string }
    }
    let open = try api.request("GET", path).json
    #expect(kinds(open) == ["question"] && open["state"] == "waiting")
    _ = try api.request("POST", "/runs/\(run)/answers", #"{"number":1,"answer":"Ada"}"#)
    let ended = try api.request("GET", path).json
    #expect(kinds(ended) == ["question", "say", "result", "ended"] && ended["state"] == "done")
    #expect(ended["entries"]?.array?.first?["answer"] == "Ada")
    #expect(try kinds(api.request("GET", path + "?from=3").json) == ["say", "result", "ended"])
    let stream = try api.request("GET", path, headers: [("Accept", "text/event-stream")]).text
    #expect(stream.contains("id: 2\nevent: entry\ndata: {") && stream.contains(#""kind":"ended""#))
    #expect(try api.request("GET", path, token: api.token(.all)).status == 404)
  }

  @Test func keepsTheTranscriptOfARecordedRun() throws {
    let api = try API(Self.definitions)
    let run = try run(api.request("POST", "/actions/asker", "{}"))
    _ = try api.request("POST", "/runs/\(run)/answers", #"{"number":1,"answer":"one"}"#)
    try api.restart()
    let kept = try api.request("GET", "/runs/\(run)/transcript").json
    #expect(kept["state"] == "suspended")
    #expect(
      kept["entries"]?.array?.compactMap { $0["prompt"]?.string } == ["First?", "Second?"])
    let end = try api.request("POST", "/runs/\(run)/answers", #"{"number":2,"answer":"two"}"#).json
    #expect(end["result"] == "one two")
    let all = try api.request("GET", "/runs/\(run)/transcript").json["entries"]?.array ?? []
    #expect(all.compactMap { $0["answer"]?.string } == ["one", "two"])
  }

  @Test func readsNoFilesOfThePerson() throws {
    let api = try API(Self.definitions)
    try api.sandbox.write("private", to: "letter.txt")
    let path = "\(api.sandbox.path)/letter.txt"
    let body = #"{"input":"\#(path)"}"#
    #expect(try api.request("POST", "/actions/reader", body).status == 422)
    let form = """
      --b\r\nContent-Disposition: form-data; name="input"\r\n\r\n\(path)\r\n--b--\r\n
      """
    let headers = [(name: "Content-Type", value: "multipart/form-data; boundary=b")]
    #expect(try api.request("POST", "/actions/reader", form, headers: headers).status == 422)
    let upload = """
      --b\r\nContent-Disposition: form-data; name="input"; filename="../../a.txt"\r\n\r\nhello\r\n--b--\r\n
      """
    let sent = try api.request("POST", "/actions/reader", upload, headers: headers)
    #expect(sent.status == 200)
    #expect(sent.text.contains("a.txt"))
  }

  @Test(arguments: ["-9223372036854775808", "9223372036854775807", "x"])
  func transcriptsBeginAtAnyNumber(_ from: String) throws {
    let api = try API(Self.definitions)
    let run = try run(api.request("POST", "/actions/asker", "{}"))
    for kind in ["application/json", "text/event-stream"] {
      _ = try api.begin(
        "GET", "/runs/\(run)/transcript?from=\(from)", "", headers: [(name: "Accept", value: kind)])
    }
    #expect(try api.request("GET", "/runs/\(run)").status == 200)
    api.service.end()
  }

  @Test func answersWithFilesOfTheClientOnly() throws {
    let api = try API(Self.definitions)
    try api.sandbox.write("private", to: "letter.txt")
    let run = try run(api.request("POST", "/actions/chooser", "{}"))
    let path = "\(api.sandbox.path)/letter.txt"
    for answer in [#""\#(path)""#, #"["\#(path)"]"#] {
      let refused = try api.request(
        "POST", "/runs/\(run)/answers", #"{"number":1,"answer":\#(answer)}"#)
      #expect(refused.status == 422)
    }
    func form(_ part: String) -> String {
      """
      --b\r\nContent-Disposition: form-data; name="number"\r\n\r\n1\r
      --b\r\nContent-Disposition: form-data; name="answer"\(part)\r\n--b--\r\n
      """
    }
    let headers = [(name: "Content-Type", value: "multipart/form-data; boundary=b")]
    let text = try api.request(
      "POST", "/runs/\(run)/answers", form("\r\n\r\n\(path)"), headers: headers)
    #expect(text.status == 422)
    let sent = try api.request(
      "POST", "/runs/\(run)/answers", form("; filename=\"a.txt\"\r\n\r\nhello"), headers: headers)
    #expect(sent.json["result"] == "hello")
  }

  @Test func servesNoForeignDefinitions() throws {
    let api = try API()
    try api.sandbox.write("shortcut: foreign\nsteps: [{say: Hi}]", to: ".errand/foreign.yaml")
    _ = try api.sandbox.run("trust", "--yes", ".")
    #expect(try api.request("POST", "/actions/foreign", "{}").status == 404)
    #expect(try !api.request("GET", "/actions").text.contains("foreign"))
  }

  @Test func oldestQuestionOfATokenGivesWay() throws {
    let api = try API(Self.definitions)
    let other = try api.token(.all)
    let kept = try run(api.request("POST", "/actions/hasty", "{}", token: other))
    var runs: [String] = []
    for name in ["hasty", "asker"] + Array(repeating: "hasty", count: 100) {
      runs.append(try run(api.request("POST", "/actions/\(name)", "{}")))
    }
    func state(_ run: String, _ token: String? = nil) throws -> String? {
      try api.request("GET", "/runs/\(run)", token: token).json["state"]?.string
    }
    try api.turn { (try? state(runs[0])) == "cancelled" && (try? state(runs[1])) == "suspended" }
    #expect(try state(kept, other) == "waiting" && state(runs[10]) == "waiting")
    #expect(try api.request("POST", "/actions/hasty", "{}", token: other).status == 202)
    api.service.end()
    try api.turn { api.service.isIdle }
  }

  @Test func runsOfATokenKeepNobodyOut() throws {
    let api = try API(Self.definitions)
    let began = try (0..<140).map { _ in try api.begin("POST", "/actions/slow", "{}") }
    #expect(began.count { $0()?.status == 503 } == 8)
    let other = try api.token(.all)
    #expect(try api.request("POST", "/actions/many", "{}", token: other).status == 200)
    api.service.end()
    api.service.abandon()
    try api.turn { api.service.isIdle }
  }
}
