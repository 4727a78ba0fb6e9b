import TestSupport
import Testing

/// The command line as used by people and scripts (language §8).
@Suite struct CommandTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift", "--tags", "swift,language")
    _ = try sandbox.run("save", "https://rust-lang.org", "--title=Rust", "--tags", "language")
    return sandbox
  }

  @Test func theResultGoesToStdoutAndTheDialogToStderr() throws {
    let run = try Sandbox().run("save", "https://swift.org", "--title", "Swift")
    #expect(run == ProgramRun(out: "https://swift.org\n", err: "Saved Swift in your library.\n"))
  }

  @Test func outputModes() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("recent").out == "https://rust-lang.org\nhttps://swift.org\n")
    #expect(try sandbox.run("recent", "-0").out == "https://rust-lang.org\0https://swift.org\0")
    #expect(
      try sandbox.run("recent", "--format", "{{ self.ref }}\\t{{ self }}").out
        == "link:2\tRust\nlink:1\tSwift\n")
    let json = try sandbox.run("recent", "--json").out
    #expect(
      json.hasPrefix(
        "[{\"entity\":\"Link\",\"id\":2,\"ref\":\"link:2\",\"url\":\"https://rust-lang.org\",\"title\":\"Rust\",\"summary\":null,\"tags\":[\"language\"]"
      ))
    #expect(json.split(separator: "\n").count == 1)
    #expect(try sandbox.run("recent", "--jsonl").out.split(separator: "\n").count == 2)
    #expect(try sandbox.run("search", "absent", "--json").out == "[]\n")
    #expect(try sandbox.run("search", "absent", "--jsonl").out == "")
    #expect(try sandbox.run("eval", "[1, 2]", "--json").out == "[1,2]\n")
  }

  @Test func aShortcutThatStopsHasNoValue() throws {
    let sandbox = try Sandbox(["t.yaml": "shortcut: t\nsteps: [stop]\n"])
    #expect(try sandbox.run("run", "t.yaml", "--json").out == "null\n")
    #expect(try sandbox.run("run", "t.yaml").out == "")
  }

  @Test func commonFlagsMayStandAnywhere() throws {
    let sandbox = try sandbox()
    for words in [
      ["--json", "recent"], ["recent", "--json"],
      ["--store", ".local/share/errand/library.db", "--json", "recent"],
    ] {
      let run = try sandbox.run(words)
      #expect(run.status == 0, "\(run)")
      #expect(run.out.hasPrefix("["), "\(run)")
    }
  }

  @Test func wordsAndInput() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("search", "swift", "--limit", "1").out == "https://swift.org\n")
    #expect(try sandbox.run("search", "-", input: "rust\n").out == "https://rust-lang.org\n")
    let run = try sandbox.shell(
      "printf 'https://a.org\\nhttps://b.org\\n' | while read -r url; do errand save \"$url\" 2>/dev/null; done"
    )
    #expect(run.out == "https://a.org\nhttps://b.org\n")
  }

  @Test func filesOfShortcuts() throws {
    let sandbox = try Sandbox([
      "one.yaml":
        "shortcut: one\ninput: string\nparameters: {times: {type: int, default: 2}}\nsteps:\n  - value: '{{ input }}{{ times }}'\n",
      "two.yaml": "shortcut: a\nsteps: [{value: 1}]\n---\nshortcut: b\nsteps: [{value: 2}]\n",
    ])
    #expect(try sandbox.run("run", "one.yaml", "x").out == "x2\n")
    #expect(try sandbox.run("run", "one.yaml", "x", "--times", "3").out == "x3\n")
    #expect(try sandbox.run("run", "one.yaml", "x", "-p", "times=4").out == "x4\n")
    #expect(try sandbox.run("run", "one.yaml", "-", input: "y\n").out == "y2\n")
    #expect(try sandbox.run("run", "two.yaml#b").out == "2\n")
    #expect(try sandbox.run("run", "two.yaml").status == 2)
    #expect(try sandbox.run("run", "-", input: "shortcut: z\nsteps: [{value: 3}]\n").out == "3\n")
  }

  @Test func aProjectFolderIsLoadedOnceTrusted() throws {
    let sandbox = try Sandbox([
      "project/.errand/hello.yaml": "shortcut: hello\nsteps: [{say: Hello}]\n", "project/sub/x": "",
    ])
    let before = try sandbox.shell("cd project/sub && errand hello")
    #expect(before.status == 2)
    #expect(before.err.contains("is not trusted and was not loaded"))
    #expect(try sandbox.shell("cd project && errand trust").status == 0)
    #expect(try sandbox.shell("cd project/sub && errand hello") == ProgramRun(err: "Hello\n"))
    // A changed folder needs confirmation again.
    try sandbox.write(
      "shortcut: hello\nsteps: [{say: Changed}]\n", to: "project/.errand/hello.yaml")
    #expect(try sandbox.shell("cd project/sub && errand hello").status == 2)
  }

  @Test func aProjectCannotChangeWhatSaveDoes() throws {
    let sandbox = try Sandbox(["p/.errand/save.yaml": "intent: save\nsteps: [{say: Stolen}]\n"])
    _ = try sandbox.shell("cd p && errand trust")
    let run = try sandbox.shell("cd p && errand save https://x.org")
    #expect(run.err.contains("name-taken"))
    #expect(run.err.contains("Saved https://x.org in your library."))
    #expect(!run.err.contains("Stolen"))
  }

  @Test func theUsersFolderAddsAndReplaces() throws {
    let sandbox = try Sandbox([
      ".config/errand/book.yaml": """
      entity: Book
      identity: isbn
      properties: {isbn: string, title: {type: 'string?', search: 5}, pages: 'int?'}
      display: {title: '{{ coalesce(self.title, self.isbn) }}'}
      ---
      intent: add-book
      parameters: {isbn: string, title: 'string?', pages: 'int?'}
      steps:
        - create: {entity: Book, onConflict: merge, set: {isbn: '{{ isbn }}', title: '{{ title }}', pages: '{{ pages }}'}}
      dialog: {full: 'Shelved {{ it }}.'}
      """
    ])
    let run = try sandbox.run("add-book", "978", "--title", "Dune", "--pages", "412")
    #expect(run == ProgramRun(out: "Dune\n", err: "Shelved Dune.\n"))
    #expect(try sandbox.run("find", "books", "--where", "pages > 400").out == "Dune\n")
    #expect(
      try sandbox.run("find", "Book", "dune", "--format", "{{ self.ref }} {{ self.pages }}").out
        == "book:1 412\n")
  }

  @Test func itemsByHand() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("create", "Task", "title=Write", "tags=a,b").err
        == "Created Write (task:1).\n")
    #expect(try sandbox.run("update", "task:1", "done=true", "--add", "tags=c").status == 0)
    #expect(
      try sandbox.run("get", "task:1", "--format", "{{ self.done }} {{ self.tags }}").out
        == "true a, b, c\n")
    #expect(try sandbox.run("delete", "task:1").status == 3)
    #expect(try sandbox.run("delete", "task:1", "--yes").err == "Deleted Write (task:1).\n")
    #expect(try sandbox.run("get", "task:1").status == 1)
    #expect(
      try sandbox.run("find", "Link", "--where", "'swift' in tags").out == "https://swift.org\n")
    #expect(
      try sandbox.run("find", "Link", "--sort", "title", "--limit", "1").out
        == "https://rust-lang.org\n")
    #expect(try sandbox.run("find", "Link", "--first").out == "https://rust-lang.org\n")
  }

  @Test func expressionsInBatches() throws {
    let run = try Sandbox().run(
      "eval", "--batch",
      input: "{\"expr\":\"n + 1\",\"vars\":{\"n\":2}}\nnot json\n{\"expr\":\"1 / 0\"}\n")
    #expect(run.status == 1)
    let lines = run.out.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "{\"value\":3}")
    #expect(lines[1].hasPrefix("{\"error\":{"))
    #expect(lines[2].hasPrefix("{\"error\":{"))
  }

  @Test func everyActionHasHelp() throws {
    let sandbox = try Sandbox()
    for name in ["save", "search", "open-recent", "find-by-tag", "run", "find", "eval"] {
      let run = try sandbox.run(name, "--help")
      #expect(run.status == 0)
      #expect(run.out.contains("Usage\n  errand \(name)"), "\(run)")
    }
    #expect(try sandbox.run("help", "save").out == (try sandbox.run("save", "--help").out))
    #expect(try sandbox.run("help").status == 0)
    try sandbox.write(
      """
      shortcut: film-night
      phrases: ['film night [with a {genre}] [until {end}]', 'what shall we (watch|see)']
      input: {type: 'enum?', values: [now, later]}
      parameters: {genre: {type: 'enum?', values: [comedy, drama]}, end: 'date?'}
      steps: [{say: '{{ input }} {{ genre }} {{ end }}'}]

      """, to: ".config/errand/film.yaml")
    let film = try sandbox.run("help", "film-night").out
    #expect(film.contains("INPUT  now|later\n") && !film.contains("enum"), "\(film)")
    #expect(
      film.contains("  film night with a GENRE until END\n  what shall we watch\n"), "\(film)")
  }

  @Test func builtInDefinitionsCanBeCopied() throws {
    let sandbox = try Sandbox()
    let yaml = try sandbox.run("show", "quick-share").out
    #expect(yaml.contains("shortcut: quick-share"))
    try sandbox.write(yaml, to: "mine.yaml")
    #expect(try sandbox.run("run", "./mine.yaml", "https://swift.org").status == 0)
    #expect(sandbox.read("clipboard")?.contains("/w/") == true)
  }

  @Test func closedPipesEndQuietly() throws {
    let sandbox = try sandbox()
    let run = try sandbox.shell("errand help | head -n 1; errand recent --jsonl | true")
    #expect(run.err == "Your latest 2 links.\n" || run.err == "")
  }

  @Test func changesAreTakenBack() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("update", "link:1", "title=Changed")
    #expect(try sandbox.run("undo").err == "Undone: a change of link:1 by update.\n")
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self }}").out == "Swift\n")
    _ = try sandbox.run("delete", "link:1", "--yes")
    #expect(try sandbox.run("undo").err == "Undone: the deletion of link:1 by delete.\n")
    #expect(try sandbox.run("recent").out == "https://rust-lang.org\nhttps://swift.org\n")
    #expect(try Sandbox().run("undo").err == "Nothing to undo.\n")
  }

  @Test func queriesAreExplained() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run("find", "Link", "swift", "--where", "status == 'queued'", "--explain")
    #expect(run.out.contains("in SQL\n  self.status == \"queued\"\n"), "\(run)")
    #expect(run.out.contains("scores\n  link:1"), "\(run)")
    #expect(try sandbox.run("find", "Link", "--explain", "--json").out.hasPrefix("{\"sql\":"))
  }

  @Test func pagesFollowOneAnother() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run("find", "Link", "--limit", "1", "--after", "link:2")
    #expect(run.out == "https://swift.org\n", "\(run)")
  }

  @Test func theStoreIsLookedAfter() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("doctor").status == 0)
    #expect(try sandbox.run("doctor", "--repair").status == 0)
    #expect(try sandbox.run("backup", "copy.db").status == 0)
    #expect(
      try sandbox.run("--store", "copy.db", "recent").out
        == "https://rust-lang.org\nhttps://swift.org\n")
    #expect(try sandbox.run("backup", "copy.db").status == 1)
    #expect(try sandbox.run("vacuum").status == 0)
    #expect(try sandbox.run("doctor", "--rescue", "new.db").out.contains("Link: 2 saved"))
  }

  @Test func aCommandWinsOverAnActionOfItsName() throws {
    let sandbox = try Sandbox([".config/errand/x.yaml": "intent: backup\nsteps: [{say: Mine}]\n"])
    let run = try sandbox.run("version")
    #expect(run.status == 0)
    let list = try sandbox.run("list")
    #expect(list.err == "errand: `backup` is a command; yours is reached by `errand call backup`\n")
    #expect(try sandbox.run("call", "backup").err.hasSuffix("Mine\n"))
  }
}
