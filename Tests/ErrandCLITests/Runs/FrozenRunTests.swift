import ErrandKit
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Runs whose process is stopped beyond the timeout and wakes up after another took over.
@Suite struct FrozenRunTests {
  private static let text = String(repeating: "long text ", count: 20) + "x"

  /// Stops a process and backdates its run: its last heartbeat is set to the start of the monotonic
  /// clock.
  private func freeze(_ child: TestProcess, _ sandbox: Sandbox, run: Int64 = 1) throws {
    kill(child.id, SIGSTOP)
    var status: Int32 = 0
    waitpid(child.id, &status, WUNTRACED)
    try age(sandbox, run: run)
  }

  private func age(_ sandbox: Sandbox, run: Int64 = 1) throws {
    let file = open(sandbox.path + "/.local/share/errand/library.db.runs", O_RDWR)
    defer { close(file) }
    var longAgo: Int64 = 1
    #expect(pwrite(file, &longAgo, 8, off_t(run * 16)) == 8)
  }

  @Test(arguments: ["resume", "retry"])
  func aFrozenRunIsTakenOverAndWritesNothingMore(_ command: String) throws {
    let sandbox = try Sandbox.stopping()
    let child = try sandbox.startStopping()
    // Nobody takes it over while it is awake.
    #expect(
      try sandbox.run(command, "1").err.contains("run 1 is still running in process \(child.id)"))
    try freeze(child, sandbox)
    #expect(try sandbox.runStates() == "1 interrupted\n")
    try sandbox.write("", to: "go")
    #expect(try sandbox.run(command, "1") == ProgramRun(out: "done\n"))
    #expect(try sandbox.taskTitles() == ["first", "second"])
    kill(child.id, SIGCONT)
    #expect(try sandbox.shell("echo end > hold").status == 0)
    #expect(try child.wait() == 1)
    #expect(
      sandbox.read("err") == "errand: error: run 1 was cancelled by another process [cancelled]\n")
    #expect(try sandbox.taskTitles() == ["first", "second"])
    #expect(try sandbox.runStates() == "1 done\n")
  }

  @Test func aRunThatWasTakenOverCanDieAndGoOnAgain() throws {
    let sandbox = try Sandbox.stopping()
    let first = try sandbox.startStopping()
    try freeze(first, sandbox)
    let second = try sandbox.start("resume", "1", err: "err2")
    try sandbox.until("second") { sandbox.read("reached") == "x\nx\n" }
    #expect(try sandbox.runStates() == "1 running\n")
    #expect(try sandbox.run("resume", "1").err.contains("is still running in process \(second.id)"))
    kill(second.id, SIGKILL)
    _ = try second.wait()
    // The first process, still frozen, keeps its lock but sends no heartbeat.
    try age(sandbox)
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("resume", "1") == ProgramRun(out: "done\n"))
    kill(first.id, SIGKILL)
    kill(first.id, SIGCONT)
    _ = try first.wait()
    #expect(try sandbox.taskTitles() == ["first", "second"])
    #expect(try sandbox.runStates() == "1 done\n")
  }

  @Test func oneThatIsFrozenInATransactionKeepsItsRightUntilThat() throws {
    let sandbox = try Sandbox([
      "long.yaml": """
      shortcut: long
      durable: true
      steps:
        - create: {entity: Task, set: {title: first}}
        - write-file: {path: begun, text: x}
        - atomic:
            - repeat: 30000
              do: [{create: {entity: Note, set: {text: \(Self.text)}}}]
        - create: {entity: Task, set: {title: second}}
        - value: done

      """
    ])
    let child = try sandbox.start("run", "long.yaml")
    try sandbox.until("run") { sandbox.read("begun") != nil }
    // A transaction is written to the log once the cache is full.
    let log = sandbox.path + "/.local/share/errand/library.db-wal"
    try sandbox.until("transaction") {
      var status = stat()
      return stat(log, &status) == 0 && status.st_size > 1 << 20
    }
    try freeze(child, sandbox)
    #expect(try sandbox.runStates() == "1 interrupted\n")
    let other = try sandbox.start("resume", "1", err: "err2")
    // It waits for the write lock; until then nothing is decided.
    try sandbox.until("wait") {
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(other.id)/fd")
      return files.contains { number in
        let link = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(other.id)/fd/\(number)")
        return link?.hasSuffix("library.db-wal") == true
      }
    }
    kill(child.id, SIGCONT)
    let statuses = [try child.wait(), try other.wait()]
    // The first to commit continues; the second is refused or cancelled.
    #expect(statuses.contains(0), "\(statuses) \(sandbox.read("err2") ?? "")")
    #expect(statuses.allSatisfy { [0, 1, 75].contains($0) }, "\(statuses)")
    #expect(try sandbox.taskTitles() == ["first", "second"])
    #expect(try sandbox.runStates() == "1 done\n")
    let notes = try sandbox.run("find", "notes", "--limit", "100000", "--quiet", "--format", ".")
    #expect(notes.out.count { $0 == "." } == 30_000)
    #expect(try sandbox.run("doctor").status == 0)
  }
}
