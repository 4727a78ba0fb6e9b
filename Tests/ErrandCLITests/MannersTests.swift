import TestSupport
import Testing

@testable import ErrandCLI

/// Commands neither print nor create anything unrequested.
@Suite struct MannersTests {
  @Test(arguments: [
    ["find", "links"], ["get", "link:1"], ["recent"], ["search", "x"], ["export"], ["changes"],
    ["tags"], ["delete", "link:1", "--yes"], ["update", "link:1", "title=x"], ["undo"],
    ["archive", "link:1"], ["open", "1"], ["share", "link:1", "link:2"],
  ])
  func aMistypedStoreIsNotMadeByWhatReads(_ words: [String]) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(words + ["--store", "typo.db"])
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: there is no store “typo.db” [not-found]
              help: check the path

            """, status: 1))
    #expect(sandbox.read("typo.db") == nil)
    // A library without any item counts as empty and is not created.
    _ = try sandbox.run(words)
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
  }

  @Test func creationOfAStoreIsReportedOnce() throws {
    let sandbox = try Sandbox()
    let made = try sandbox.run("save", "https://a.org", "--store", "new.db")
    #expect(
      made
        == ProgramRun(
          out: "https://a.org\n",
          err: "errand: created a new store, new.db\nSaved https://a.org in your library.\n"))
    #expect(
      try sandbox.run("save", "https://b.org", "--store", "new.db").err
        == "Saved https://b.org in your library.\n")
  }

  @Test(
    arguments: [
      ("steps: [{value: 5}, {say: Hi}]", "", "Hi\n"),
      ("steps: [{value: 5}, {log: Hi}]", "", nil),
      ("steps: [{confirm: Sure?}]", "", ""),
      ("steps: [{value: 5}, {show: x}]", "", "x\n"),
      ("steps: [{say: Hi}, {value: 5}]", "5\n", "Hi\n"),
      ("steps: [{value: 5}, {say: Hi}]\noutput: '{{ it }}'", "5\n", "Hi\n"),
      ("steps: [{value: 5}, {say: Hi}]\nreturns: int", "5\n", "Hi\n"),
      ("steps: [{value: 5}]\noutput: none", "", ""),
      (
        "steps: [{value: 5}]\noutput: '{{ it + 1 }}'\ndialog: {full: 'Gave {{ output }}.'}", "6\n",
        "Gave 6.\n"
      ),
      ("steps: [{value: 5}]\noutput: none\ndialog: {full: 'Gave {{ it }}.'}", "", "Gave 5.\n"),
    ] as [(String, String, String?)])
  func onlyWhatWasAskedForIsPrinted(_ text: String, _ out: String, _ err: String?) throws {
    let run = try Sandbox(["s.yaml": "shortcut: s\n\(text)\n"]).run("run", "s.yaml", "--yes")
    #expect(run.status == 0)
    #expect(run.out == out, "\(run)")
    if let err { #expect(run.err == err, "\(run)") }
  }

  @Test func parameterMayBeNamedOutput() throws {
    let text = """
      shortcut: s
      parameters: {output: {type: string, default: mine}}
      steps: [{value: 5}]
      dialog: {full: '{{ output }}'}
      """
    #expect(try Sandbox(["s.yaml": text]).run("run", "s.yaml").err == "mine\n")
  }

  @Test func errorsOfATemplateAreForPeopleOnATerminal() throws {
    let sandbox = try Sandbox()
    let terminal = try sandbox.terminal("get", "link:9", "--format", "{{ self }}")
    #expect(try terminal.finish() == 1)
    #expect(terminal.text == "errand: error: there is no link:9 [not-found]\n")
    #expect(try sandbox.run("get", "link:9", "--format", "{{ self }}").err.hasPrefix("{\"error\""))
    let json = try sandbox.terminal("get", "link:9", "--json")
    #expect(try json.finish() == 1)
    #expect(json.text.hasPrefix("{\"error\""))
  }

  private let asks = """
    shortcut: asks
    steps:
      - ask: {prompt: Which?, type: enum, values: [queued, ready, failed]}
        as: status
      - choose: {from: [apple, banana, cherry, blackberry], many: true, prompt: Fruit?}
        as: fruit
      - confirm: {prompt: Sure?, optional: true}
        as: sure
      - say: '{{ status }} {{ fruit }} {{ sure }}'
    """

  @Test(arguments: [
    ("2", "1,3-4", "y", "ready apple, cherry, blackberry true\n"),
    ("rea", "all", "YES", "ready apple, banana, cherry, blackberry true\n"),
    ("ready", "ban", "n", "ready banana false\n"), ("failed", "none", "no", "failed  false\n"),
    ("QUEUED", "cherry,2", "yes", "queued cherry, banana true\n"),
  ])
  func anAnswerAheadOfTimeMayBeWhatThePromptTakes(
    _ status: String, _ fruit: String, _ sure: String, _ said: String
  ) throws {
    let run = try Sandbox(["a.yaml": asks]).run(
      "run", "a.yaml", "--answer", "status=\(status)", "--answer", "fruit=\(fruit)", "--answer",
      "sure=\(sure)")
    #expect(run.err == said, "\(run)")
  }
}
