import ErrandKit
import TestSupport
import Testing

/// `errand tags`.
@Suite struct TagsCommandTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let lines = """
      {"url": "https://a.example", "tags": ["lang/swift", "work"]}
      {"url": "https://b.example", "tags": ["lang/swift", "lang/rust"]}
      {"url": "https://c.example", "tags": ["lang", "js"]}
      {"entity": "Note", "text": "Hi", "tags": ["work"]}
      {"entity": "Note", "text": "Ho", "tags": ["langoustine", "javascript"]}
      """
    _ = try sandbox.run("import", "-", input: lines)
    return sandbox
  }

  @Test func tagsAreCountedOverAllEntities() throws {
    #expect(
      try sandbox().run("tags")
        == ProgramRun(
          out: """
            lang/swift\t2
            work\t2
            javascript\t1
            js\t1
            lang\t1
            lang/rust\t1
            langoustine\t1

            """))
    #expect(try sandbox().run("tags", "--of", "note.tags", "-n", "1").out == "javascript\t1\n")
    #expect(
      try sandbox().run("tags", "-n", "1", "--json").out
        == "[{\"tag\":\"lang/swift\",\"items\":2}]\n")
  }

  @Test func aTreeCountsWhatIsBelow() throws {
    #expect(
      try sandbox().run("tags", "--tree")
        == ProgramRun(
          out: """
            javascript   1
            js           1
            lang         3
              rust       1
              swift      2
            langoustine  1
            work         2

            """))
    #expect(
      try sandbox().run("tags", "--tree", "--jsonl").out.contains(
        """
        {"name":"lang","tag":"lang","items":3,"children":[{"name":"rust","tag":"lang/rust",\
        "items":1,"children":[]}
        """))
  }

  @Test func aTagIsRenamedWithThoseBelowItAsOneChange() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("tags", "rename", "lang", "language")
        == ProgramRun(err: "Renamed lang to language in 3 items.\n"))
    #expect(
      try sandbox.run("tags", "--of", "Link.tags").out
        == "language/swift\t2\njs\t1\nlanguage\t1\nlanguage/rust\t1\nwork\t1\n")
    #expect(try sandbox.run("find", "links", "tag:language/rust", "--count").out == "1\n")
    #expect(try sandbox.run("find", "links", "tag:lang/rust", "--count").out == "0\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("tags", "-n", "1").out == "lang/swift\t2\n")
  }

  @Test func tagsAreMergedAcrossEntities() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("tags", "merge", "js", "lang/rust", "into", "javascript")
        == ProgramRun(err: "Merged js, lang/rust into javascript in 2 items.\n"))
    #expect(try sandbox.run("tags", "-n", "1").out == "javascript\t3\n")
    #expect(
      try sandbox.run("get", "link:2", "--format", "{{ self.tags }}").out
        == "lang/swift, javascript\n")
  }

  @Test func deletingATagRemovesItsDescendants() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("tags", "delete", "lang", "work")
        == ProgramRun(err: "Removed lang, work from 4 items.\n"))
    #expect(try sandbox.run("tags").out == "javascript\t1\njs\t1\nlangoustine\t1\n")
    #expect(try sandbox.run("find", "links", "--count").out == "3\n")
    _ = try sandbox.run("undo")
    #expect(try sandbox.run("tags", "-n", "2").out == "lang/swift\t2\nwork\t2\n")
    #expect(try sandbox.run("tags", "delete", "nothing").status == 1)
    #expect(try sandbox.run("tags", "delete").status == 2)
  }

  @Test func aColourStaysWithItsTag() throws {
    let sandbox = try sandbox()
    let file = ".local/share/errand/tags.json"
    #expect(try sandbox.run("tags", "colour", "lang", "teal").err == "lang is teal.\n")
    _ = try sandbox.run("tags", "rename", "lang", "code")
    #expect(sandbox.read(file) == #"{"code":"teal","lang":"teal"}"# + "\n")
    #expect(try sandbox.run("tags", "color", "code", "none").err == "code is without a colour.\n")
    #expect(sandbox.read(file) == #"{"lang":"teal"}"# + "\n")
  }

  @Test(arguments: [
    (["colour", "js", "purpel"], 2, "“purpel” is not a colour for tags [usage]"),
    (["rename", "swfit", "x"], 1, "nothing has the tag “swfit” [not-found]"),
    (["rename", "js", "javascript"], 1, "the tag “javascript” already exists [conflict]"),
    (["rename", "js"], 2, "`tags rename` takes two tags [usage]"),
    (["rename", "js", " "], 2, "a tag cannot be empty, or begin or end with a space [usage]"),
    (["merge", "js", "javascript"], 2, "`tags merge` needs tags, `into` and a tag [usage]"),
    (["renam", "js", "x"], 2, "unknown subcommand “renam” [usage]"),
    (["--of", "Link.title"], 2, "Link has no list title with `index: true` [usage]"),
    (["--of", "tags"], 2, "--of must be ENTITY.PROPERTY, not “tags” [usage]"),
  ])
  func invalidTagCommandsAreReported(_ words: [String], _ status: Int32, _ message: String) throws {
    let run = try sandbox().run(["tags"] + words)
    #expect(run.status == status)
    #expect(run.err.hasPrefix("errand: error: " + message + "\n"), "\(run)")
  }

  @Test func aTreeHasEachPartOnce() {
    let forest = TagNode.forest(["a/b", "a", "a/c", "b//c"])
    #expect(forest.map(\.tag) == ["a", "b"])
    #expect(forest[0].children.map(\.tag) == ["a/b", "a/c"])
    #expect(forest[1].children.map(\.name) == [""])
    #expect(forest[1].children[0].children.map(\.tag) == ["b//c"])
  }

  /// The case of tags does not count: of two spellings the first stays.
  @Test func tagsHaveOneSpelling() throws {
    let sandbox = try Sandbox()
    let tags = { try sandbox.run("get", "link:1", "--format", "{{ self.tags.join(\",\") }}").out }
    _ = try sandbox.run("create", "link", "url=https://a.example", "tags=Foo,foo,ÄB,äb")
    #expect(try tags() == "Foo,ÄB\n")
    _ = try sandbox.run("update", "link:1", "--add", "tags=FOO")
    _ = try sandbox.run("save", "https://a.example", "--tags", "foo,new")
    #expect(try tags() == "Foo,ÄB,new\n")
    _ = try sandbox.run("tags", "rename", "Foo", "foo")
    #expect(try tags() == "foo,ÄB,new\n")
    _ = try sandbox.run("update", "link:1", "--remove", "tags=äb")
    #expect(try tags() == "foo,new\n")
    _ = try sandbox.run("update", "link:1", "tags=B,b")
    #expect(try tags() == "B\n")
  }

  @Test func searchesFindTagsBelow() throws {
    let sandbox = try Sandbox()
    for (number, tag) in ["people/Friends", "people", "peoples", "PEOPLE/x/y"].enumerated() {
      _ = try sandbox.run("save", "https://a.example/\(number)", "--tags", tag)
    }
    func found(_ words: String) throws -> [String] {
      try sandbox.run("find", "links", "--format", "{{ self.url.path() }}", "--", words).out
        .split(separator: "\n").map(String.init).sorted()
    }
    #expect(try found("tag:people") == ["/0", "/1", "/3"])
    #expect(try found("tag:people/friends") == ["/0"])
    #expect(try found("tag:people/x") == ["/3"])
    #expect(try found("-tag:people") == ["/2"])
  }

  // MARK: Suggestions

  private func library() throws -> Sandbox {
    let sandbox = try Sandbox()
    for link in [
      ["url=https://bread.example/starter", "title=Sourdough starter", "tags=baking"],
      ["url=https://rye.example/", "title=Sourdough rye", "tags=baking,rye"],
      ["url=https://tax.example/", "title=Taxes", "tags=money"],
    ] { _ = try sandbox.run(["create", "link"] + link) }
    return sandbox
  }

  @Test func tagsAreSuggestedForItemAndAddress() throws {
    let sandbox = try library()
    #expect(try sandbox.run("tags", "suggest", "link:1").out == "rye\n")
    #expect(
      try sandbox.run("tags", "suggest", "https://bread.example/flour", "Flour").out == "baking\n")
    #expect(
      try sandbox.run("tags", "suggest", "https://x.example/", "sourdough", "-n", "1").out
        == "baking\n")
    #expect(try sandbox.run("tags", "suggest", "https://x.example/", "Stars").out == "")
  }

  @Test func tagsAreSuggestedForLines() throws {
    let lines = """
      {"url": "https://x.example/", "title": "A sourdough"}
      {"url": "https://y.example/", "title": "Stars", "summary": null}
      """
    let run = try library().run("tags", "suggest", "-", input: lines)
    #expect(run == ProgramRun(out: "[\"baking\",\"rye\"]\n[]\n"))
  }

  @Test(arguments: [
    ([], "needs an item or an address"), (["link:9"], "link:9"), (["nothing"], "nothing"),
  ])
  func wrongSuggestionIsRefused(_ words: [String], _ message: String) throws {
    let run = try library().run(["tags", "suggest"] + words)
    #expect(run.status != 0 && run.out == "" && run.err.contains(message))
  }

  @Test func wrongLineIsNamed() throws {
    let run = try library().run("tags", "suggest", "-", input: "{\"title\": \"Sourdough\"}\n[]\n")
    #expect(run.status != 0 && run.err.contains("line 2"))
  }
}
