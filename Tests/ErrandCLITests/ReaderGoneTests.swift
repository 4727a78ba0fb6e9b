import TestSupport
import Testing

/// Status 0 means the work is done, even if the reader closed the pipe.
@Suite struct ReaderGoneTests {
  /// Runs `errand` with a standard output whose reader has closed the pipe.
  private func run(_ words: String, in sandbox: Sandbox) throws -> ProgramRun {
    try sandbox.shell("mkfifo f; (errand \(words) > f; echo $? > status) & : < f; wait; cat status")
  }

  @Test func importContinuesToItsEnd() throws {
    let lines = (0..<12_000).map { "{\"url\":\"https://x.org/\($0)\"}\n" }.joined()
    let sandbox = try Sandbox(["l.jsonl": lines])
    #expect(try run("import l.jsonl --events", in: sandbox) == ProgramRun(out: "0\n"))
    #expect(try sandbox.shell("errand export Link | wc -l").out == "12000\n")
  }

  @Test func failureIsReportedDespiteAGoneReader() throws {
    let sandbox = try Sandbox(["l.jsonl": "{\"url\":\"https://x.org\"}\n{\"url\":\"nowhere\"}\n"])
    #expect(try run("import l.jsonl --events", in: sandbox).out == "1\n")
    #expect(try sandbox.run("recent").out == "https://x.org\n")
  }

  @Test func aCommandThatOnlyReadsEndsQuietly() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    #expect(try run("find links --json", in: sandbox) == ProgramRun(out: "0\n"))
  }

  @Test func outputThatIsLostIsAFailure() throws {
    let sandbox = try Sandbox()
    let lost = "errand: cannot write to standard output: No space left on device\n"
    let save = try sandbox.shell("errand save https://swift.org -q > /dev/full; echo $?")
    #expect(save == ProgramRun(out: "1\n", err: lost))
    #expect(
      try sandbox.shell("errand recent -q > /dev/full; echo $?")
        == ProgramRun(out: "1\n", err: lost))
    #expect(try sandbox.run("recent").out == "https://swift.org\n")
  }

  /// Otherwise the first opened file would get the descriptor of standard output, and receive the
  /// result.
  @Test(arguments: ["errand eval 1+1", "errand add-task A -q --json", "errand find tasks --json"])
  func outputThatIsClosedIsAFailure(_ command: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "B")
    let run = try sandbox.shell("\(command) >&-; echo $? > status")
    #expect(run.err == "errand: cannot write to standard output: Bad file descriptor\n")
    #expect(sandbox.read("status") == "1\n")
    #expect(try sandbox.run("doctor").status == 0)
  }
}
