import Glibc
import TestSupport
import Testing

/// Progress shown during a long import.
@Suite struct ProgressTests {
  @Test func aShortImportShowsNoProgress() throws {
    let sandbox = try Sandbox(["in.jsonl": "{\"url\":\"https://a.org\"}\n"])
    let terminal = try sandbox.terminal("import", "in.jsonl")
    #expect(try terminal.finish() == 0)
    #expect(terminal.transcript == "created 1, merged 0, bad 0 of 1 lines\r\n")
  }

  @Test func interruptingKeepsWhatWasWritten() throws {
    let sandbox = try Sandbox()
    // A whole batch at once, then lines slow enough for progress to be shown.
    try sandbox.write(
      """
      #!/bin/sh
      i=0
      while :; do
        echo "{\\"url\\":\\"https://a.org/$i\\"}"
        i=$((i+1))
        [ $i -lt 10000 ] || sleep 0.003
      done
      """, to: "bin/endless", isProgram: true)
    try sandbox.write(
      "#!/bin/sh\nendless | errand import -\n", to: "bin/importing", isProgram: true)
    let terminal = try TerminalRun(
      sandbox.path + "/bin/importing", [], in: sandbox, columns: 80, rows: 24, input: nil,
      output: nil)
    try terminal.expect("importing 10")
    func count() throws -> Int {
      try sandbox.run("find", "Link", "--jsonl", "--limit", "20000").out.split(separator: "\n")
        .count
    }
    // The batch is written while more lines are read.
    for _ in 0..<600 {
      if try count() > 0 { break }
      usleep(100_000)
    }
    terminal.type("\u{3}")
    _ = try terminal.finish()
    #expect(try count() == 10_000, "whole batches are kept")
  }
}
