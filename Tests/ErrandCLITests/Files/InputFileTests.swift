import Glibc
import TestSupport
import Testing

/// Files in arguments: regular ones, and pipes that the shell hands over.
@Suite struct InputFileTests {
  private static let shortcut = "shortcut: a\nsteps:\n  - say: hi\n"

  @Test(
    arguments: [["import"], ["convert"], ["check"], ["fmt"], ["run"], ["share-in", "--shelf"]],
    ["./pipe", "./pipe.shortcut", "/dev/zero"])
  func pipesAndDevicesAreRefused(command: [String], path: String) throws {
    let sandbox = try Sandbox()
    for name in ["pipe", "pipe.shortcut"] { mkfifo(sandbox.path + "/" + name, 0o600) }
    let run = try sandbox.run(command + [path])
    #expect(run.status == 1 || run.status == 2, "\(run)")
    // `check` and `fmt` report on standard output.
    let said = run.out + run.err
    #expect(said.contains("it is a pipe or a device"), "\(run)")
    #expect(said.contains("`-` instead of \(path)"), "\(run)")
  }

  @Test(arguments: [
    "errand check <(cat a.yaml)", "errand check /dev/stdin <a.yaml",
    "cat a.yaml | errand check /dev/stdin", "errand check - <a.yaml", "errand run <(cat a.yaml)",
  ])
  func whatTheShellHandsOverIsRead(script: String) throws {
    let sandbox = try Sandbox(["a.yaml": Self.shortcut, "do.sh": script + "\n"])
    let run = try sandbox.shell("bash do.sh")
    #expect(run.status == 0, "\(run)")
  }

  @Test func aSharedStreamIsBounded() throws {
    let run = try Sandbox().shell("errand share-in --shelf - </dev/zero")
    #expect(run.status == 2 && run.err.contains("larger than"), "\(run)")
  }
}
