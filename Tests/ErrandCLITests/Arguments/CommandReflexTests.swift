import TestSupport
import Testing

/// Command lines of a new user: what is ignored elsewhere is said, and advice works when followed.
@Suite struct CommandReflexTests {
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([
      "ex.yaml": "shortcut: ex\nsteps: [{exec: ['true']}]\n",
      "data.json": "{\"a\": 1}",
      "ok.yaml":
        "shortcut: ok\ninput: {type: string}\nparameters: {times: {type: int, default: 1}}\n"
        + "steps: [{say: '{{ input }} {{ times }}'}]\n",
    ])
    for title in ["Pay rent", "Milk"] { _ = try sandbox.run("add-task", title) }
    _ = try sandbox.run("save", "https://swift.org")
    return sandbox
  }

  /// Wrong words, a part of the message, and the mended words, which work.
  @Test(arguments: [
    (
      ["find", "tasks", "--sort", "due", "desc"], "--sort 'due desc'",
      ["find", "tasks", "--sort", "due desc"]
    ),
    (["tasks", "--json=pretty"], "write --json alone", ["tasks", "--json"]),
    (["find", "tasks", "--limit=0"], "leave it out", ["find", "tasks"]),
    (["add", "task", "Milk"], "did you mean `errand add-task Milk`?", ["add-task", "Milk"]),
    (
      ["task", "add", "Milk", "project:home"],
      "did you mean `errand add-task Milk --project home`?",
      ["add-task", "Milk", "--project", "home"]
    ),
    (
      ["create", "task", "title", "=", "Milk"], "write title=Milk",
      ["create", "task", "title=Milk"]
    ),
    (
      ["create", "task", "--json", "{\"title\": \"x y\"}"], "write title='x y'",
      ["create", "task", "title=x y"]
    ),
    (["get", "link:1-2"], "write link:1 link:2", ["get", "link:1"]),
    (["undo", "1", "2"], "one at a time: errand undo 1; errand undo 2", ["undo", "1"]),
    (["vault", "lock", "now"], "errand vault lock", ["vault"]),
    (["export", "--to", "htm"], "did you mean `--to netscape`?", ["export", "--to", "netscape"]),
    (["toggle-task", "Mlik"], "did you mean “Milk”?", ["toggle-task", "Milk"]),
    (["version", "now"], "write `errand version`", ["version"]),
    (["find", "todos"], "did you mean `errand find tasks`?", ["find", "tasks"]),
    (
      ["find", "tasks", "--sort", "due", "--order", "desc"], "--sort 'due desc'",
      ["find", "tasks", "--sort", "due desc"]
    ),
    (["changes", "--limit=0"], "--limit must be 1 or more", ["changes"]),
    (["test", "--all"], "`errand test` alone", ["test"]),
    (["list", "-la"], "`errand find links` lists items", ["find", "links"]),
    (
      ["find", "links", "--where", "done", "=", "false"], "--where 'done == false'",
      ["find", "links"]
    ),
    (
      ["settings", "theme", "dark"], "errand settings set theme dark",
      ["settings", "set", "theme", "dark"]
    ),
    (
      ["run", "ex.yaml", "--allow", "exec=true"], "write --allow exec:true",
      ["run", "ex.yaml", "--allow", "exec:true"]
    ),
    (["share", "link:1", "--to", "bob"], "--recipient takes the public key", ["get", "link:1"]),
    (["create", "task", "Milk"], "write title=Milk", ["create", "task", "title=Milk"]),
    (["ok.yaml"], "errand run ok.yaml", ["run", "ok.yaml", "Ada"]),
    (["run", "ok"], "errand run ok.yaml", ["run", "ok.yaml", "Ada"]),
    (
      ["run", "ok.yaml", "--input", "Ada"], "write the input after the name",
      ["run", "ok.yaml", "Ada"]
    ),
    (["find", "link:1"], "errand get link:1", ["get", "link:1"]),
    (["get", "link", "1"], "write link:1", ["get", "link:1"]),
    (["get", "link#1"], "write link:1", ["get", "link:1"]),
    (["get", "task:1,task:2"], "write task:1 task:2", ["get", "task:1", "task:2"]),
    (["get", "link", "1"], "write link:1", ["get", "link:1"]),
    (["delete", "links", "1"], "write link:1", ["delete", "link:1", "--yes"]),
    (["open", "link/1"], "write link:1", ["get", "link:1"]),
    (["get", "link:1,link:1"], "write link:1 link:1", ["get", "link:1", "link:1"]),
    (["undo", "link:1"], "changes --item link:1", ["changes", "--item", "link:1"]),
    (
      ["update", "link:1", "title:", "Milk"], "help: write title=Milk",
      ["update", "link:1", "title=Milk"]
    ),
    (
      ["update", "link:1", "set", "title=Oat", "milk"], "write title='Oat milk'", ["get", "Link:1"]
    ),
    (["update", "link:1", "title=Buy", "1"], "write title='Buy 1'", ["get", "link:1"]),
    (
      ["create", "task", "title:Milk", "due:today"], "write title=Milk due=today",
      ["create", "task", "title=Milk", "due=today"]
    ),
    (["update", "link:1", "tags=[a,b]"], "write tags=a,b", ["update", "link:1", "tags=a,b"]),
    (
      ["save", "swift.org", "--tags", "a,", "b"], "write --tags a,b",
      ["save", "swift.org", "--tags", "a,b"]
    ),
    (
      ["save", "swift.org", "--title", "A", "B"], "write --title 'A B'",
      ["save", "swift.org", "--title", "A B"]
    ),
    (
      ["save", "swift.org", "--title A"], "write --title A", ["save", "swift.org", "--title", "A"]
    ),
    (
      ["save", "swift.org", "+a"], "errand save swift.org --tags=a",
      ["save", "swift.org", "--tags=a"]
    ),
    (
      ["save", "A b", "swift.org"], "errand save swift.org --title 'A b'",
      ["save", "swift.org", "--title", "A b"]
    ),
    (
      ["save", "swift.org", "--unread", "yes"], "write --unread alone",
      ["save", "swift.org", "--unread"]
    ),
    (
      ["find", "links", "--json", "title,url"], "write --format '{{ self.title }} {{ self.url }}'",
      ["find", "links", "--format", "{{ self.title }} {{ self.url }}"]
    ),
    (
      ["add-task", "Zed", "--due=in", "3", "days"], "write --due 'in 3 days'",
      ["add-task", "Zed", "--due", "in 3 days"]
    ),
    (
      ["add-task", "A", "--due", "today", "b"], "all words together before the flags",
      ["add-task", "A", "b", "--due", "today"]
    ),
    (
      ["-a", "https://swift.org", "news"], "errand save https://swift.org",
      ["save", "https://swift.org"]
    ),
    (
      ["--db", "x.db", "tasks"], "did you mean --store?", ["--store", "x.db", "save", "swift.org"]
    ),
    (
      ["tasks", "add", "Water plants", "--due", "today"], "errand add-task 'Water plants'",
      ["add-task", "Water plants"]
    ),
    (
      ["task", "add", "Water", "--due", "today"], "errand add-task Water --due today`",
      ["add-task", "Water", "--due", "today"]
    ),
    (["task", "1", "done"], "errand toggle-task task:1 --done", ["find", "tasks"]),
    (
      ["link", "add", "https://swift.org"], "errand save https://swift.org",
      ["save", "https://swift.org"]
    ),
    (["link", "delete", "1"], "errand delete link:1", ["delete", "link:1", "--yes"]),
    (["list", "tags"], "errand tags", ["tags"]),
    (["tags", "list"], "`errand tags` shows the list", ["tags"]),
    (["tasks", "list"], "did you mean `errand tasks`?", ["tasks"]),
    (["tasks", "work"], "errand find tasks work", ["find", "tasks", "work"]),
    (["new", "note", "Buy milk"], "errand add-note 'Buy milk'", ["add-note", "Buy milk"]),
    (
      ["search", "swift", "-exclude"], "after --: -- -exclude",
      ["search", "swift", "--", "-exclude"]
    ),
    (["find", "links", "--output", "json"], "did you mean --json?", ["find", "links", "--json"]),
    (["find", "lnks"], "did you mean `links`?", ["find", "links"]),
    (
      ["find", "links", "--where", "true", "--where", "url != ''"], "--where 'true && url",
      ["find", "links", "--where", "true && url != ''"]
    ),
    (
      ["export", "links", "links.csv"], "errand export links --to csv > links.csv",
      ["export", "links", "--to", "csv"]
    ),
    (
      ["settings", "enrich=off"], "errand settings set enrich off",
      ["settings", "set", "enrich", "off"]
    ),
    (["delete", "link:1", "-r"], "errand delete REF --yes", ["delete", "link:1", "--yes"]),
    (["undo", "last"], "`errand undo` undoes one change", ["undo"]),
    (
      ["tags", "add", "link:1", "x"], "errand update REF --add tags=TAG",
      ["update", "link:1", "--add", "tags=x"]
    ),
    (
      ["find", "links", "--where", "title", "==", "Swift"], "--where 'title == \"Swift\"'",
      ["find", "links", "--where", "title == \"Swift\""]
    ),
    (
      ["find", "links", "-tag:lang"], "after --: -- -tag:lang",
      ["find", "links", "--", "-tag:lang"]
    ),
    (["toggle-task", "--all"], "write --where true", ["toggle-task", "--where", "true", "--yes"]),
    (
      ["automations", "run", "nope"], "there is no intent, shortcut or automation `nope`",
      ["automations"]
    ),
    (
      ["update", "link:1", "tags=[\"a\", \"b\""], "write tags=a,b",
      ["update", "link:1", "tags=a,b"]
    ),
    (
      ["update", "link:1", "tags=+new"], "write --add tags=new",
      ["update", "link:1", "--add", "tags=new"]
    ),
    (
      ["update", "link:1", "tags=-old"], "write --remove tags=old",
      ["update", "link:1", "--remove", "tags=old"]
    ),
    (
      ["save", "swift.org", "--tags", "a; b"], "write --tags a,b",
      ["save", "swift.org", "--tags", "a,b"]
    ),
    (
      ["find", "tasks", "--where", "title=Milk"], "write --where 'title == \"Milk\"'",
      ["find", "tasks", "--where", "title == \"Milk\""]
    ),
    (
      ["find", "links", "--where", "tags = lang"], "write --where '\"lang\" in tags'",
      ["find", "links", "--where", "\"lang\" in tags"]
    ),
    (
      ["find", "links", "--where", "createdAt => now()"], "write `createdAt >= now()`",
      ["find", "links", "--where", "createdAt >= now()"]
    ),
    (
      ["find", "links", "--where", "createdAt > yesterday"], "write `today() - days(1)`",
      ["find", "links", "--where", "createdAt > today() - days(1)"]
    ),
    (
      ["find", "links", "--format", "{{ .Title }}"], "write `self.title`",
      ["find", "links", "--format", "{{ self.title }}"]
    ),
    (
      ["find", "links", "--limit", "5", "10"], "--limit takes one number",
      ["find", "links", "--limit", "5", "--offset", "10"]
    ),
    (["find", "links", "--first", "3"], "--limit 3", ["find", "links", "--limit", "3"]),
    (["undo", "--by", "nobody"], "or command `nobody`", ["undo"]),
    (["import", "data.json", "--to", "Task"], "{\"entity\": \"Task\", …}", ["tasks"]),
    (
      ["toggle-task", "Milk", "--undone"], "did you mean --no-done?",
      ["toggle-task", "Milk", "--no-done"]
    ),
    (["search", "-i", "swift"], "leave it out", ["search", "swift"]),
    (
      ["update", "link:1", "-t", "x"], "write --add tags=TAG",
      ["update", "link:1", "--add", "tags=x"]
    ),
    (["recent", "--since", "7d"], "did you mean -7d?", ["recent", "--since", "-7d"]),
    (
      ["add-task", "x", "--due", "2026/12/01"], "did you mean 2026-12-01?",
      ["add-task", "x", "--due", "2026-12-01"]
    ),
    (
      ["tasks", "--due", "next tuesday 5pm"], "a date has no time of day",
      ["tasks", "--due", "next tuesday"]
    ),
    (
      ["save", "htps://swift.org"], "did you mean https://swift.org", ["save", "https://swift.org"]
    ),
    (["run", "tsks"], "did you mean `tasks`?", ["run", "tasks"]),
    (["run", "https://swift.org/x.yaml"], "download it first", ["run", "ok.yaml", "Ada"]),
    (
      ["new", "shortcut", "My", "Shortcut"], "errand new shortcut my-shortcut",
      ["new", "shortcut", "my-shortcut"]
    ),
    (["log", "--tail", "5"], "errand runs --limit N", ["runs", "--limit", "5"]),
    (["export", "--out", "x"], "errand export > FILE", ["export"]),
    (["-v"], "errand version", ["version"]),
    (
      ["create", "link", "yaml.org"], "write url=https://yaml.org",
      ["create", "link", "url=https://yaml.org"]
    ),
    (["export", "link:1"], "errand get link:1", ["get", "link:1"]),
    (["update", "link:1", "createdAt=today"], "`createdAt` cannot be set", ["get", "link:1"]),
    (["test", "--watch", "ok.yaml"], "errand check --follow", ["check", "ok.yaml"]),
    (
      ["add-task", "x", "--due-date", "tomorrow"], "did you mean --due?",
      ["add-task", "x", "--due", "tomorrow"]
    ),
  ])
  func mendedWordsWork(_ wrong: [String], _ advice: String, _ right: [String]) throws {
    let sandbox = try Self.sandbox()
    let run = try sandbox.run(wrong)
    #expect(run.status != 0 && run.err.contains(advice), "\(run)")
    let mended = try sandbox.run(right)
    #expect(mended.status == 0, "\(mended)")
  }

  @Test func inputThatWasNotReadIsNoted() throws {
    let sandbox = try Self.sandbox()
    let run = try sandbox.shell(
      "errand fmt < ok.yaml; errand check -q < ok.yaml; errand check < ok.yaml")
    #expect(run.err.contains("errand fmt -") && run.err.contains("errand check -"), "\(run)")
  }

  /// Variables whose values mean nothing, with the warning about them.
  @Test(arguments: [
    ("ERRAND_ENRICH", "maybe", "ERRAND_ENRICH: “maybe” must be on or off"),
    ("ERRAND_LINK_BASE", "home", "ERRAND_LINK_BASE: “home” must begin with"),
    ("TZ", "Nowhere/City", "TZ: “Nowhere/City” is not a time zone"),
  ])
  func meaninglessVariablesAreNoted(_ name: String, _ value: String, _ note: String) throws {
    let run = try Sandbox().shell("\(name)=\(value) errand recent")
    #expect(run.status == 0 && run.err.split(separator: note).count == 2, "\(run)")
    let known = try Sandbox().shell("TZ=Europe/Berlin ERRAND_ENRICH=off errand eval 1")
    #expect(known.err == "")
  }

  @Test func tagsHaveNoSign() throws {
    let sandbox = try Self.sandbox()
    _ = try sandbox.run("update", "link:1", "tags=#lang,#x")
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self.tags }}").out == "lang, x\n")
  }

  @Test func anAutomationIsGuessed() throws {
    let sandbox = try Sandbox([
      ".config/errand/water.yaml": "automation: water\non: [{every: 1h}]\nsteps: [{notify: x}]\n"
    ])
    #expect(try sandbox.run("automations", "pause", "watr").err.contains("did you mean `water`?"))
    #expect(try sandbox.run("automations", "pause", "water").status == 0)
  }

  @Test func aDefinitionIsShownAsJSON() throws {
    #expect(try Self.sandbox().run("show", "save", "--json").out.hasPrefix("{"))
    #expect(try Self.sandbox().run("show", "Link", "--json").status == 2)
  }

  @Test func aMapIsSetByJSON() throws {
    let sandbox = try Sandbox([
      ".config/errand/poll.yaml":
        "entity: Poll\nproperties: {q: {type: string}, votes: {type: map<int>}}\n"
    ])
    let run = try sandbox.run(
      "create", "poll", "q=x", "votes={\"a\": 1}", "--format", "{{ self.votes.a }}")
    #expect(run.out == "1\n", "\(run)")
  }

  /// Words that are taken otherwise than they may be meant, with the note about it.
  @Test(arguments: [
    (["run", "ok.yaml", "times=3"], "to set `times` write --times=3"),
    (["add-task", "Water", "due:tomorrow"], "to set `due` write --due=tomorrow"),
    (["search", "x", "AND", "NOT", "y"], "-- 'x -y'"),
    (["add-task", "Feed", "@home"], "to set `tags` write --tags=home"),
    (["tasks", "--format", "%t"], "plain text, the same for each item"),
    (["add-task", "Buy bread", "tomorrow"], "to set `due` write --due tomorrow"),
    (["add-task", "Buy bread in 3 days"], "write --due 'in 3 days'"),
    (["add-task", "Call Mum @phone due:2026-12-01"], "write --due=2026-12-01"),
    (["find", "tasks", "due:tomorrow"], "errand find tasks due:2"),
    (["find", "tasks", "due<tomorrow"], "--where 'due < date(\"2"),
    (["find", "tasks", "status:pending"], "Task has no property `status`"),
    (["find", "links", "tag=lang"], "--where '\"lang\" in tags'"),
    (["find", "links", "--json", "title"], "--format '{{ self.title }}'"),
    (["share-in", "x", "--to", "nope"], "there is no intent or shortcut `nope`"),
    (["eval", "now().format('%H:%M')"], "write `HH:mm`"),
    (["tasks", "--format", "{{ self.createdAt.format('%Y') }}"], "write `yyyy`"),
    (["find", "links", "--where", "url == null"], "never null"),
    (["add-task", "--json", "{\"title\":\"x\"}"], "--json is only about the output"),
  ])
  func meaningIsNoted(_ words: [String], _ note: String) throws {
    let run = try Self.sandbox().run(words)
    #expect(run.status == 0 && run.err.contains(note), "\(run)")
  }
}
