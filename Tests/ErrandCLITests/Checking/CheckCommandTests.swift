import TestSupport
import Testing

/// `errand check`: its inputs, output formats and exit statuses.
@Suite struct CheckCommandTests {
  private static let wrong = "shortcut: s\nsteps:\n  - sya: h\n"
  private static let doubtful = "shortcut: d\nsteps:\n  - say: h\n    when: 1 == 1\n"
  private static let clean = "shortcut: c\nsteps:\n  - say: h\n"

  @Test func builtInDefinitionsHaveNoFindings() throws {
    let run = try Sandbox().run("check")
    #expect(run == ProgramRun(out: "", err: "71 definitions: nothing found.\n"))
  }

  @Test func aFileWithAnErrorEndsWithTwo() throws {
    let run = try Sandbox(["s.yaml": Self.wrong]).run("check", "s.yaml")
    #expect(run.status == 2)
    #expect(
      run.out == """
        s.yaml:3:5: error: unknown step `sya` [unknown-step]
            3 |   - sya: h
              |     ^~~
          help: did you mean `say`?

        """)
    #expect(run.err == "1 definition: 1 error, 0 warnings.\n")
  }

  @Test func warningsAloneEndWithZero() throws {
    let run = try Sandbox(["d.yaml": Self.doubtful]).run("check", "d.yaml", "--quiet")
    #expect(run.status == 0)
    #expect(run.out.hasPrefix("d.yaml:4:11: warning: this condition is always true [W201]\n"))
    #expect(run.err == "")
  }

  @Test func foldersStandardInputAndSeveralPathsAreChecked() throws {
    let sandbox = try Sandbox([
      "f/s.yaml": Self.wrong, "f/g/d.yml": Self.doubtful, "f/notes.txt": "sya",
      "c.yaml": Self.clean,
    ])
    let folder = try sandbox.run("check", "f", "c.yaml")
    #expect(folder.status == 2)
    #expect(folder.err == "3 definitions: 1 error, 1 warning.\n")
    let input = try sandbox.run("check", "-", input: Self.wrong)
    #expect(input.status == 2)
    #expect(input.out.hasPrefix("<stdin>:3:5: error:"))
    let absent = try sandbox.run("check", "none.yaml")
    #expect(absent.status == 2)
    #expect(absent.out.hasPrefix("error: none.yaml cannot be read: no such file"))
    let empty = try sandbox.run("check", "-", input: "")
    #expect(empty.status == 2)
    #expect(empty.out.contains("[no-documents]"))
  }

  /// Each such folder is a separate library on top of the common layers.
  @Test func foldersThatDefineTheSameNameAreCheckedApart() throws {
    let call = "shortcut: hello\nsteps:\n  - common: x\n"
    let common = "shortcut: common\ninput: {type: string}\nsteps:\n  - say: '{{ input }}'\n"
    let sandbox = try Sandbox([
      "all/common.yaml": common, "all/a/hello.yaml": call, "all/b/hello.yaml": call,
      "all/b/more.yaml": "shortcut: more\nsteps: [hello, nothing]\n",
    ])
    let run = try sandbox.run("check", "all")
    #expect(run.err == "4 definitions: 1 error, 0 warnings.\n")
    #expect(run.out.hasPrefix("all/b/more.yaml:2:16: error: unknown step `nothing`"))
    let alone = try sandbox.run("check", "all/a", "all/common.yaml")
    #expect(alone == ProgramRun(out: "", err: "2 definitions: nothing found.\n"))
    let twice = try Sandbox(["f/a.yaml": Self.clean, "f/b.yaml": Self.clean]).run("check", "f")
    #expect(twice.out.contains("shortcut `c` is defined twice [name-taken]"))
  }

  @Test func aCopyOfWhatCameWithTheProgramIsItself() throws {
    let shown = try Sandbox().run("show", "save").out
    let sandbox = try Sandbox(["save.yaml": shown])
    #expect(
      try sandbox.run("check", "save.yaml")
        == ProgramRun(out: "", err: "1 definition: nothing found.\n"))
    let changed = try Sandbox(["save.yaml": shown + "# changed\n"]).run("check", "save.yaml")
    #expect(changed.out.contains("[name-taken]"))
  }

  @Test func unusedSuppressionsAreNotReportedWithErrors() throws {
    let text = "shortcut: s\nsteps:\n  - sya: h # errand: ignore W203 because it is a word\n"
    let run = try Sandbox(["s.yaml": text]).run("check", "s.yaml")
    #expect(run.err == "1 definition: 1 error, 0 warnings.\n")
    let right = text.replacing("sya", with: "say")
    let after = try Sandbox(["s.yaml": right]).run("check", "s.yaml")
    #expect(after.err == "1 definition: 0 errors, 1 warning.\n")
    #expect(after.out.contains("[W209]"))
  }

  /// A file already in scope is not loaded twice.
  @Test func filesInReachAreCheckedWhereTheyAre() throws {
    let sandbox = try Sandbox([".config/errand/a.yaml": "intent: mine\nsteps:\n  - say: h\n"])
    #expect(try sandbox.run("check", ".config/errand").err == "1 definition: nothing found.\n")
    #expect(try sandbox.run("check").status == 0)
  }

  @Test func mistakesInCalleesElsewhereAreReported() throws {
    let sandbox = try Sandbox([
      "a.yaml": "shortcut: a\nsteps: [s]\n", ".config/errand/s.yaml": Self.wrong,
    ])
    let run = try sandbox.run("check", "a.yaml")
    #expect(run.status == 2)
    #expect(run.out.contains("/.config/errand/s.yaml:3:5: error"))
  }

  @Test func checkRunsNothingAndCreatesNoStore() throws {
    let sandbox = try Sandbox(["c.yaml": Self.clean])
    #expect(try sandbox.run("check", "c.yaml").status == 0)
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
  }

  @Test func programsReadJSON() throws {
    let sandbox = try Sandbox(["d.yaml": Self.doubtful, "c.yaml": Self.clean])
    #expect(try sandbox.run("check", "c.yaml", "--format", "json") == ProgramRun(out: "[]\n"))
    let run = try sandbox.run("check", "d.yaml", "--format", "json")
    #expect(
      run.out == """
        [
          {
            "id": "W201",
            "severity": "warning",
            "message": "this condition is always true",
            "help": "remove it, or compare a value that can change",
            "file": "d.yaml",
            "line": 4,
            "column": 11,
            "endLine": 4,
            "endColumn": 17
          }
        ]

        """)
  }

  @Test func runnersReadWorkflowCommands() throws {
    let run = try Sandbox(["s.yaml": Self.wrong]).run("check", "s.yaml", "--format", "github")
    #expect(
      run
        == ProgramRun(
          out: "::error file=s.yaml,line=3,col=5,endLine=3,endColumn=8,title=unknown-step::"
            + "unknown step `sya`%0Adid you mean `say`?\n",
          status: 2))
  }

  @Test func scannersReadSARIF() throws {
    let run = try Sandbox(["ä b.yaml": Self.wrong]).run("check", "ä b.yaml", "--format", "sarif")
    #expect(run.status == 2)
    for part in [
      "\"version\": \"2.1.0\"", "\"ruleId\": \"unknown-step\"", "\"ruleIndex\": 0",
      "\"level\": \"error\"", "\"startLine\": 3", "\"endColumn\": 8",
      "\"uri\": \"%C3%A4%20b.yaml\"", "\"columnKind\": \"unicodeCodePoints\"",
    ] {
      #expect(run.out.contains(part), "\(part)")
    }
  }

  @Test func anotherFormatIsRefused() throws {
    let run = try Sandbox().run("check", "--format", "yaml")
    #expect(run.status == 2)
    #expect(run.err.contains("--format must be text, json, github or sarif, not “yaml”"))
  }

  // MARK: Comments that silence

  private func check(_ line: String, _ before: String = "") throws -> ProgramRun {
    let text = "shortcut: d\nsteps:\n\(before)  - say: h\n    when: 1 == 1\(line)\n"
    return try Sandbox(["d.yaml": text]).run("check", "d.yaml")
  }

  @Test func commentWithAReasonSilencesAWarning() throws {
    let run = try check(" # errand: ignore W201 because it is shown in a lesson")
    #expect(run == ProgramRun(out: "", err: "1 definition: nothing found.\n"))
  }

  @Test func aCommentOnALineOfItsOwnSpeaksOfTheNext() throws {
    let text = """
      shortcut: d
      steps:
        # errand: ignore W203, W201 because it is a word
        - say: it

      """
    let run = try Sandbox(["d.yaml": text]).run("check", "d.yaml")
    #expect(run == ProgramRun(out: "", err: "1 definition: nothing found.\n"))
  }

  @Test(arguments: ["", " because", " because  "])
  func withoutAReasonItIsReportedItself(_ end: String) throws {
    let run = try check(" # errand: ignore W201" + end)
    #expect(run.status == 0)
    #expect(run.out.contains("[W201]"))
    #expect(run.out.contains("warning: this comment does not say why [W208]"))
  }

  @Test func misspeltSuppressionsAreReported() throws {
    #expect(try check(" # errand: ingore W201 because").out.contains("[W208]"))
  }

  @Test func unusedSuppressionsAreReported() throws {
    let run = try check(" # errand: ignore W203 because I said so")
    #expect(run.out.contains("[W201]"))
    #expect(run.out.contains("warning: this comment suppresses no warning [W209]"))
  }

  @Test func errorsAreNotSilenced() throws {
    let text = "shortcut: s\nsteps:\n  - sya: h # errand: ignore unknown-step because no\n"
    let run = try Sandbox(["s.yaml": text]).run("check", "s.yaml")
    #expect(run.status == 2)
    #expect(run.out.contains("[unknown-step]"))
  }

  @Test func checksDefinitionsByName() throws {
    let sandbox = try Sandbox([".config/errand/a.yaml": "shortcut: a\nsteps: [sya: x]\n"])
    #expect(try sandbox.run("check", "save", "Link").status == 0)
    #expect(try sandbox.run("check", "a").out.contains("[unknown-step]"))
    #expect(
      try sandbox.run("check", "svae").err == """
        errand: error: there is no file, folder or definition “svae” [usage]
          help: did you mean `save`?

        """)
  }

  @Test func followsAFile() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [sya: x]\n"])
    let run = try sandbox.shell(
      """
      errand check --follow a.yaml >log 2>&1 &
      p=$!
      wait_for() { n=0; until grep -q "$1" log || [ $n -gt 600 ]; do sleep 0.1; n=$((n+1)); done; }
      wait_for unknown-step
      printf 'shortcut: a\nsteps: [say: x]\ntests: [{name: says, expect: {dialog: x}}]\n' >b
      mv b a.yaml
      wait_for 'test passed'
      rm a.yaml
      wait_for unreadable
      kill $p
      wait $p
      """)
    #expect(run.status == 143)
    let log = sandbox.read("log") ?? ""
    let lines = log.split(separator: "\n").filter {
      $0.contains("definition") || $0.contains("test")
    }
    #expect(
      lines == [
        "1 definition: 1 error, 0 warnings.", "1 definition: nothing found.", "ok    a  1 test",
        "1 test passed.",
        "0 definitions: 1 error, 0 warnings.",
      ], "\(log)")
  }
}
