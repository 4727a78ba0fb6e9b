import TestSupport
import Testing

/// Messages and exit statuses of searches.
@Suite struct SearchCommandTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    for (url, title) in [
      ("https://a.example/1", "Swift"), ("https://a.example/2", "swift"),
      ("https://a.example/3", "Parsing with Swift"),
    ] {
      _ = try sandbox.run("save", url, "--title", title)
    }
    return sandbox
  }

  @Test func itIsSaidHowManyThereAre() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("search", "swift").err == "Found 3 links.\n")
    #expect(try sandbox.run("search", "swift", "--limit", "2").err == "The best 2 of 3 links.\n")
    #expect(try sandbox.run("search", "--limit", "2").err == "The newest 2 of 3 links.\n")
    #expect(
      try sandbox.run("search", "parsing", "pascal").err
        == "Nothing has “pascal”. Found 1 close match.\n")
    #expect(
      try sandbox.run("search", "parsng")
        == ProgramRun(
          out: "https://a.example/3\n",
          err: "Nothing has “parsng”; did you mean “parsing”? Found 1 close match.\n"))
    #expect(try sandbox.run("search", "swift", "--limit", "200").status == 0)
  }

  @Test func nothingFoundIsASentenceAndAStatusWhereAskedFor() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("search", "pascal") == ProgramRun(out: "", err: "Nothing matches “pascal”.\n")
    )
    #expect(try sandbox.run("search", "pascal", "--exit-status").status == 1)
    #expect(try sandbox.run("search", "swift", "--exit-status").status == 0)
    #expect(
      try sandbox.run("find", "links", "pascal", "--exit-status")
        == ProgramRun(out: "", err: "Nothing found.\n", status: 1))
  }

  @Test func itemsAreCounted() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("find", "links", "swift", "--count") == ProgramRun(out: "3\n", err: ""))
    #expect(
      try sandbox.run("find", "links", "--count", "--where", "title == \"swift\"").out == "1\n")
    #expect(
      try sandbox.run("find", "links", "pascal", "--count", "--exit-status")
        == ProgramRun(out: "0\n", err: "", status: 1))
  }

  @Test func titleInAnotherCaseIsNeverChosenSilently() throws {
    let run = try sandbox().run("open", "swift")
    #expect(run.status == 3)
    #expect(run.err.contains("“swift” matches 2 links [ambiguous]"), "\(run)")
    #expect(run.err.contains("link:2 swift\n        link:1 Swift"), "\(run)")
  }
}
