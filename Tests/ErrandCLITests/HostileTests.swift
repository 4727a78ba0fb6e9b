import TestSupport
import Testing

/// Hostile or mistaken input from a clone neither hangs nor breaks anything.
@Suite struct HostileTests {
  @Test func pipesAndDevicesInAProjectFolderAreNotOpened() throws {
    let sandbox = try Sandbox(["p/.errand/ok.yaml": "shortcut: ok\nsteps: [{say: Ok}]\n"])
    _ = try sandbox.shell("mkfifo p/.errand/a.yaml && ln -s /dev/stdin p/.errand/b.yaml")
    let run = try sandbox.shell(
      "cd p && errand trust && printf 'a\\nb\\n' | while read -r l; do errand ok; done")
    #expect(run.status == 0, "\(run)")
    #expect(run.err.hasSuffix("Ok\nOk\n"), "\(run)")
  }

  @Test func aProjectCannotTakeTheNameOfABuiltInEntity() throws {
    let sandbox = try Sandbox([
      "p/.errand/a.yaml": "entity: LINK\nproperties: {x: string}\n",
      "p/.errand/b.yaml":
        "entity: Extra\nproperties: {x: string}\ndisplay: {name: {one: link, other: links}}\n",
    ])
    _ = try sandbox.run("save", "https://swift.org")
    let run = try sandbox.shell("cd p && errand trust && errand find links")
    #expect(run.err.contains("entity `LINK` is too much like `Link`"), "\(run)")
    #expect(run.out == "https://swift.org\n", "\(run)")
  }

  @Test(arguments: [
    "set: {t: '{{ [t] }}'}", "set: {t: '{{ [t, t] }}'}", "set: {t: '{{ t }}{{ t }}x'}",
  ])
  func valuesAreBounded(step: String) throws {
    let sandbox = try Sandbox([
      "t.yaml":
        "shortcut: t\nvariables: {t: {type: any, value: x}}\nsteps:\n  - repeat: 100000\n    do: [{\(step)}]\n  - say: 'x {{ t }}'\n"
    ])
    let run = try sandbox.run("run", "t.yaml")
    #expect(run.status == 1, "\(run.status)")
    #expect(run.err.contains("[invalid-value]"), "\(run.err.prefix(300))")
  }

  @Test(arguments: [
    "[].first()", "[].last() == null", "coalesce([].first(), 1)", "[].map(x, x).first()",
  ])
  func openTypesEnd(expression: String) throws {
    let run = try Sandbox().run("eval", expression)
    #expect(run.status == 0, "\(run)")
  }

  @Test func hugeResultIsRejected() throws {
    let run = try Sandbox().run("eval", "lists.range(100000).map(x, lists.range(1000))")
    #expect(run.status == 1, "\(run.status)")
  }

  @Test func rubbishForAnswersEnds() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    let rubbish = String(repeating: "rubbish\n", count: 1000)
    let run = try sandbox.run("run", "open-recent", "--events", input: rubbish)
    #expect(run.status == 4, "\(run.err)")
    #expect(run.out.split(separator: "\n").count < 50)
  }

  @Test func aStoreThatIsAPipeIsRefused() throws {
    let run = try Sandbox().shell("mkfifo s.db && errand --store s.db recent")
    #expect(run.status == 1)
    #expect(run.err.contains("is not a regular file"), "\(run)")
  }

  @Test func fileSizeLimitIsAnErrorRatherThanASignal() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    let run = try sandbox.shell("ulimit -f 20; errand backup b.db; echo $?")
    #expect(run.out == "1\n", "\(run)")
    #expect(try sandbox.shell("ls | grep -c 'b.db'").out == "0\n")
    #expect(try sandbox.run("recent").out == "https://swift.org\n")
  }

  @Test func escapeSequencesDoNotReachTheScreen() throws {
    let run = try Sandbox().shell("errand \"$(printf 'no\\033[31mX')\"")
    #expect(run.status == 2)
    #expect(!run.err.unicodeScalars.contains("\u{1B}"))
  }

  @Test func aRefusedMigrationLeavesNoCopy() throws {
    let sandbox = try Sandbox([".config/errand/m.yaml": "entity: Memo\nproperties: {n: string}\n"])
    _ = try sandbox.run("create", "Memo", "n=abc")
    try sandbox.write("entity: Memo\nproperties: {n: int}\n", to: ".config/errand/m.yaml")
    let run = try sandbox.run("find", "Memo")
    #expect(run.status == 1, "\(run)")
    #expect(try sandbox.shell("find . -name '*.backup' | wc -l").out == "0\n")
  }

  @Test func aWordAndAFlagForOneParameterIsBadUsage() throws {
    let run = try Sandbox().run("save", "https://a.b", "--url", "https://c.d")
    #expect(run.status == 2)
    #expect(run.err.contains("given twice"), "\(run)")
  }

  @Test func aWrongFormatIsFoundBeforeAnythingIsDone() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("save", "https://a.b", "--format", "{{ nope }}").status == 2)
    #expect(try sandbox.run("recent").out == "")
  }

  @Test func aFileOfMoreThanFourMiBIsRefused() throws {
    let sandbox = try Sandbox()
    let shortcut = Array("shortcut: t\nsteps: [{say: Hi}]\n# ".utf8)
    let filled = shortcut + [UInt8](repeating: 0x78, count: (4 << 20) - shortcut.count)
    try sandbox.write(bytes: filled, to: "t.yaml")
    #expect(try sandbox.run("run", "t.yaml") == ProgramRun(err: "Hi\n"))
    try sandbox.write(bytes: filled + [0x78], to: "t.yaml")
    #expect(
      try sandbox.run("run", "t.yaml")
        == ProgramRun(
          err: "errand: error: t.yaml has more than 4194304 bytes [file-too-large]\n", status: 2))
  }

  /// Words beyond the limit are ignored; those before it are searched for.
  @Test func aHugeSearchEnds() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "word")
    let words = [String](repeating: "word", count: 64)
    let run = try sandbox.run(["find", "links"] + words + ["--", "-word", "-word"])
    #expect(run == ProgramRun(out: "https://swift.org\n"))
    #expect(try sandbox.run(["find", "links"] + words.dropLast() + ["--", "-word"]).out == "")
  }
}
