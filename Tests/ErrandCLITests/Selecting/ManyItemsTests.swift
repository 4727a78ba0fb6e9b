import TestSupport
import Testing

@testable import ErrandCLI

/// Commands on several items: by references, from a pipe, by a search.
@Suite struct ManyItemsTests {
  /// Three links, and a task with the number 1.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let lines = """
      {"url": "https://swift.org", "title": "Swift", "tags": ["language"]}
      {"url": "https://rust-lang.org", "title": "Rust", "tags": ["language"]}
      {"url": "https://sqlite.org", "title": "SQLite", "tags": ["database"]}
      {"entity": "Task", "title": "Write"}
      """
    _ = try sandbox.run("import", "-", input: lines)
    return sandbox
  }

  @Test func severalReferencesAreChangedAtOnceAndTakenBackAtOnce() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("update", "link:1", "https://rust-lang.org", "--add", "tags=seen")
        == ProgramRun(
          out: "https://swift.org\nhttps://rust-lang.org\n",
          err: "Updated Swift (link:1).\nUpdated Rust (link:2).\n"))
    #expect(try sandbox.run("find", "links", "tag:seen", "--count").out == "2\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("find", "links", "tag:seen", "--count").out == "0\n")
  }

  @Test func aSearchIsAskedAboutWithItsNumber() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run("update", "links", "tag:language", "status=ready")
    #expect(run.status == 3)
    #expect(
      run.err.contains("“Change 2 links (Swift, Rust)?” needs an answer")
        || run.err.contains("“Change 2 links (Rust, Swift)?” needs an answer"), "\(run)")
    let words = [
      "update", "links", "--where", "\"language\" in tags", "status=ready", "--yes", "-q",
    ]
    #expect(try sandbox.run(words).status == 0)
    #expect(try sandbox.run("find", "links", "status:ready", "--count").out == "2\n")
  }

  @Test func manyAreDeletedAfterOneQuestion() throws {
    let sandbox = try sandbox()
    let answered = try sandbox.run("delete", "link:1", "link:3", "--answer", "confirm=no")
    #expect(
      answered
        == ProgramRun(
          err: "Nothing deleted.\n",
          status: 4))
    let run = try sandbox.run("delete", "links", "--where", "true", "--yes", "--quiet")
    #expect(run == ProgramRun())
    #expect(try sandbox.run("find", "links", "--count").out == "0\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("find", "links", "--count").out == "3\n")
  }

  @Test func entityWithoutWordsIsNotASelection() throws {
    #expect(
      try sandbox().run("delete", "links", "--yes")
        == ProgramRun(
          err: """
            errand: error: which links? [usage]
              help: add words to search for, or --where true for all

            """, status: 2))
  }

  @Test func deleteWithoutMatchesIsAnError() throws {
    #expect(
      try sandbox().run("delete", "links", "kubernetes", "--yes")
        == ProgramRun(err: "errand: error: nothing found [not-found]\n", status: 1))
  }

  @Test(arguments: [
    "link:1\nlink:2\n", "1\n2\n", "https://swift.org\nhttps://www.rust-lang.org/\n",
    "\nlink:1\tSwift\n\nlink:2\tRust", "{\"ref\": \"link:1\"}\n{\"entity\": \"Link\", \"id\": 2}\n",
    "[{\"id\": 1, \"entity\": \"Link\"}, {\"ref\": \"link:2\"}]\n",
  ])
  func aPipeGivesReferences(_ input: String) throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("delete", "task:1", "--yes")
    let input = input.replacing("www.", with: "")
    let run = try sandbox.run("get", "-", "--jsonl", input: input)
    #expect(run.out.split(separator: "\n").count == 2, "\(run)")
    #expect(run.out.contains("\"ref\":\"link:1\"") && run.out.contains("\"ref\":\"link:2\""))
    #expect(try sandbox.run("delete", "-", "--yes", input: input).status == 0)
    #expect(try sandbox.run("find", "links", "--count").out == "1\n")
  }

  @Test func badLineOfAPipeIsReported() throws {
    let sandbox = try sandbox()
    let missing = try sandbox.run("delete", "-", "--yes", input: "link:1\n\nlink:99\n")
    #expect(
      missing
        == ProgramRun(
          err: "errand: error: line 3 of standard input: there is no link:99 [not-found]\n",
          status: 1))
    let odd = try sandbox.run("get", "-", input: "{\"url\": 1}\n")
    #expect(
      odd
        == ProgramRun(
          err: """
            errand: error: line 1 of standard input: the JSON is not an item [invalid-value]
              help: an item has `ref`, or `entity` and `id`

            """, status: 1))
    #expect(try sandbox.run("find", "links", "--count").out == "3\n")
  }

  @Test func numberOfSeveralItemsIsAmbiguous() throws {
    let sandbox = try sandbox()
    let several = try sandbox.run("get", "1")
    #expect(several.status == 3 && several.err.contains("2 items have the number 1 [ambiguous]"))
    #expect(try sandbox.run("get", "3", "--format", "{{ self.ref }}").out == "link:3\n")
    let run = try sandbox.run("delete", "1", "--yes")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: 2 items have the number 1 [ambiguous]
              help: give one of these references:
                    link:1 Swift
                    task:1 Write

            """, status: 3))
    #expect(try sandbox.run("delete", "2", "--yes").err == "Deleted Rust (link:2).\n")
    #expect(try sandbox.run("get", "9").err.contains("there is no item with the number 9"))
  }

  @Test func anIntentRunsForEachOfSeveralItems() throws {
    let sandbox = try sandbox()
    try sandbox.write("#!/bin/sh\necho \"$1\" >> opened\n", to: "bin/show", isProgram: true)
    sandbox.environment["BROWSER"] = "show"
    let run = try sandbox.run("open", "link:1", "3")
    #expect(run.err == "Opened Swift.\nOpened SQLite.\n")
    #expect(run.out == "https://swift.org\nhttps://sqlite.org\n")
    let condition = ["open", "--where", "\"language\" in tags", "--yes", "-q"]
    #expect(try sandbox.run(condition).out.split(separator: "\n").count == 2)
    let asked = try sandbox.run("open", "--where", "true")
    #expect(asked.status == 3)
    #expect(asked.err.contains("“Run `open` for 3 links ("), "\(asked)")
  }

  @Test func intentOnSeveralItemsIsOneChange() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("add-task", "Read")
    let run = try sandbox.run("toggle-task", "-", input: "task:1\ntask:2\n")
    #expect(run.err == "Done: Write.\nDone: Read.\n")
    #expect(try sandbox.run("find", "tasks", "--where", "done", "--count").out == "2\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("find", "tasks", "--where", "done", "--count").out == "0\n")
  }

  @Test func amongSeveralAMistypedOneEndsAllBeforeAnythingIsDone() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("toggle-task", "task:1", "task:99").status == 1)
    #expect(try sandbox.run("find", "tasks", "--where", "done", "--count").out == "0\n")
  }

  @Test func jsonOfSeveralIsOneArray() throws {
    let run = try sandbox().run("get", "link:1", "link:2", "--json")
    #expect(run.out.hasPrefix("[{") && run.out.hasSuffix("}]\n"), "\(run)")
    #expect(run.out.split(separator: "\n").count == 1)
  }
}
