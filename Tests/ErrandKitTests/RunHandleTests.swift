import ErrandKit
import FoundationEssentials
import Glibc
import Testing

/// Starting, answering and ending runs.
@Suite struct RunHandleTests {
  private let home: Home

  init() throws { home = try Home() }

  @Test func readerSeesItemsSavedByARun() throws {
    let errand = try home.open()
    let reader = try errand.reader()
    #expect(try reader.count("Link") == 0)
    var events: [String] = []
    let run = try errand.start(
      "save", ["url": "https://swift.org", "title": "Swift", "tags": ["language", "apple"]])
    let saved = try run.result { events.append($0.name) }
    #expect(saved["ref"] == "link:1")
    #expect(events.first == "begin")
    #expect(events.last == "result")
    #expect(run.state == .done)
    #expect(try run.result() == saved)
    let link = try #require(try reader.find("Link", where: "'apple' in self.tags").first)
    #expect(link.title == "Swift")
    #expect(link.reference == "link:1")
    #expect(link["tags"] == ["language", "apple"])
    #expect(try reader.item("swift", of: "Link").id == 1)
    #expect(try reader.runs().first?["id"]?.string == run.id)
  }

  @Test func parametersKeepTypesAndCommas() throws {
    let errand = try home.open([
      "echo.yaml": """
      intent: echo
      parameters: {words: list<string>, count: int, share: double, on: bool, more: any}
      steps: [{value: {words: '{{ words }}', count: '{{ count }}', share: '{{ share }}',
        on: '{{ on }}', more: '{{ more }}'}}]
      """
    ])
    let given: [String: JSONValue] = [
      "words": ["a,b", "c", "", " d ", "--yes"], "count": 7, "share": 0.5, "on": true,
      "more": ["x": [1, "2", nil]],
    ]
    #expect(try errand.start("echo", given).result() == .object(given))
    let unknown = try errand.start("echo", ["wrods": []])
    let error = #expect(throws: ErrandError.self) { try unknown.result() }
    #expect(error?.message == "`echo` has no parameter `wrods`")
    #expect(error?.help == "did you mean `words`?")
    let misfit = try errand.start("echo", given.merging(["count": "many"]) { $1 })
    #expect(throws: ErrandError.self) { try misfit.result() }
  }

  @Test func inputIsPassedToAShortcut() throws {
    let errand = try home.open([
      "loud.yaml": "shortcut: loud\ninput: string\nsteps: [{value: '{{ input.upperAscii() }}'}]"
    ])
    #expect(try errand.start("loud", input: "a, b").result() == "A, B")
  }

  @Test func failedRunThrowsItsError() throws {
    let run = try home.open().start("save", ["url": "not a url"])
    let error = #expect(throws: ErrandError.self) { try run.result() }
    #expect(error?.code == "invalid-value")
    #expect(run.state == .failed)
  }

  @Test func answersMatchQuestionsByNumber() throws {
    let errand = try home.open([
      "greet.yaml": """
      shortcut: greet
      steps:
        - ask: Who?
          as: first
        - ask: And who?
          as: second
        - value: '{{ first }} and {{ second }}'
      """
    ])
    let run = try errand.start("greet")
    let early = #expect(throws: ErrandError.self) { try run.answer("Nobody") }
    #expect(early?.code == "conflict")
    let result = try run.result { event in
      guard event.name == "ask", let number = event["number"]?.int else { return }
      #expect(run.state == .waiting)
      #expect(run.question == event)
      #expect(throws: ErrandError.self) { try run.answer("Nobody", to: number - 1) }
      try run.answer(number == 1 ? "Ann" : "Ben", to: number)
      #expect(throws: ErrandError.self) { try run.answer("Nobody", to: number) }
    }
    #expect(result == "Ann and Ben")
  }

  @Test func leavingAQuestionCancelsTheRun() throws {
    let errand = try home.open(["hold.yaml": "shortcut: hold\nsteps: [{ask: Go on?}]"])
    let run = try errand.start("hold")
    let error = #expect(throws: ErrandError.self) {
      try run.result { if $0.name == "ask" { try run.leave() } }
    }
    #expect(error?.code == "cancelled")
    #expect(run.state == .cancelled)
  }

  @Test func nextRespectsItsTimeout() throws {
    let errand = try home.open(["hold.yaml": "shortcut: hold\nsteps: [{ask: Go on?}]"])
    let run = try errand.start("hold")
    while run.state != .waiting { _ = try run.next() }
    #expect(try run.next(within: .milliseconds(20)) == nil)
    #expect(try run.next(within: .zero) == nil)
    #expect(run.state == .waiting)
    try run.answer("yes")
    var ready = pollfd(fd: run.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 10_000) == 1)
    #expect(try run.result() == "yes")
  }

  @Test func runUsesTimeZoneAndFolder() throws {
    let errand = try home.open([
      "where.yaml": """
      intent: where
      steps:
        - read-file: here.txt
          as: text
        - value: ['{{ text }}', '{{ timestamp("2026-07-01T12:00:00Z").getHours() }}']
      """
    ])
    try home.write("below", to: "below/here.txt")
    var options = Errand.RunOptions()
    options.zone = "Asia/Tokyo"
    options.folder = home.path + "/below"
    #expect(try errand.start("where", options: options).result() == ["below", 21])
  }

  @Test func durableRunSuspendsAndResumes() throws {
    let errand = try home.open([
      "hold.yaml": """
      shortcut: hold
      durable: true
      steps: [{ask: Who?, as: who}, {value: '{{ who }}!'}]
      """
    ])
    let run = try errand.start("hold")
    while run.state != .waiting { _ = try run.next() }
    run.suspend()
    let error = #expect(throws: ErrandError.self) { try run.result() }
    #expect(error?.code == "suspended")
    #expect(run.state == .suspended)
    let reader = try errand.reader()
    let record = try #require(try reader.runs().first)
    #expect(record["state"] == "suspended")
    let again = try errand.resume(try #require(record["run"]?.int))
    #expect(try again.result { if $0.name == "ask" { try again.answer("Ann") } } == "Ann!")
    #expect(try reader.run("last")["state"] == "done")
    #expect(try reader.run("last")["steps"]?.array?.isEmpty == false)
  }

  @Test func resumedRunHasItsIDAndAFinalEvent() throws {
    let errand = try home.open([
      "hold.yaml": "shortcut: hold\ndurable: true\nsteps: [{ask: Who?}]"
    ])
    let run = try errand.start("hold")
    while run.state != .waiting { _ = try run.next() }
    run.suspend()
    #expect(throws: ErrandError.self) { try run.result() }
    let number = try #require(try errand.reader().runs().first?["run"]?.int)
    let again = try errand.resume(number)
    while again.state != .waiting { _ = try again.next() }
    #expect(again.id != nil)
    #expect(again.id == run.id)
    again.cancel()
    var last: RunHandle.Event?
    #expect(throws: ErrandError.self) { try again.result { last = $0 } }
    #expect(last?.name == "error")
    #expect(last?["error"]?["code"] == "cancelled")
  }

  @Test func changesRecordTheirCause() throws {
    let errand = try home.open()
    var options = Errand.RunOptions()
    options.cause = "menu"
    _ = try errand.start("save", ["url": "https://swift.org"], options: options).result()
    _ = try errand.start("save", ["url": "https://errand.example"]).result()
    let reader = try errand.reader()
    #expect(try reader.changes().map { $0["by"] } == ["save", "menu"])
    #expect(try reader.changes(by: "menu").first?["change"] == "create")
    #expect(try reader.changes(after: 1).map { $0["by"] } == ["save"])
  }

  @Test func grantAcceptsAPathWithAComma() throws {
    let errand = try home.open()
    try home.write(
      "shortcut: keep-it\nsteps: [{write-file: {path: 'a,b.txt', text: kept}}]",
      to: "keep.yaml")
    let path = home.path + "/keep.yaml"
    let error = #expect(throws: ErrandError.self) { try errand.start(path).result() }
    #expect(error?.code == "needs-value")
    var options = Errand.RunOptions()
    options.allow = ["write:a,b.txt"]
    _ = try errand.start(path, options: options).result()
    #expect(try String(contentsOfFile: home.path + "/a,b.txt", encoding: .utf8) == "kept")
  }

  @Test func durableRunCanBeCancelled() throws {
    let errand = try home.open([
      "hold.yaml": "shortcut: hold\ndurable: true\nsteps: [{ask: Who?}]"
    ])
    let run = try errand.start("hold")
    while run.state != .waiting { _ = try run.next() }
    run.cancel()
    let error = #expect(throws: ErrandError.self) { try run.result() }
    #expect(error?.code == "cancelled")
    let other = try errand.start("hold")
    while other.state != .waiting { _ = try other.next() }
    let number = try #require(try errand.reader().runs().first?["run"]?.int)
    #expect(try errand.writer(as: "test").cancel(run: number))
    #expect(throws: ErrandError.self) { try other.result() }
    #expect(try errand.reader().runs().map { $0["state"] } == ["cancelled", "cancelled"])
    #expect(throws: ErrandError.self) { try errand.writer(as: "test").cancel(run: number) }
  }

  @Test func processListDoesNotShowValues() throws {
    let errand = try home.open([
      "hold.yaml":
        "shortcut: hold\nparameters: {word: string}\nsteps: [{ask: 'Go on, {{ word }}?'}]"
    ])
    var options = Errand.RunOptions()
    options.answers = [("other", "abracadabra")]
    let run = try errand.start("hold", ["word": "sesame"], options: options)
    while run.state != .waiting { _ = try run.next() }
    #expect(run.question?["prompt"] == "Go on, sesame?")
    for name in ["cmdline", "environ"] {
      let bytes = try Data(contentsOf: URL(filePath: "/proc/\(run.process)/\(name)"))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!bytes.isEmpty)
      for word in ["sesame", "abracadabra", "hold"] { #expect(!text.contains(word)) }
    }
  }

  @Test func releasingTheHandleEndsTheRun() throws {
    let errand = try home.open(["hold.yaml": "shortcut: hold\nsteps: [{wait: 1h}]"])
    var run: RunHandle? = try errand.start("hold")
    #expect(try run?.next()?.name == "begin")
    let process = try #require(run?.process)
    run = nil
    #expect(eventually { kill(process, 0) != 0 })
  }
}
