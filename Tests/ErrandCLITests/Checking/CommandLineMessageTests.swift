import TestSupport
import Testing

/// Suggestions for command lines that are nearly right.
@Suite struct CommandLineMessageTests {
  @Test func wordForABoolIsRejectedWithItsFlag() throws {
    let run = try Sandbox().run("tasks", "tomorrow")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: unexpected argument “tomorrow” [usage]
              help: write errand tasks --due tomorrow; `errand tasks --help` lists the flags

            """, status: 2))
  }

  /// Arguments, exit status, and parts of message and help.
  @Test(arguments: [
    (["srch", "foo"], 2, "did you mean `errand search`?"),
    (["delete"], 2, "missing item"), (["create"], 2, "missing entity"),
    (["find"], 2, "missing entity"), (["eval"], 2, "missing expression"),
    (["get", "notes"], 2, "which notes? [usage]\n  help: add words to search for"),
    (["get", "link1"], 2, "write link:1"),
    (["update", "link:1", "title", "X"], 2, "help: write title=X"),
    (["update", "link:1", "--title", "X"], 2, "to set a property, write title=VALUE"),
    (["update", "link:1", "tags+=x"], 2, "write --add tags=x"),
    (["create", "link", "https://x.example"], 2, "write url=https://x.example"),
    (["create", "task", "title", "Write it"], 2, "write title='Write it'"),
    (["find", "swift"], 2, "to search links: errand search swift"),
    (["find", "links", "--tag", "x"], 2, "write tag:VALUE"),
    (["list", "links"], 2, "errand find links"),
    (["test", "nothing"], 2, "there is no file, folder or shortcut “nothing”"),
    (["secret", "get", "X"], 2, "secrets cannot be shown"),
    (["trust", "nothere"], 2, "there is no file or folder nothere"),
    (["automations", "feeds"], 2, "or errand automations run NAME"),
    (["doctor", "--fix"], 2, "did you mean --repair?"),
    (["tags", "merge", "a", "b"], 2, "errand tags merge a into b"),
    (["add-task", "x", "--due", "3d"], 2, "did you mean +3d?"),
    (["open", "task:1"], 2, "task:1 is a task, not a link"),
  ])
  func theRightWordsAreNamed(_ words: [String], _ status: Int32, _ part: String) throws {
    let run = try Sandbox().run(words)
    #expect(run.status == status && run.err.contains(part), "\(run)")
    #expect(run.out == "")
  }

  @Test func theFolderOfABackupIsNamed() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    #expect(
      try sandbox.run("backup", "nowhere/x.db")
        == ProgramRun(
          err: """
            errand: error: there is no folder nowhere [io]
              help: create it: mkdir -p nowhere

            """, status: 1))
  }

  @Test func theBeginningOfANameIsCompleted() throws {
    let sandbox = try Sandbox([
      ".config/errand/briefing.yaml": "shortcut: briefing\nsteps:\n  - say: h\n"
    ])
    #expect(
      try sandbox.run("bri")
        == ProgramRun(
          err: "errand: error: unknown command `bri` [usage]\n"
            + "  help: did you mean `errand briefing`?\n", status: 2))
  }
}
