import Testing

/// A status of 0 means that the work is done, also when nobody reads what is told of it.
@Suite struct ReaderGoneTests {
  /// Runs `errand` with a standard output that somebody opened and left at once.
  private func run(_ words: String, in sandbox: Sandbox) throws -> Run {
    try sandbox.shell("mkfifo f; (errand \(words) > f; echo $? > status) & : < f; wait; cat status")
  }

  @Test func anImportGoesOnToItsEnd() throws {
    let lines = (0..<12_000).map { "{\"url\":\"https://x.org/\($0)\"}\n" }.joined()
    let sandbox = try Sandbox(["l.jsonl": lines])
    #expect(try run("import l.jsonl --events", in: sandbox) == Run(out: "0\n"))
    #expect(try sandbox.shell("errand export Link | wc -l").out == "12000\n")
  }

  @Test func aFailureIsStillOne() throws {
    let sandbox = try Sandbox(["l.jsonl": "{\"url\":\"https://x.org\"}\n{\"url\":\"nowhere\"}\n"])
    #expect(try run("import l.jsonl --events", in: sandbox).out == "1\n")
    #expect(try sandbox.run("recent").out == "https://x.org\n")
  }

  @Test func aCommandThatOnlyReadsEndsQuietly() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    #expect(try run("find links --json", in: sandbox) == Run(out: "0\n"))
  }

  @Test func outputThatIsLostIsAFailure() throws {
    let sandbox = try Sandbox()
    let lost = "errand: can't write to standard output: No space left on device\n"
    let save = try sandbox.shell("errand save https://swift.org -q > /dev/full; echo $?")
    #expect(save == Run(out: "1\n", err: lost))
    #expect(
      try sandbox.shell("errand recent -q > /dev/full; echo $?") == Run(out: "1\n", err: lost))
    #expect(try sandbox.run("recent").out == "https://swift.org\n")
  }

  /// What is opened first would otherwise get the number of standard output, and the result.
  @Test(arguments: ["errand eval 1+1", "errand add-task A -q --json", "errand find tasks --json"])
  func outputThatIsClosedIsAFailure(_ command: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "B")
    let run = try sandbox.shell("\(command) >&-; echo $? > status")
    #expect(run.err == "errand: can't write to standard output: Bad file descriptor\n")
    #expect(sandbox.read("status") == "1\n")
    #expect(try sandbox.run("doctor").status == 0)
  }
}
