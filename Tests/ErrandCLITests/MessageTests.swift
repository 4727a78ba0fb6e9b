import Testing

/// What a person reads when something does not fit.
@Suite struct MessageTests {
  @Test func aTextThatIsNoURLIsNamed() throws {
    let run = try Sandbox().run("save", "swift.org")
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("errand: error: `url`: “swift.org” is no URL: not http or https"))
  }

  /// The steps of what is compiled in are no lines of a file that a person could change.
  @Test func aFailureInABuiltInShowsNoFile() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    _ = try sandbox.run("save", "https://swift.org/blog")
    let run = try sandbox.run("run", "open-recent")
    #expect(run.status == 3)
    #expect(run.err.hasPrefix("errand: error: “Open which one?” needs a choice"))
    #expect(run.err.contains("(in choose)") == false)
  }

  /// A document that is no definition at all is a mistake, too.
  @Test func theDoctorCountsWhatHasNoKind() throws {
    let sandbox = try Sandbox([".config/errand/mine.yaml": "shortcutt: x\nsteps: []\n"])
    let run = try sandbox.run("doctor")
    #expect(run.status == 1)
    #expect(run.out.contains("problem  definitions: 18, 1 with mistakes"))
    #expect(run.err.contains("[no-kind]"))
  }

  @Test func aQuietRunSaysNothingButItsResult() throws {
    let run = try Sandbox().run("save", "https://swift.org", "--quiet")
    #expect(run == Run(out: "https://swift.org\n"))
  }

  @Test func anEmptyAnswerTakesTheDefaultAsEnterDoes() throws {
    let sandbox = try Sandbox([
      "a.yaml": "shortcut: a\nsteps: [{ask: {prompt: N, type: int, default: 7}}]\n"
    ])
    #expect(try sandbox.run("run", "a.yaml", "--answer", "N=") == Run(out: "7\n"))
  }
}
