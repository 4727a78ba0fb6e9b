import CEL
import Engine
import FoundationEssentials
import Glibc
import POSIX
import Synchronization
import TestSupport
import Testing

@testable import ErrandCLI
@testable import ErrandKit

/// Activities, as programs publish them to each other.
@Suite struct ActivityTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// The rest uses a manual clock.
  private final class Clock: Sendable {
    let seconds = Mutex<Int64>(1_800_000_000)
    func pass(_ length: Int64) { seconds.withLock { $0 += length } }
    var folderClock: @Sendable () -> Timestamp {
      { [self] in Timestamp(seconds: seconds.withLock { $0 }) }
    }
  }

  private func folder(_ clock: Clock) -> ActivityFolder {
    ActivityFolder(sandbox.path + "/activities", now: clock.folderClock)
  }

  private func activity(
    _ title: String = "Bread", _ state: Activity.State = .active, done: Double? = nil
  ) -> Activity {
    var activity = Activity(.step, key: "oven", title: title)
    activity.state = state
    activity.done = done
    activity.total = done.map { _ in 1 }
    return activity
  }

  @Test func updateKeepsOmittedFields() {
    let clock = Clock()
    let folder = folder(clock)
    folder.note(activity(done: 0.5))
    clock.pass(60)
    var update = activity("")
    update.detail = "rising"
    folder.note(update)
    let record = folder.current().first
    #expect(record?.activity.title == "Bread")
    #expect(record?.activity.fraction == 0.5)
    #expect(record?.activity.detail == "rising")
    #expect(record?.began == Timestamp(seconds: 1_800_000_000))
    #expect(record?.updated == Timestamp(seconds: 1_800_000_060))
  }

  @Test func itLeavesThreeSecondsAfterItsEnd() throws {
    let clock = Clock()
    let folder = folder(clock)
    folder.note(activity())
    folder.note(activity("", .done))
    clock.pass(2)
    #expect(folder.current().map(\.activity.state) == [.done])
    clock.pass(1)
    #expect(folder.current().isEmpty)
    // Its file is gone, too.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    // Ending an unknown activity has no effect.
    folder.note(activity("", .failed))
    #expect(folder.current().isEmpty)
  }

  @Test func itEndsByItselfAfterEightHours() {
    let clock = Clock()
    let folder = folder(clock)
    folder.note(activity())
    clock.pass(8 * 3600 - 1)
    #expect(folder.current().count == 1)
    clock.pass(1)
    #expect(folder.current().isEmpty)
    // Another one with its key starts afresh.
    folder.note(activity("Cake"))
    #expect(folder.current().map(\.activity.title) == ["Cake"])
  }

  @Test func activitiesOfKilledProcessesAreHidden() {
    let clock = Clock()
    let folder = folder(clock)
    let record = ActivityRecord(
      activity: Activity(.run, key: "run 1", title: "Gone"),
      began: clock.folderClock(), updated: clock.folderClock(), process: 1, processStart: -1)
    mkdir(folder.path, 0o700)
    try? Data(record.text.utf8).write(to: URL(filePath: folder.path + "/x"))
    try? Data("half".utf8).write(to: URL(filePath: folder.path + "/y"))
    #expect(folder.current().isEmpty)
  }

  @Test func onlySoManyAreKept() {
    let clock = Clock()
    let folder = folder(clock)
    for number in 0..<250 { folder.note(Activity(.step, key: "\(number)", title: "")) }
    #expect(folder.current().count == 200)
  }

  /// A loop that reports each pass does not write a file for each.
  @Test func stepUpdatesAreBatched() {
    let clock = Clock()
    let folder = folder(clock)
    let board = ActivityBoard(folder, delay: nil)
    for pass in 1...1000 {
      board.note(activity(pass == 1 ? "Bread" : "", done: Double(pass) / 1000))
    }
    #expect(folder.current().isEmpty)
    board.flush()
    #expect(folder.current().map(\.activity) == [activity(done: 1)])
    // Its end is published, and a new activity with the same key starts afresh.
    board.note(activity("", .done))
    board.flush()
    #expect(folder.current().map(\.activity.state) == [.done])
    clock.pass(1)
    for _ in 1...1000 {
      board.note(activity("Cake"))
      board.note(activity("", .cancelled))
    }
    board.note(activity("Tart"))
    board.flush()
    let record = folder.current().first
    #expect(record?.activity == activity("Tart"))
    #expect(record?.began == Timestamp(seconds: 1_800_000_001))
  }

  /// Activities of steps may outlast a run that is done, but not one that was stopped or failed.
  @Test(arguments: [
    (Activity.State.done, false, Activity.State.active), (.cancelled, false, .cancelled),
    (.failed, false, .failed), (.cancelled, true, .active),
  ])
  func openActivitiesEndWithTheirRun(
    end: Activity.State, continuesLater: Bool, expected: Activity.State
  ) {
    let folder = folder(Clock())
    let board = ActivityBoard(folder, delay: nil)
    board.begin(Activity(.run, key: "run 1", title: "Bake"))
    board.note(activity("Bread", done: 0.25))
    board.end(end, continuesLater: continuesLater)
    #expect(folder.current().map(\.activity.state) == [expected])
  }

  @Test func recordIsParsedBack() throws {
    var activity = Activity(.download, key: "k", title: "A “file”\n")
    (activity.done, activity.total, activity.detail) = (12.5, 100, "x")
    let record = ActivityRecord(
      activity: activity, began: Timestamp(seconds: 5), updated: Timestamp(seconds: 6), process: 7,
      processStart: 8)
    let read = try #require(ActivityRecord(text: record.text))
    #expect(read.activity == activity)
    #expect(read.text == record.text)
  }

  // MARK: On the command line

  @Test func stepsTellOfActivities() throws {
    try sandbox.write(
      """
      shortcut: bake
      input: {type: string, default: update}
      steps:
        - activity: {key: oven, title: Bread, progress: 0.25, detail: in the oven}
        - if: input == "complete"
          then: [{activity: {key: oven, state: complete}}]
      output: none

      """, to: "bake.yaml")
    #expect(try sandbox.run("run", "bake.yaml") == ProgramRun())
    let shown = try sandbox.run("activity").out
    #expect(
      shown.hasPrefix("● Bread\n  ━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 25 %\n  in the oven · "), "\(shown)")
    #expect(try sandbox.run("activity", "--as", "compact").out.hasPrefix("● Bread  25 %  "))
    #expect(try sandbox.run("activity", "--as", "minimal").out == "●25 %\n")
    let json = try sandbox.run(
      "activity", "--format", "{{ self.key }} {{ self.kind }} {{ self.state }} {{ self.fraction }}")
    #expect(json.out == "oven step active 0.25\n")
    // The events of a run report it, too, but not those of a dry run.
    let events = try sandbox.run("run", "bake.yaml", "complete", "--events").out
    #expect(
      events.contains(
        #"{"event":"activity","key":"oven","kind":"step","title":"","state":"done","done":null"#),
      "\(events)")
  }

  @Test func aLongRunIsShownAndEndsWithItsProcess() throws {
    try sandbox.write(
      "shortcut: slow\ntitle: Long Work\nsteps: [{exec: [sh, -c, 'read x < gate']}]\noutput: none\n",
      to: "slow.yaml")
    let run = try sandbox.shell(
      """
      mkfifo gate
      errand run slow.yaml & id=$!
      until errand activity --as compact | grep Long > seen; do sleep 0.1; done
      echo > gate; wait $id
      errand activity --as compact > after
      errand run slow.yaml & id=$!
      until errand activity --as compact | grep -q '●'; do sleep 0.1; done
      kill -9 $id; wait $id 2> /dev/null; echo > gate
      errand activity --as compact | grep -c '●'
      """)
    #expect(sandbox.read("seen")?.hasPrefix("● Long Work  …  ") == true, "\(run)")
    // It disappears after a while.
    let after = try #require(sandbox.read("after"))
    #expect(after.isEmpty || after.hasPrefix("✓ Long Work  done  "), "\(run)")
    #expect(run.out == "0\n", "\(run)")
  }

  @Test func jobsAndDownloadsAreShownByThemselves() throws {
    let release = Gate(count: 2)
    let server = try LoopbackServer { _, peer in
      let part = String(repeating: "x", count: 50_000)
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + part)
      release.arrive()
      _ = peer.send(part)
    }
    try sandbox.write(
      """
      shortcut: fetch
      title: Fetch It
      steps: [{http: {url: '\(server.url("/big"))', save: big.bin}}]
      ---
      shortcut: later
      steps: [{enqueue: fetch}]
      output: none

      """, to: ".config/errand/fetch.yaml")
    _ = try sandbox.run("later")
    let worker = try TestProcess(
      Sandbox.products + "/errand", ["worker", "--once", "--quiet"],
      environment: sandbox.environment, folder: sandbox.path,
      streams: [
        0: .file("/dev/null", O_RDONLY), 1: .file("/dev/null", O_WRONLY),
        2: .file(sandbox.path + "/err", O_WRONLY | O_CREAT),
      ])
    let format = "{{ self.kind }} {{ self.title }} {{ self.state }} {{ self.fraction }}"
    var shown = ""
    let deadline = MonotonicClock.nanoseconds + Int64(TestProcess.patience) * 1_000_000_000
    while shown.split(separator: "\n").count < 2, MonotonicClock.nanoseconds < deadline {
      shown = try sandbox.run("activity", "--format", format).out
    }
    #expect(
      shown.split(separator: "\n").sorted() == [
        "download big.bin active 0.5", "job Fetch It active ",
      ], "\(shown) \(sandbox.read("err") ?? "")")
    release.arrive()
    #expect(try worker.wait() == 0)
    let after = try sandbox.run("activity", "--format", "{{ self.kind }} {{ self.state }}").out
    // They disappear after a while.
    #expect(
      after.split(separator: "\n").allSatisfy { ["download done", "job done"].contains($0) },
      "\(after)")
  }

  @Test func followingTellsEachChange() throws {
    try sandbox.write(
      """
      shortcut: tell
      parameters: {part: {type: double}}
      steps:
        - activity: {key: x, title: Bread, progress: '{{ part }}'}
      output: none

      """, to: "tell.yaml")
    let run = try sandbox.shell(
      """
      errand activity --follow --as minimal > minimal & first=$!
      errand activity --follow --jsonl > lines & second=$!
      until [ -d .local/state/errand/activities ]; do sleep 0.05; done
      tell() { errand run tell.yaml -p part=$1; until grep -q '"done":'$1 lines && grep -q "$2" minimal; do sleep 0.05; done; }
      tell 0.5 50
      tell 0.75 75
      kill $first $second; wait
      """)
    #expect(run.out == "" && run.err == "", "\(run)")
    #expect(sandbox.read("minimal") == "●50 %\n●75 %\n")
    #expect(sandbox.read("lines")?.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    (["--as", "large"], "--as must be expanded, compact or minimal, not “large”"),
    (["start"], "`activity` takes no arguments"),
  ])
  func invalidArgumentsAreReported(words: [String], message: String) throws {
    let run = try sandbox.run(["activity"] + words)
    #expect(run.status == 2)
    #expect(run.err.contains(message), "\(run)")
  }

  @Test func progressIsAPart() throws {
    try sandbox.write("shortcut: a\nsteps: [{activity: {key: x, progress: 2}}]\n", to: "a.yaml")
    #expect(try sandbox.run("run", "a.yaml").status == 2)
  }
}
