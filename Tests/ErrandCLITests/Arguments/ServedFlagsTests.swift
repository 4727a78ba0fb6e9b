import TestSupport
import Testing

@testable import ErrandCLI

/// Commands reject common flags they do not support.
@Suite struct ServedFlagsTests {
  @Test(arguments: [
    (["version", "--json"], "json"), (["vacuum", "--format", "x"], "format"),
    (["help", "-0"], "null"),
    (["list", "--answer", "a=b"], "answer"), (["undo", "-y"], "yes"),
    (["--jsonl", "vacuum"], "jsonl"), (["backup", "b.db", "--yes"], "yes"),
  ])
  func unsupportedCommonFlagsAreRejected(_ words: [String], _ flag: String) throws {
    let run = try Sandbox().run(words)
    let command = try #require(words.first { !$0.hasPrefix("-") })
    let message = "`\(command)` does not accept --\(flag)"
    let help = "errand help \(command) lists the flags it accepts"
    #expect(run.status == 2)
    #expect(run.out == "")
    let isJSON = words.contains { ["--json", "--jsonl"].contains($0) }
    if isJSON {
      #expect(
        run.err
          == "{\"error\":{\"code\":\"usage\",\"message\":\"\(message)\",\"help\":\"\(help)\",\"path\":[]}}\n"
      )
    } else {
      #expect(run.err == "errand: error: \(message) [usage]\n  help: \(help)\n")
    }
  }

  /// Flags for locations and appearance are accepted by every command.
  @Test(arguments: CommandTable.all.map(\.name))
  func everyCommandTakesTheGeneralFlags(_ name: String) throws {
    let words = ["--store", ":memory:", "--color", "never", "-q", name, "--help"]
    let run = try Sandbox().run(words)
    #expect(run.status == 0, "\(run)")
    #expect(run.out.contains("Usage\n  errand \(name)"), "\(run)")
    #expect(run.err == "")
  }

  @Test func helpNamesOnlyWhatIsServed() throws {
    let help = try Sandbox().run("help", "vacuum").out
    #expect(!help.contains("--json") && !help.contains("--yes") && help.contains("--store"))
    #expect(try Sandbox().run("help", "find").out.contains("--answer"))
  }

  @Test func aDeletionIsAResultForPrograms() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let run = try sandbox.run("delete", "link:1", "--yes", "--format", "{{ self.url }}")
    #expect(run == ProgramRun(out: "https://swift.org\n", err: "Deleted Swift (link:1).\n"))
  }

  @Test func aDocumentOfStandardInputIsChosenByItsName() throws {
    let input = "shortcut: hi\nsteps: [{say: Hi}]\n---\nshortcut: ho\nsteps: [{say: Ho}]\n"
    #expect(try Sandbox().run("run", "-#ho", input: input) == ProgramRun(err: "Ho\n"))
  }
}
