import CEL
import JSON
import TestSupport
import Testing

/// A run controlled by another program (`docs/events.md`, whose examples run elsewhere).
@Suite struct EventsTests {
  /// Returns the events of a run as values.
  private func events(
    _ definition: String, _ answers: String
  ) throws -> (events: [MapValue], status: Int32) {
    let sandbox = try Sandbox(["t.yaml": "shortcut: t\nsteps:\n" + definition])
    let run = try sandbox.run("run", "./t.yaml", "--events", input: answers)
    #expect(run.err == "")
    var events: [MapValue] = []
    for line in run.out.split(separator: "\n") {
      guard case .map(let event) = try JSONParser().parse(String(line)) else { continue }
      if event["event"] != "step", event["event"] != "begin" { events.append(event) }
    }
    return (events, run.status)
  }

  private func names(_ events: [MapValue]) -> [String] {
    events.map {
      $0["event"].flatMap { if case .string(let name) = $0 { name } else { nil } } ?? ""
    }
  }

  @Test(
    arguments: [
      (#"{"answer": 7}"#, "int", 7), (#"{"answer": "7"}"#, "int", 7),
      (#"{"answer": null}"#, "int", 3), (#"{"answer": ""}"#, "int", 3),
      (#"{"answer": 2.5}"#, "double", 2.5), (#"{"answer": true}"#, "bool", true),
      (#"{"answer": ["a", "b"]}"#, "list<string>", ["a", "b"]),
      (#"{"answer": "x\u0000y"}"#, "string", "x\0y"),
    ] as [(String, String, Value)])
  func anAskTakesValues(_ answer: String, _ type: String, _ value: Value) throws {
    let ask = "  - ask: {prompt: 'What?', type: '\(type)'\(type == "int" ? ", default: 3" : "")}\n"
    let (events, status) = try events(ask, answer + "\n")
    #expect(status == 0)
    #expect(names(events) == ["ask", "result"])
    #expect(events.last?["value"] == value)
  }

  @Test(
    arguments: [
      ("nonsense", "the answer is not JSON: "), ("7", "the answer is not an object"),
      ("{}", "the answer has no `answer`"), (#"{"answer": {}}"#, "the answer must be text"),
      (#"{"answer": "seven"}"#, "“seven” is not a whole number"),
    ])
  func aBadAnswerIsAskedForAgain(_ answer: String, _ problem: String) throws {
    let (events, status) = try events(
      "  - ask: {prompt: 'How many?', type: int}\n", "\(answer)\n\n{\"answer\": 7}\n")
    #expect(status == 0)
    #expect(names(events) == ["ask", "ask", "result"])
    #expect(events[0]["problem"] == .null)
    #expect(events.prefix(2).map { $0["number"] } == [1, 1])
    guard case .string(let text)? = events[1]["problem"] else {
      Issue.record("there is no problem")
      return
    }
    #expect(text.contains(problem))
    #expect(events[1]["prompt"] == "How many?")
  }

  @Test(
    arguments: [
      (#"{"answer": 2}"#, "b"), (#"{"answer": "c"}"#, "c"), (#"{"answer": ["a"]}"#, "a"),
    ])
  func aChoiceTakesANumberOrATitle(_ answer: String, _ chosen: String) throws {
    let (events, _) = try events("  - choose: {from: [a, b, c], prompt: 'Which?'}\n", answer)
    #expect(names(events) == ["choose", "result"])
    #expect(events.last?["value"] == .string(chosen))
  }

  @Test func manyChoicesAreAList() throws {
    let step = "  - choose: {from: [a, b, c], prompt: 'Which?', many: true}\n"
    let (events, _) = try events(step, #"{"answer": [3, "a"]}"#)
    #expect(events[0]["many"] == true)
    #expect(events.last?["value"] == ["c", "a"])
    #expect(try self.events(step, #"{"answer": []}"#).events.last?["value"] == [])
  }

  @Test(
    arguments: [
      (#"{"answer": true}"#, 0), (#"{"answer": "no"}"#, 4), (#"{"answer": false}"#, 4),
      (#"{"cancel": true}"#, 4), ("", 4),
    ] as [(String, Int32)])
  func aConfirmation(_ answer: String, _ expected: Int32) throws {
    let (events, status) = try events("  - confirm: {prompt: 'Sure?', danger: true}\n", answer)
    #expect(status == expected)
    #expect(events[0]["danger"] == true)
    #expect(names(events) == ["confirm", expected == 0 ? "result" : "error"])
  }

  @Test func showEventsHaveTheirFields() throws {
    let steps = """
        - value: [{a: 1}]
        - show: {value: '{{ it }}', as: table}
        - show: {value: plain, as: text}
        - say: "two\\nlines"

      """
    let (events, _) = try events(steps, "")
    #expect(names(events) == ["show", "show", "say", "result"])
    #expect(events[0]["as"] == "table")
    #expect(events[0]["columns"] == ["a"])
    #expect(events[0]["value"] == [["a": 1]])
    #expect(events[1]["text"] == "plain")
    #expect(events[2]["text"] == "two\nlines")
  }

  @Test func cardsOfASearchHaveSnippets() throws {
    let steps = """
        - create: {entity: Note, set: {text: "A title\\nand a swift bird"}}
        - find: {entity: Note, match: swift}
        - show: '{{ it }}'

      """
    let (events, _) = try events(steps, "")
    let card = try #require(events.first { $0["event"] == "show" })["cards"]
    #expect(
      card == [
        [
          "title": "A title", "subtitle": "just now", "ref": "note:1",
          "snippet": [
            ["text": "A title and a ", "isMatch": false], ["text": "swift", "isMatch": true],
            ["text": " bird", "isMatch": false],
          ],
        ]
      ])
  }
}
