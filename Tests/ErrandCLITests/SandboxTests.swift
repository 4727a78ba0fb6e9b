import TestSupport
import Testing

/// The program as a process, seen from outside.
@Suite struct SandboxTests {
  @Test func versionIsOneLine() throws {
    let run = try Sandbox().run("version")
    #expect(run.status == 0)
    #expect(run.out.hasPrefix("errand "))
    #expect(run.out.hasSuffix("\n"))
    #expect(run.err.isEmpty)
  }

  @Test func aTerminalIsSeen() throws {
    let terminal = try Sandbox().terminal("version")
    #expect(try terminal.finish() == 0)
    #expect(terminal.text.hasPrefix("errand "))
  }
}
