import CEL
import Catalog
import DefinitionTesting
import Engine
import ErrandKit
import Store
import Synchronization
import TestSupport
import Testing

/// Suggestions from recorded runs.
@Suite struct SuggestTests {
  /// A clock that is set by hand.
  private final class HandClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 0))

    var now: Timestamp { moment.withLock { $0 } }

    func set(_ text: String) throws {
      let time = try #require(Timestamp(rfc3339: text))
      moment.withLock { $0 = time }
    }
  }

  /// The suggestions at a moment, after runs at earlier ones.
  private func suggestions(
    after runs: [(name: String, time: String)], at now: String, mode: String? = nil,
    places: Places? = nil, isOn: Bool = true
  ) throws -> ActionSuggestions {
    let clock = HandClock()
    var host = try TestWorld(TestFakes()).host
    host.now = { clock.now }
    let workspace = Workspace(catalog: DefinitionCatalog(), host: host) {
      try Database(at: .memory, context: $0)
    }
    let run = Run(workspace, host: host, front: SilentFront(), answers: PresetAnswers())
    let store = try run.store()
    for (index, (name, time)) in runs.enumerated() {
      try clock.set(time)
      let number = try store.runs.record(
        NewRun(
          id: "run\(index)", name: name, isDurable: false, mode: mode, process: 1, call: "",
          definitions: []))
      try store.runs.setState(.done, ofRun: number)
    }
    try clock.set(now)
    return ActionSuggestions(run, places: places, isOn: isOn)
  }

  private static func day(_ number: Int) -> String { "2026-11-\(number < 10 ? "0" : "")\(number)" }

  /// From Monday, 2 November 2026, on: a name on workdays at 9:00, and others at other times.
  private static func workdays(_ name: String) -> [(name: String, time: String)] {
    (2...27).flatMap { number in
      let others = [("tasks", "\(day(number))T\(10 + number % 10):30:00Z")]
      return (number - 2) % 7 < 5 ? [(name, "\(day(number))T09:00:00Z")] + others : others
    }
  }

  private static let monday = "2026-11-30T09:05:00Z"

  @Test func aHabitIsSuggestedWithItsReason() throws {
    let all = try suggestions(after: Self.workdays("pomodoro"), at: Self.monday).entries()
    let entry = try #require(all.first)
    #expect(all.count == 1)
    #expect(entry.name == "pomodoro")
    #expect(entry.reason == "you do this from Monday to Friday at about 9:00")
    #expect(entry.automation?.name == "pomodoro-on-weekdays")
    #expect(
      entry.automation?.text == """
        # Made from a habit: you do this from Monday to Friday at about 9:00.
        automation: pomodoro-on-weekdays
        description: From Monday to Friday at 9:00.
        on:
          - {at: '09:00', days: [weekdays]}
        steps:
          - run: pomodoro

        """)
  }

  @Test func whatHasToAskIsNoAutomation() throws {
    let all = try suggestions(after: Self.workdays("add-note"), at: Self.monday).entries()
    #expect(all.map(\.name) == ["add-note"])
    #expect(all.first?.automation == nil)
  }

  @Test func nothingIsSuggestedByJobsUnknownNamesOrWithoutLearning() throws {
    let runs = Self.workdays("pomodoro")
    #expect(try suggestions(after: runs, at: Self.monday, mode: "queued").entries().isEmpty)
    #expect(try suggestions(after: runs, at: Self.monday, isOn: false).entries().isEmpty)
    #expect(try suggestions(after: Self.workdays("gone"), at: Self.monday).entries().isEmpty)
    // The clipboard of the world is empty.
    #expect(
      try suggestions(after: Self.workdays("save-from-clipboard"), at: Self.monday).entries()
        .isEmpty)
  }

  @Test func whatWasDismissedIsNotSuggestedAgain() throws {
    let home = try TemporaryFolder()
    let places = try #require(
      Places(environment: { $0 == "HOME" ? home.path : nil }, workingFolder: home.path))
    let all = try suggestions(after: Self.workdays("pomodoro"), at: Self.monday, places: places)
    #expect(try all.entries().count == 1)
    try all.dismiss("pomodoro")
    #expect(try all.entries().isEmpty)
    #expect(throws: RunError.self) { try all.entry(named: "pomodoro") }
    #expect(throws: RunError.self) { try all.dismiss("nobody") }
  }

  @Test(arguments: [
    (["suggest", "x"], "`suggest` takes a name only with --dismiss or --automate"),
    (["suggest", "--dismiss"], "NAME is missing"),
    (["suggest", "--dismiss", "--automate", "x"], "cannot be combined"),
    (["suggest", "--dismiss", "nobody"], "there is no intent or shortcut `nobody`"),
    (["suggest", "--automate", "timer"], "`timer` is not suggested now"),
  ])
  func wrongCallsSayWhatToDo(_ words: [String], _ message: String) throws {
    let run = try Sandbox().run(words)
    #expect(run.status != 0)
    #expect(run.err.contains(message), "\(run)")
  }
}
