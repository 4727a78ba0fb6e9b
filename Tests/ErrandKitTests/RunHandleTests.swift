import ErrandKit
import FoundationEssentials
import Glibc
import Testing

/// Runs that a program starts, answers and ends, and the library that it reads.
@Suite struct RunHandleTests {
  private let home =
    FileManager.default.temporaryDirectory.path + "/errand-kit-" + UUID().uuidString.prefix(8)

  /// One person's Errand in a home of its own, with definitions by the names of their files.
  private func open(_ definitions: [String: String] = [:]) throws -> Errand {
    let folder = home + "/.config/errand"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in definitions {
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    }
    var options = Errand.Options()
    options.folder = home
    options.environment = [
      "HOME": home, "TZ": "UTC", "ERRAND_ENRICH": "off", "XDG_CONFIG_HOME": "",
      "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "ERRAND_STORE": "",
    ]
    return try Errand.open(options)
  }

  @Test func whatARunSavesIsRead() throws {
    let errand = try open()
    let reader = try errand.reader()
    #expect(try reader.count("Link") == 0)
    var events: [String] = []
    let saved = try errand.start(
      "save", ["url": "https://swift.org", "title": "Swift", "tags": ["language", "apple"]]
    ).result { events.append($0.name) }
    #expect(saved["ref"] == "link:1")
    #expect(events.first == "begin")
    #expect(events.last == "result")
    let link = try #require(try errand.reader().find("Link", where: "'apple' in self.tags").first)
    #expect(link.title == "Swift")
    #expect(link.reference == "link:1")
    #expect(link["tags"] == ["language", "apple"])
    #expect(try errand.reader().item("swift", of: "Link").id == 1)
  }

  @Test func aRunThatFailsTellsItsError() throws {
    let run = try open().start("save", ["url": "not a url"])
    let error = #expect(throws: ErrandError.self) { try run.result() }
    #expect(error?.code == "invalid-value")
  }

  @Test func questionsAreAnsweredByNumber() throws {
    let errand = try open([
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
    let result = try run.result { event in
      guard event.name == "ask", let number = event["number"]?.int else { return }
      // One that comes too late is for no question.
      run.answer("Nobody", to: number - 1)
      run.answer(number == 1 ? "Ann" : "Ben", to: number)
    }
    #expect(result == "Ann and Ben")
  }

  @Test func runsWaitAtTheSameTimeAndAreCancelled() throws {
    let errand = try open(["hold.yaml": "shortcut: hold\nsteps: [{ask: Go on?}]"])
    let runs = try (0..<8).map { _ in try errand.start("hold") }
    for run in runs {
      #expect(try run.next()?.name == "begin")
      while let event = try run.next(), event.name != "ask" {}
    }
    for (index, run) in runs.enumerated() where index % 2 == 0 { run.cancel() }
    for (index, run) in runs.enumerated() where index % 2 == 1 { run.answer("yes") }
    for (index, run) in runs.enumerated() {
      if index % 2 == 0 {
        #expect(throws: ErrandError.self) { try run.result() }
      } else {
        #expect(try run.result() == "yes")
      }
    }
  }

  @Test func noValueOfACallStandsInTheListOfProcesses() throws {
    let errand = try open([
      "hold.yaml":
        "shortcut: hold\nparameters: {word: string}\nsteps: [{ask: 'Go on, {{ word }}?'}]"
    ])
    let run = try errand.start("hold", ["word": "sesame"])
    var prompt: String?
    while prompt == nil, let event = try run.next() { prompt = event["prompt"]?.string }
    #expect(prompt == "Go on, sesame?")
    let own = try Data(contentsOf: URL(filePath: "/proc/\(run.process)/cmdline"))
    #expect(!String(decoding: own, as: UTF8.self).contains("sesame"))
  }

  @Test func aRunEndsWithItsHandle() throws {
    let errand = try open(["hold.yaml": "shortcut: hold\nsteps: [{wait: 1h}]"])
    var run: RunHandle? = try errand.start("hold")
    #expect(try run?.next()?.name == "begin")
    let process = try #require(run?.process)
    run = nil
    #expect(kill(process, 0) != 0)
  }

  @Test func definitionsInReachAreListed() throws {
    let errand = try open(["mine.yaml": "shortcut: mine\ndescription: Mine.\nsteps: []"])
    let mine = errand.definitions.first { $0.name == "mine" }
    #expect(mine?.kind == "shortcut")
    #expect(mine?.description == "Mine.")
    #expect(errand.definitions.contains { $0.kind == "entity" && $0.name == "Link" })
  }
}
