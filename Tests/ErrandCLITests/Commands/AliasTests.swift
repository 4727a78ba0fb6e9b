import TestSupport
import Testing

@testable import ErrandCLI

/// Aliases familiar from other programs, and the words commands accept.
@Suite struct AliasTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift", "--tags", "language")
    _ = try sandbox.run("save", "https://sqlite.org", "--title", "SQLite", "--tags", "database")
    _ = try sandbox.run("add-task", "Write", "the", "docs")
    return sandbox
  }

  /// An alias and its target.
  @Test(arguments: [
    (["ls"], ["recent"]), (["ls", "-n", "1"], ["recent", "--limit", "1"]),
    (["ls", "tasks"], ["find", "tasks"]), (["ls", "shortcuts"], ["list", "shortcuts"]),
    (["rm", "link:1", "--yes"], ["delete", "link:1", "--yes"]),
    (["add", "https://a.example", "--title", "A"], ["save", "https://a.example", "--title", "A"]),
    (["bookmark", "https://a.example"], ["save", "https://a.example"]),
    (["help", "rm"], ["help", "delete"]), (["add", "--help"], ["save", "--help"]),
  ])
  func anAliasDoesTheSame(_ alias: [String], _ command: [String]) throws {
    let expected = try sandbox().run(command)
    #expect(expected.status == 0)
    #expect(try sandbox().run(alias) == expected)
  }

  @Test func ownDefinitionTakesPrecedence() throws {
    let sandbox = try sandbox()
    try sandbox.write("shortcut: rm\nsteps: [{say: Mine}]\n", to: ".config/errand/rm.yaml")
    #expect(try sandbox.run("rm") == ProgramRun(err: "Mine\n"))
    #expect(!(try sandbox.run("help").out.contains("delete, rm")))
  }

  @Test func helpNamesThemBesideTheirCommand() throws {
    let help = try Sandbox().run("help").out
    for names in ["delete, rm", "save, add, bookmark", "recent, ls"] {
      #expect(help.contains("  \(names)  "), "\(names)")
    }
    #expect(try Sandbox().run("help", "delete").out.contains("also: errand rm\n"))
  }

  @Test func aloneItShowsHowToBegin() throws {
    let empty = try Sandbox().run()
    #expect(empty.status == 0 && empty.err == "" && empty.out.contains("errand save URL"))
    #expect(empty.out.contains("Your library is empty."))
    let filled = try sandbox().run()
    #expect(filled.out.contains("errand recent") && !filled.out.contains("empty"))
    for run in [empty, filled] { #expect(run.out.split(separator: "\n").count < 12) }
  }

  // MARK: Words

  @Test func wordsFindOneItem() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("get", "swift", "--format", "{{ self.ref }}").out == "link:1\n")
    #expect(try sandbox.run("get", "write", "docs", "--format", "{{ self.ref }}").out == "task:1\n")
    #expect(try sandbox.run("update", "sqlite", "title=DB").err == "Updated DB (link:2).\n")
    #expect(try sandbox.run("delete", "swift").status == 3)
    #expect(
      try sandbox.run("delete", "swift", "--answer", "confirm=no").err == "Nothing deleted.\n")
    #expect(try sandbox.run("delete", "swift", "--yes").err == "Deleted Swift (link:1).\n")
  }

  @Test func severalFitsAreNamed() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("add-note", "Swift and SQLite")
    let run = try sandbox.run("delete", "sqlite swift and")
    #expect(run.status == 3, "\(run)")
    _ = try sandbox.run("save", "https://swift.org/blog", "--title", "Swift")
    #expect(
      try sandbox.run("get", "swift")
        == ProgramRun(
          err: """
            errand: error: “swift” matches 2 items [ambiguous]
              help: give one of these references:
                    link:3 Swift
                    link:1 Swift

            """, status: 3))
    let chosen = try sandbox.run(
      "get", "swift", "--answer", "item=link:1", "--format", "{{ self.url }}")
    #expect(chosen.out == "https://swift.org\n")
  }

  @Test func severalAddressesAreSavedAtOnceAndUndoneAtOnce() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run("save", "https://a.example", "https://b.example", "--tags", "x")
    #expect(run.out == "https://a.example\nhttps://b.example\n", "\(run)")
    #expect(try sandbox.run("find", "links", "tag:x", "--count").out == "2\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("find", "links", "--count").out == "0\n")
  }

  @Test func aWordThatDoesNotFitSavesNothing() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run("save", "https://a.example", "title")
    #expect(run.status == 2 && run.err.contains("“title”"), "\(run)")
    #expect(try sandbox.run("find", "links", "--count").out == "0\n")
  }

  @Test func aFileIsOpenedByTheProgramForItsKind() throws {
    let sandbox = try sandbox()
    try sandbox.write("#!/bin/sh\necho \"$1\" > opened\n", to: "bin/xdg-open", isProgram: true)
    sandbox.environment["BROWSER"] = "false"
    try sandbox.write("text", to: "report.txt")
    try sandbox.write(
      "shortcut: keep\nsteps: [{create: {entity: File, from: report.txt}}]", to: "keep.yaml")
    #expect(try sandbox.run("run", "keep.yaml", "--quiet").status == 0)
    let path = try sandbox.run("get", "file:1", "--format", "{{ self.path }}").out
    let run = try sandbox.run("open", "file:1", "--quiet")
    #expect(run.status == 0, "\(run)")
    #expect(sandbox.read("opened") == path)
  }
}
