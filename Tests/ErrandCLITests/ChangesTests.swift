import TestSupport
import Testing

/// The change log as shown to people and programs.
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

  @Test func changesContinueAfterANumber() throws {
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

  @Test func theyAreChosenByCauseItemAndTime() throws {
    let sandbox = try filled()
    func numbers(_ words: String...) throws -> [Substring] {
      try sandbox.run(["changes"] + words).out.split(separator: "\n")
        .map { $0.prefix { $0 != "\t" } }
    }
    #expect(try numbers("--by", "import") == ["4"])
    #expect(try numbers("--item", "task:1") == ["3", "2", "1"])
    #expect(try numbers("--item", "link:2") == ["4"])
    #expect(try numbers("--since", "tomorrow") == [])
    #expect(try numbers("--since", "yesterday", "--by", "delete") == ["3"])
  }

  @Test func oldAndNewValuesAreShown() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Write")
    _ = try sandbox.run("update", "task:1", "title=Read")
    #expect(try sandbox.run("changes", "-n", "1").out.hasSuffix("\ttitle: Write → Read\n"))
    let run = try sandbox.run(
      "changes", "-n", "1", "--format", "{{ self.properties.map(p, [p.name, p.old, p.new]) }}")
    #expect(run.out.contains("Write") && run.out.contains("Read"), "\(run)")
  }

  @Test func changesShowValuesOfCreatedAndDeletedItems() throws {
    let sandbox = try Sandbox(["t.yaml": "entity: T\nproperties: {a: string, b: 'int?'}\n"])
    let catalog = ["--catalog", sandbox.path]
    _ = try sandbox.run(["create", "T", "a=Old", "b=1"] + catalog)
    _ = try sandbox.run(["update", "t:1", "a=New"] + catalog)
    _ = try sandbox.run(["update", "t:1", "a=Newer"] + catalog)
    _ = try sandbox.run(["delete", "t:1", "--yes"] + catalog)
    func values(_ words: [String]) throws -> [String] {
      try sandbox.run(["changes"] + words + catalog).out.split(separator: "\n").map {
        String($0.split(separator: "\t").last ?? "")
      }
    }
    #expect(
      try values([])
        == ["a: Newer; b: 1", "a: New → Newer", "a: Old → New", "a: Old; b: 1"])
    _ = try sandbox.run(["undo"] + catalog)
    #expect(try values(["--after", "0", "--limit", "1"]) == ["a: Old; b: 1"])
  }

  @Test func undoTakesANumberAndRedoReapplies() throws {
    let sandbox = try filled()
    let wrong = try sandbox.run("undo", "2")
    #expect(wrong.status == 1)
    #expect(
      wrong.err
        == "errand: error: task:1 was changed later by delete (change 3): undo that first; "
        + "nothing was undone [conflict]\n")
    let run = try sandbox.run("undo", "--by", "delete")
    #expect(run.err == "Undone: the deletion of task:1 by delete.\n")
    #expect(try sandbox.run("undo", "2").err == "Undone: a change of task:1 by toggle-task.\n")
    #expect(try sandbox.run("redo").err == "Redone: a change of task:1 by toggle-task.\n")
    #expect(try sandbox.run("redo").err == "Redone: the deletion of task:1 by delete.\n")
    #expect(try sandbox.run("redo").err == "Nothing to redo.\n")
    #expect(try sandbox.run("undo", "99").err.contains("there is no change 99 in the log"))
    #expect(try sandbox.run("undo", "--by", "nobody").err.contains("command `nobody`"))
    #expect(try sandbox.run("undo").err.hasPrefix("Undone: the creation of link:1 to link:2"))
    #expect(try sandbox.run("redo").status == 0)
    #expect(try sandbox.run("find", "Link").out.split(separator: "\n").count == 2)
  }

  @Test(arguments: [["undo", "x"], ["undo", "0"], ["undo", "1", "--by", "save"], ["redo", "1"]])
  func badUsageOfUndo(_ words: [String]) throws {
    let run = try Sandbox().run(words)
    #expect(run.status == 2)
    #expect(run.out == "")
  }

  @Test func undoSaysWhatStays() throws {
    let sandbox = try Sandbox([
      ".config/errand/shortcuts/keep.yaml": """
      shortcut: keep
      steps:
        - add-task: New
        - write-file: {path: '~/kept.txt', text: New}
        - exec: ['true']
      """
    ])
    _ = try sandbox.run("keep")
    #expect(
      try sandbox.run("undo").err == """
        Undone: the creation of task:1 by keep.
        Not undone: files that it wrote, what its programs did.

        """)
    _ = try sandbox.run("add-task", "Other")
    #expect(try sandbox.run("undo").err == "Undone: the creation of task:2 by add-task.\n")
  }

  @Test func prunedChangesCannotBeUndone() throws {
    let sandbox = try filled()
    #expect(try sandbox.run("changes", "--keep", "1").err == "Deleted 3 changes from the log.\n")
    #expect(try sandbox.run("undo").status == 0)
    let again = try sandbox.run("undo")
    #expect(again.err == "Nothing to undo.\n")
    #expect(try sandbox.run("changes").out.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    ["--limit", "-1"], ["--after", "x"], ["--keep", "1.5"], ["word"], ["--item", "5"],
    ["--since", "whenever"],
  ])
  func badUsage(_ words: [String]) throws {
    let run = try Sandbox().run(["changes"] + words)
    #expect(run.status == 2)
    #expect(run.out == "")
  }
}
