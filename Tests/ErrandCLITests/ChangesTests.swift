import Testing

/// The change log, as people and watchers read it.
@Suite struct ChangesTests {
  private func filled() throws -> Sandbox {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Write")
    _ = try sandbox.run("toggle-task", "task:1")
    _ = try sandbox.run("delete", "task:1", "--yes")
    _ = try sandbox.run(
      "import", "-", input: "{\"url\":\"https://a.org\"}\n{\"url\":\"https://b.org\"}\n")
    return sandbox
  }

  @Test func theLatestComeFirst() throws {
    let sandbox = try filled()
    let run = try sandbox.run("changes")
    let rows = run.out.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(rows.map { $0[0] } == ["4", "3", "2", "1"])
    #expect(rows.map { $0[2] } == ["created", "deleted", "updated", "created"])
    #expect(rows.map { $0[3] } == ["link:1 to link:2", "task:1", "task:1", "task:1"])
    #expect(rows.map { $0[4] } == ["import", "delete", "toggle-task", "add-task"])
    #expect(try sandbox.run("changes", "-n", "1").out.hasPrefix("4\t"))
  }

  @Test func aWatcherGoesOnFromANumber() throws {
    let sandbox = try filled()
    let format =
      "{{ self.number }} {{ self.change }} {{ self.entity }} {{ self.first }}-{{ self.last }}"
    let run = try sandbox.run("changes", "--after", "2", "--format", format)
    #expect(run.out == "3 delete Task 1-1\n4 create Link 1-2\n")
    #expect(try sandbox.run("changes", "--after", "4", "--json").out == "[]\n")
    #expect(
      try sandbox.run("changes", "--after", "2", "--limit", "1", "--jsonl").out
        .hasPrefix(#"{"number":3,"group":3,"time":""#))
  }

  @Test func whatIsForgottenCannotBeTakenBack() throws {
    let sandbox = try filled()
    #expect(try sandbox.run("changes", "--keep", "1").err == "Forgot 3 changes.\n")
    #expect(try sandbox.run("undo").status == 0)
    let again = try sandbox.run("undo")
    #expect(again.err == "There is nothing to take back.\n")
    #expect(try sandbox.run("changes").out.split(separator: "\n").count == 2)
  }

  @Test(arguments: [["--limit", "-1"], ["--after", "x"], ["--keep", "1.5"], ["word"]])
  func badUsage(_ words: [String]) throws {
    let run = try Sandbox().run(["changes"] + words)
    #expect(run.status == 2)
    #expect(run.out == "")
  }
}
