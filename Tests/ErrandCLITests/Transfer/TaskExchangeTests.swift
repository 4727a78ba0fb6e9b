import TestSupport
import Testing

/// Tasks and links written for other programs and readers, and read back.
@Suite struct TaskExchangeTests {
  private let items = """
    {"entity":"Task","uid":"00000000-0000-7000-8000-000000000001","title":"Call +Mom at  home","notes":"a\\n\\nb: \\"c\\"","due":"2026-11-30","start":"2026-11-02","tags":["phone","two words"],"repeat":"every week","priority":"high","project":"Family"}
    {"entity":"Task","uid":"00000000-0000-7000-8000-000000000002","title":"Pay","done":true,"due":"2026-11-30T10:15:00Z","repeat":"3d after done","priority":"low","estimate":"90s","pinned":true,"createdAt":"2026-01-02T03:04:05.678Z","updatedAt":"2026-02-02T03:04:05Z"}
    {"entity":"Task","title":"Ask","parent":"00000000-0000-7000-8000-000000000001","after":["00000000-0000-7000-8000-000000000002"],"repeat":"every month on last friday","project":"My house","remind":["1d before"]}
    {"entity":"Task","title":"due:2026-01-01 x (A)","due":"2026-03-01"}

    """

  /// The lines of the tasks; their numbers follow time, so that those of both stores are equal.
  private func tasks(_ sandbox: Sandbox, _ store: String) throws -> [String] {
    let run = try sandbox.run("export", "tasks", "--store", store)
    #expect(run.status == 0, "\(run)")
    return run.out.split(separator: "\n").map(String.init).sorted()
  }

  @Test(arguments: ["todo.txt", "taskwarrior"])
  func tasksComeBackAsTheyWere(_ format: String) throws {
    let sandbox = try Sandbox()
    sandbox.environment["TZ"] = "Europe/Berlin"
    let made = try sandbox.run("import", "-", "--store", "a.db", input: items)
    #expect(made.out == "created 4, merged 0, bad 0 of 4 lines\n")
    let text = try sandbox.run("export", "tasks", "--to", format, "--store", "a.db")
    #expect(text.status == 0)
    try sandbox.write(text.out, to: format)
    let read = try sandbox.run("import", format, "--from", format, "--store", "b.db")
    #expect(read.out == "created 4, merged 0, left out 0, bad 0 of 4 tasks\n")
    let before = try tasks(sandbox, "a.db")
    #expect(before.count == 4)
    #expect(try tasks(sandbox, "b.db") == before)
    let again = try sandbox.run("import", format, "--from", format, "--store", "a.db")
    #expect(again.out == "created 0, merged 4, left out 0, bad 0 of 4 tasks\n")
    #expect(try tasks(sandbox, "a.db") == before)
  }

  @Test func todoTextIsPlainForOthers() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("import", "-", input: items)
    let lines = try sandbox.run("export", "tasks", "--to", "todo.txt", "--where", "!done").out
      .split(separator: "\n").map { $0.prefix { $0 != "{" } }
    #expect(lines.count == 3)
    #expect(lines.contains { $0.hasPrefix("(A) 20") })
    #expect(
      lines[0].hasSuffix(
        " Call +Mom at home +Family @phone due:2026-11-30 t:2026-11-02 rec:+1w errand:"))
  }

  private let links = """
    {"url":"https://a.example/","title":"A \\"b\\" & c","tags":["people/friends","x"],"summary":"A note","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z"}
    {"url":"https://b.example/","title":"B","tags":["x"],"createdAt":"2026-01-03T00:00:00Z","updatedAt":"2026-01-03T00:00:00Z"}
    {"url":"https://c.example/","title":"Secret","private":true}
    {"url":"https://d.example/","title":"<script>","createdAt":"2026-01-02T00:00:00Z","updatedAt":"2026-01-04T00:00:00Z"}

    """

  @Test func nestedTagsAreFoldersAndComeBackAsTags() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("import", "-", input: links)
    let page = try sandbox.run("export", "links", "--to", "html", "--folders", "tags")
    #expect(page.err == "errand: left out 1 private link; --private includes them\n")
    let structure = page.out.split(separator: "\n").compactMap { line -> Substring? in
      if line.contains("<DT><H3>") { return line.drop { $0 == " " } }
      return line.contains("<DT><A") ? line.drop { $0 != "\"" }.prefix(20) : nil
    }
    #expect(
      structure == [
        "<DT><H3>people</H3>", "<DT><H3>friends</H3>", "\"https://a.example/\"", "<DT><H3>x</H3>",
        "\"https://b.example/\"", "\"https://d.example/\"",
      ])
    try sandbox.write(page.out, to: "b.html")
    let read = try sandbox.run("import", "b.html", "--store", "other.db")
    #expect(read.out == "created 3, merged 0, left out 0, bad 0 of 3 bookmarks\n")
    let tags = try sandbox.run(
      "find", "links", "--sort", "url", "--format", "{{ self.tags }}", "--store", "other.db")
    #expect(tags.out == "people/friends, x\nx\n\n")
  }

  @Test func publishedListsHaveTheNewestFirstAndNoPrivateLinks() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("import", "-", input: links)
    let page = try sandbox.run("export", "links", "--to", "page").out
    let addresses = page.split(separator: "\"").filter { $0.hasPrefix("https://") }
    #expect(addresses == ["https://b.example/", "https://d.example/", "https://a.example/"])
    #expect(
      page.contains(">A &quot;b&quot; &amp; c</a> <small>2026-01-01 #people/friends #x</small>"))
    #expect(!page.contains("Secret") && !page.contains("<script"))
    let feed = try sandbox.run("export", "links", "--to", "atom", "--where", "'x' in tags").out
    try sandbox.write(feed, to: "feed.xml")
    let read = try sandbox.run("import", "feed.xml", "--store", "other.db")
    #expect(read.out == "created 2, merged 0, left out 0, bad 0 of 2 bookmarks\n")
    #expect(feed.contains("  <updated>2026-01-03T00:00:00Z</updated>\n</feed>\n"))
    let all = try sandbox.run(
      "find", "links", "--sort", "url", "--store", "other.db", "--format",
      "{{ self.title }}: {{ self.tags }} {{ coalesce(self.summary, \"\") }}")
    #expect(all.out == "A \"b\" & c: people/friends, x A note\nB: x \n")
  }

  @Test(arguments: [
    (["export", "links", "--to", "csv", "--folders", "tags"], "add --to netscape"),
    (["export", "links", "--to", "html", "--folders", "each"], "choose tags or none"),
    (["export", "--where", "favourite"], "errand export links --where 'favourite'"),
    (["export", "links", "--to", "page", "--where", "nonsense"], "nonsense"),
    (["export", "notes", "--to", "todo.txt"], "a Note has no place in a list of tasks"),
    (["export", "--to", "todo"], "did you mean `--to todo.txt`?"),
  ])
  func whatAFormatCannotDo(_ words: [String], _ help: String) throws {
    let run = try Sandbox().run(words)
    #expect(run.status == 2)
    #expect(run.err.contains(help), "\(run)")
  }

  @Test func filesOfNotesAreKept() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      #"{"title":"Kitchen","textContent":"Salt","userEditedTimestampUsec":1767308400000000,"attachments":[{"filePath":"pic.png","mimetype":"image/png"}]}"#,
      to: "keep/note.json")
    try sandbox.write("GIF89a", to: "keep/pic.png")
    let dry = try sandbox.run("import", "keep/note.json", "--dry-run", "--quiet")
    #expect(dry.out.hasSuffix("would have created 2, merged 0, left out 0, bad 0 of 2 records\n"))
    // Of a folder, a file that belongs to a note is not one that cannot be imported.
    let run = try sandbox.run("import", "keep")
    #expect(run.out.hasPrefix("created 2, merged 0, left out 0, bad 0 of 2 records"))
    #expect(run.err == "" && run.status == 0, "\(run)")
    let path = try sandbox.run("find", "files", "--format", "{{ self.path }}").out
    let kept = path.dropLast().firstRange(of: sandbox.path + "/").map { path[$0.upperBound...] }
    #expect(sandbox.read(String(kept?.dropLast() ?? "")) == "GIF89a")
  }

  @Test func markdownInAVaultIsNotes() throws {
    let sandbox = try Sandbox()
    try sandbox.write("{}", to: "vault/.obsidian/app.json")
    try sandbox.write("See [x](https://x.example/) and [[Other]] #here\n", to: "vault/deep/A.md")
    let run = try sandbox.run("import", "vault")
    #expect(run == ProgramRun(out: "created 1, merged 0, left out 0, bad 0 of 1 records\n"))
    let notes = try sandbox.run("find", "notes", "--format", "{{ self.text }} {{ self.tags }}")
    #expect(notes.out == "A\n\nSee [x](https://x.example/) and [[Other]] #here here\n")
  }

  @Test func aTaskThatIsDoneInItsFileIsDone() throws {
    let sandbox = try Sandbox()
    try sandbox.write("2026-01-02 Call\n", to: "todo.txt")
    _ = try sandbox.run("import", "todo.txt")
    try sandbox.write("x 2026-01-03 2026-01-02 Call\n", to: "todo.txt")
    let run = try sandbox.run("import", "todo.txt")
    #expect(run.out.hasPrefix("created 0, merged 1"))
    #expect(try sandbox.run("find", "tasks", "--format", "{{ self.done }}").out == "true\n")
  }
}
