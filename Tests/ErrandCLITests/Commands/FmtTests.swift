import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct FmtTests {
  private static let loose = "shortcut:   'a'\nsteps:\n- say: 'b' # c\n"
  private static let canonical = "shortcut: a\nsteps:\n  - say: b # c\n"

  @Test func writesFilesInPlace() throws {
    let sandbox = try Sandbox([
      "d/a.yaml": Self.loose, "d/b.yaml": "shortcut: b\nsteps: [stop]\n", "d/c.txt": "a:   1",
    ])
    chmod(sandbox.path + "/d/a.yaml", 0o640)
    symlink("d/a.yaml", sandbox.path + "/linked.yaml")
    let check = try sandbox.run("fmt", "--check", "d", "linked.yaml")
    #expect(check.status == 1)
    #expect(check.out == "d/a.yaml\nlinked.yaml\n")
    #expect(sandbox.read("d/a.yaml") == Self.loose)
    #expect(try sandbox.run("fmt", "linked.yaml").out == "linked.yaml\n")
    #expect(sandbox.read("d/a.yaml") == Self.canonical)
    var status = stat()
    #expect(lstat(sandbox.path + "/linked.yaml", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(sandbox.path + "/d/a.yaml", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
    let again = try sandbox.run("fmt", "d", "--check")
    #expect(again.status == 0)
    #expect(again.out.isEmpty)
    #expect(sandbox.read("d/c.txt") == "a:   1")
  }

  @Test func leavesJSON() throws {
    let sandbox = try Sandbox(["data.json": "{\"a\": 1}"])
    let run = try sandbox.run("fmt", "data.json")
    #expect(run.status == 2 && run.err.contains("jq . data.json"), "\(run)")
    #expect(sandbox.read("data.json") == "{\"a\": 1}")
  }

  @Test func takesOwnFilesByDefault() throws {
    let sandbox = try Sandbox([".config/errand/a.yaml": Self.loose, "other.yaml": Self.loose])
    let path = sandbox.path + "/.config/errand/a.yaml"
    #expect(try sandbox.run("fmt").out == path + "\n")
    #expect(sandbox.read(".config/errand/a.yaml") == Self.canonical)
    #expect(sandbox.read("other.yaml") == Self.loose)
  }

  @Test func formatsStandardInput() throws {
    let sandbox = try Sandbox([:])
    #expect(try sandbox.run("fmt", "-", input: Self.loose).out == Self.canonical)
    let check = try sandbox.run("fmt", "--check", "-", input: Self.loose)
    #expect(check.status == 1)
    #expect(check.out == "<stdin>\n")
  }

  @Test func leavesFilesWithMistakes() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut:  a\nsteps: [\n", "b.yaml": Self.loose])
    let run = try sandbox.run("fmt", "a.yaml", "b.yaml", "none.yaml")
    #expect(run.status == 2)
    #expect(
      run.out == """
        b.yaml
        error: none.yaml cannot be read: no such file or directory [unreadable]
          help: check the path, or use a name from `errand list`
        a.yaml:2:8: error: this `[` is never closed [yaml-syntax]
            2 | steps: [
              |        ^
          help: close it with `]`

        """)
    #expect(sandbox.read("a.yaml") == "shortcut:  a\nsteps: [\n")
    #expect(sandbox.read("b.yaml") == Self.canonical)
  }
}
