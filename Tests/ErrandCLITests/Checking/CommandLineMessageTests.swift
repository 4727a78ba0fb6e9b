import Testing

/// What a command line that is nearly right gets for an answer.
@Suite struct CommandLineMessageTests {
  @Test func aWordThatLandsInABoolIsRefusedWithItsFlag() throws {
    let run = try Sandbox().run("tasks", "today")
    #expect(
      run
        == Run(
          err: """
            errand: error: `tasks` has no use for “today” [usage]
              help: `errand tasks --all` turns `all` on; `errand tasks --help` lists the flags

            """, status: 2))
  }

  @Test func theShortFormOfALimitIsNamed() throws {
    let run = try Sandbox().run("recent", "-n", "1")
    #expect(
      run
        == Run(
          err: "errand: error: there is no flag -n [usage]\n  help: did you mean --limit?\n",
          status: 2))
  }

  @Test func theBeginningOfANameIsCompleted() throws {
    let sandbox = try Sandbox([
      ".config/errand/briefing.yaml": "shortcut: briefing\nsteps:\n  - say: h\n"
    ])
    #expect(
      try sandbox.run("bri")
        == Run(
          err: "errand: error: there is no command `bri` [usage]\n"
            + "  help: did you mean `errand briefing`?\n", status: 2))
  }
}
