import TestSupport
import Testing

/// `undo` moves files back, and reverts the remaining changes of their run.
@Suite struct MovedFilesTests {
  private static let tidy = """
    shortcut: tidy
    steps:
      - move-file: {from: a.txt, to: done/}
      - create: {entity: Task, set: {title: 'Moved {{ it.fileName() }}'}}
      - trash-file: b.txt
      - move-file: {from: done/a.txt, to: done/c.txt}

    """

  private func tidied() throws -> Sandbox {
    let sandbox = try Sandbox(["tidy.yaml": Self.tidy, "a.txt": "a", "b.txt": "b"])
    #expect(try sandbox.run("run", "tidy.yaml", "--quiet").status == 0)
    return sandbox
  }

  private func tasks(_ sandbox: Sandbox) throws -> String {
    try sandbox.run("find", "task").out
  }

  @Test func allOfARunIsTakenBackAndMadeAgain() throws {
    let sandbox = try tidied()
    #expect(sandbox.read("done/c.txt") == "a")
    #expect(sandbox.read("b.txt") == nil)
    let trash = ".local/share/Trash/files/b.txt"
    #expect(sandbox.read(trash) == "b")
    let path = sandbox.path
    #expect(
      try sandbox.run("undo").err == """
        Undone: the move of \(path)/done/a.txt to \(path)/done/c.txt by tidy.
        Undone: putting \(path)/b.txt in the trash by tidy.
        Undone: the move of \(path)/a.txt to \(path)/done/a.txt by tidy.
        Undone: the creation of task:1 by tidy.

        """)
    #expect(sandbox.read("a.txt") == "a")
    #expect(sandbox.read("b.txt") == "b")
    #expect(sandbox.read(trash) == nil)
    #expect(try tasks(sandbox) == "")
    #expect(try sandbox.run("undo").err == "Nothing to undo.\n")
    #expect(try sandbox.run("redo").status == 0)
    #expect(sandbox.read("done/c.txt") == "a")
    #expect(sandbox.read(trash) == "b")
    #expect(try tasks(sandbox) == "Moved a.txt\n")
    #expect(try sandbox.run("undo").status == 0)
    #expect(sandbox.read("a.txt") == "a")
    #expect(try sandbox.run("doctor").status == 0)
  }

  @Test func changedFileIsAConflictAndNothingIsUndone() throws {
    let sandbox = try tidied()
    try sandbox.write("changed", to: "done/c.txt")
    let run = try sandbox.run("undo")
    #expect(
      run.err == "errand: error: \(sandbox.path)/done/c.txt was changed after it was moved there; "
        + "nothing was undone [conflict]\n")
    #expect(run.status == 1)
    #expect(sandbox.read("done/c.txt") == "changed")
    #expect(sandbox.read("b.txt") == nil)
    #expect(try tasks(sandbox) == "Moved a.txt\n")
  }

  @Test func filesMovedBeforeAConflictAreMovedAgain() throws {
    let sandbox = try tidied()
    // The last of the three moves to undo has its old path taken.
    try sandbox.write("new", to: "a.txt")
    let run = try sandbox.run("undo")
    #expect(run.err.contains("something else is now at \(sandbox.path)/a.txt"), "\(run)")
    #expect(run.status == 1)
    #expect(sandbox.read("a.txt") == "new")
    #expect(sandbox.read("done/c.txt") == "a")
    #expect(sandbox.read("b.txt") == nil)
    #expect(try tasks(sandbox) == "Moved a.txt\n")
    // Nothing of it was recorded either.
    _ = try sandbox.shell("rm a.txt")
    #expect(try sandbox.run("undo").status == 0)
    #expect(sandbox.read("a.txt") == "a")
  }

  @Test func aFailedRunKeepsWhatItMovedForUndo() throws {
    let sandbox = try Sandbox([
      "fails.yaml": """
      shortcut: fails
      steps:
        - move-file: {from: a.txt, to: b.txt}
        - fail: No.

      """, "a.txt": "a",
    ])
    #expect(try sandbox.run("run", "fails.yaml").status == 1)
    #expect(sandbox.read("b.txt") == "a")
    #expect(try sandbox.run("undo").status == 0)
    #expect(sandbox.read("a.txt") == "a")
  }

  @Test func theLogShowsMoves() throws {
    let sandbox = try tidied()
    let rows = try sandbox.run("changes", "--after", "0").out.split(separator: "\n")
    #expect(
      rows.map { $0.split(separator: "\t")[2] } == ["moved", "created", "moved", "moved"])
    #expect(rows[0].contains("\(sandbox.path)/a.txt → \(sandbox.path)/done/a.txt"))
    let format = "{{ self.change }} {{ self.entity }} {{ self.?from.orValue(\"-\") }}"
    let run = try sandbox.run("changes", "--after", "0", "-n", "2", "--format", format)
    #expect(run.out == "move  \(sandbox.path)/a.txt\ncreate Task -\n")
  }

  @Test func repairKeepsMoves() throws {
    let sandbox = try tidied()
    #expect(try sandbox.run("doctor", "--repair").status == 0)
    #expect(try sandbox.run("undo").status == 0)
    #expect(sandbox.read("a.txt") == "a")
  }

  @Test func moveThatCannotBeLoggedIsReverted() throws {
    let sandbox = try Sandbox([
      "move.yaml": "shortcut: move\nsteps: [{move-file: {from: a.txt, to: b.txt}}]\n",
      "a.txt": "a", "store.db": String(repeating: "This is no store. ", count: 100),
    ])
    let run = try sandbox.run("run", "move.yaml", "--store", "store.db")
    #expect(run.err.contains("[store]"), "\(run)")
    #expect(sandbox.read("a.txt") == "a")
  }
}
