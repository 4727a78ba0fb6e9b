import FoundationEssentials
import TestSupport
import Testing

/// Widgets: each shipped one in each family and form, with any text, and the fallback for an
/// unreadable library.
@Suite struct WidgetTests {
  private static let families = ["small", "medium", "large", "rectangular", "circular", "inline"]
  private static let forms = ["text", "terminal", "tmux", "waybar", "svg"]
  static let names = [
    "activities", "day", "quick-save", "reading-list", "recent-links", "recent-notes", "scratchpad",
    "suggestions", "tasks", "week",
  ]

  private static let titles = [
    "Out of the Tar Pit", "分散システムにおける時計と順序", "مقالة عن اللغات الحديثة",
    "👩‍👩‍👧‍👦 Family & <b>friends</b> #1", String(repeating: "long words ", count: 40),
  ]

  /// A library with a number of links, notes, tasks and events of each title.
  private func sandbox(_ count: Int) throws -> Sandbox {
    let sandbox = try Sandbox()
    for (index, title) in Self.titles.prefix(count).enumerated() {
      for words in [
        ["save", "https://site\(index).example/", "--title", title, "--unread"],
        ["add-note", title], ["add-task", title], ["add-event", title, "--start", "today"],
      ] {
        #expect(try sandbox.run(words).status == 0)
      }
    }
    if count > 0 {
      #expect(try sandbox.run("add-note", "Scratchpad\nRye: 72 hours\nFeed at 21:00").status == 0)
    }
    return sandbox
  }

  @Test(arguments: names, [0, 1, 5])
  func eachLooksAsDrawn(name: String, count: Int) throws {
    let sandbox = try sandbox(count)
    var shown = ""
    for family in Self.families {
      for form in Self.forms {
        let run = try sandbox.run("widget", name, "--family", family, "--as", form)
        #expect(run.status == 0, "\(run)")
        shown += "## \(family) \(form)\n\(run.out)\n"
      }
    }
    #expect(try shown == Golden.text("widgets/\(name)-\(count).txt", recording: shown))
  }

  @Test(arguments: [40, 60, 80, 140])
  func aBoxFitsTheTerminal(columns: Int) throws {
    let terminal = try sandbox(5).terminal("widget", "tasks", columns: columns)
    #expect(try terminal.finish() == 0)
    #expect(!terminal.transcript.contains("␛"), "\(terminal.transcript)")
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.first?.first == "╭" && lines.last?.last == "╯", "\(terminal.text)")
    let widths = Set(lines.filter { $0.hasPrefix("╭") || $0.hasPrefix("╰") }.map(\.count))
    #expect(widths == [min(columns, 46)])
  }

  /// Titles that a bar would read as markup, and the text that it shows instead.
  @Test(
    arguments: [
      ("polybar", "%{A1:touch x:}a%{A}", "%\u{200B}{A1:touch x:}a%\u{200B}{A}"),
      ("polybar", "%%{F#f00}", "%%\u{200B}{F#f00}"), ("polybar", "%", "%"),
      ("tmux", "#[fg=red]#(touch x)#{pane_id}", "##[fg=red]##(touch x)##{pane_id}"),
      ("tmux", "##[x]", "####[x]"),
      ("waybar", "<span>a</span> & b", "&lt;span&gt;a&lt;/span&gt; &amp; b"),
      ("waybar", "a\" }", "a\\\" }"), ("text", "%{A}#[x]<b>", "%{A}#[x]<b>"),
    ])
  func noTitleIsMarkupInABar(form: String, title: String, shown: String) throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("save", "https://a.example", "--title", title).status == 0)
    let run = try sandbox.run("widget", "recent-links", "--family", "inline", "--as", form)
    #expect(run.status == 0 && run.out.contains(shown), "\(run)")
    if form == "polybar" { #expect(!run.out.contains("%{")) }
    #expect(run.out.split(separator: "\n").count == 1)
  }

  @Test func polybarIsGivenItsForm() throws {
    let run = try Sandbox().run("widget", "install", "polybar", "recent-links")
    #expect(run.out.contains("exec = errand widget recent-links --as polybar --follow\n"))
  }

  @Test func manyItemsAreCounted() throws {
    let lines = (0..<10_000).map { "{\"entity\":\"Task\",\"title\":\"Task \($0)\"}" }
    let sandbox = try Sandbox(["tasks.jsonl": lines.joined(separator: "\n") + "\n"])
    #expect(try sandbox.run("import", "tasks.jsonl").status == 0)
    #expect(try sandbox.run("widget", "tasks", "--family", "circular").out == "10000\n")
    let json = try sandbox.run("widget", "tasks", "--as", "json").out
    #expect(json.contains(#""total":10000"#) && json.utf8.count < 10_000)
  }

  @Test func aClickDoesWhatItSays() throws {
    let sandbox = try sandbox(1)
    #expect(
      try sandbox.run("widget", "tasks", "press", "task:1").err.contains("Out of the Tar Pit"))
    #expect(try sandbox.run("widget", "tasks", "--family", "circular").out == "0\n")
    let gone = try sandbox.run("widget", "tasks", "press", "task:1")
    #expect(gone.status == 1 && gone.err.contains("not on the widget any more"), "\(gone)")
    // Only actions that the widget declares.
    let other = try sandbox.run("widget", "reading-list", "press", "link:1", "enrich")
    #expect(other.status == 1, "\(other)")
  }

  /// Rows of a result are its items: the tasks of a day are checked off, its events are not tasks.
  @Test func aDayHasItsTasksBesideItsEvents() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Pay", "--due", "today")
    _ = try sandbox.run("add-event", "Fair", "--start", "yesterday", "--end", "tomorrow")
    _ = try sandbox.run("add-event", "Then", "--start", "+3d")
    let json = try sandbox.run("widget", "day", "--as", "json").out
    #expect(json.contains(#""ref":"task:1""#) && json.contains(#""ref":"event:1""#), "\(json)")
    #expect(try sandbox.run("widget", "week", "--family", "circular").out == "3\n")
    let html = try sandbox.run("widget", "day", "--as", "html").out
    #expect(html.contains("Fair") && html.split(separator: "class=\"done\"").count == 2, "\(html)")
    #expect(try sandbox.run("widget", "day", "press", "task:1").status == 0)
    #expect(try sandbox.run("widget", "day", "--family", "inline").out == "Fair\n")
  }

  @Test func aKeptEntryIsShownWithItsAge() throws {
    let sandbox = try sandbox(1)
    #expect(try sandbox.run("widget", "tasks").status == 0)
    let store = sandbox.path + "/.local/share/errand/library.db"
    for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + name) }
    try sandbox.write(
      String(repeating: "damaged ", count: 1000), to: ".local/share/errand/library.db")
    let run = try sandbox.run("widget", "tasks")
    #expect(run.status == 0 && run.out.contains("Out of the Tar Pit"), "\(run)")
    #expect(run.out.contains("The library cannot be read. As of"), "\(run)")
    let cached = try sandbox.run("widget", "reading-list", "--cached")
    #expect(cached.status != 0, "nothing is kept of it: \(cached)")
    // A library that is not there has no tasks.
    try FileManager.default.removeItem(atPath: store)
    #expect(try Sandbox().run("widget", "tasks", "--family", "circular").out == "0\n")
  }

  @Test func followingShowsEachChange() throws {
    let sandbox = try sandbox(0)
    try sandbox.write(
      """
      #!/bin/sh
      errand widget tasks --family circular --follow >followed &
      pid=$!
      for count in 0 1 2 3; do
        tries=0
        until [ "$(tail -n 1 followed)" = "$count" ] || [ $tries -eq 300 ]; do
          tries=$((tries + 1))
          sleep 0.1
        done
        [ $count -eq 3 ] || errand add-task "Task $count" --quiet >/dev/null
      done
      kill $pid
      cat followed
      """, to: "bin/follow", isProgram: true)
    try sandbox.write(
      "shortcut: follow\nsteps:\n  - exec: [follow]\noutput: '{{ it }}'\n", to: "follow.yaml")
    let run = try sandbox.run("run", "follow.yaml")
    #expect(run.out == "0\n1\n2\n3\n", "\(run)")
  }

  @Test(arguments: [
    ("items: {entity: Tsk}", "Tsk"), ("items: {entity: Task, where: 'self.duee == null'}", "duee"),
    ("items: {entity: Task}\nitem: {title: '{{ self.nope }}'}", "nope"),
    ("items: {entity: Task}\nitem: {tap: toggle-tsk}", "toggle-tsk"),
    ("items: {entity: Task}\nfamilies: {smal: {rows: 1}}", "smal"),
    ("items: {entity: Task}\nfamilies: {small: {rows: 4}}", "at most 1 row"),
    ("items: {entity: Task}\nrefresh: soon", "refresh"), ("run: add-task", "only run what reads"),
    ("items: links", "activities"),
    ("run: {name: agenda, with: {dya: 1}}", "dya"), ("run: {with: {day: today}}", "name"),
    ("buttons: [{title: A, run: nothing-such}]", "nothing-such"),
    ("items: {entity: Task}\nfamilies: {circular: '{{ totl }}'}", "totl"),
    ("itms: {entity: Task}", "itms"),
  ])
  func mistakesAreFound(text: String, message: String) throws {
    let sandbox = try Sandbox(["a.yaml": "widget: mine\n" + text + "\n"])
    let run = try sandbox.run("check", "a.yaml")
    #expect(run.status != 0 && (run.out + run.err).contains(message), "\(run)")
  }

  @Test func anOwnWidgetIsFoundBesideAnIntentOfItsName() throws {
    let sandbox = try Sandbox([
      ".config/errand/w.yaml": """
      widget: save
      title: Mine
      run: recent
      families: {inline: '{{ total }} found'}
      """
    ])
    #expect(try sandbox.run("save", "https://a.example").status == 0)
    let run = try sandbox.run("widget", "save", "--family", "inline")
    #expect(run.out == "1 found\n", "\(run)")
    #expect(try sandbox.run("list", "widgets").out.contains("save"))
    #expect(try sandbox.run("show", "widget:save").out.hasPrefix("widget: save"))
  }
}
