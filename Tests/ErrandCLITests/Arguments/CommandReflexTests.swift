import TestSupport
import Testing

/// Command lines of a new user: what is ignored elsewhere is said, and advice works when followed.
@Suite struct CommandReflexTests {
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([
      "ex.yaml": "shortcut: ex\nsteps: [{exec: ['true']}]\n",
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
      ["create", "task", "title", "=", "Milk"], "write title=Milk, without spaces",
      ["create", "task", "title=Milk"]
    ),
    (
      ["create", "task", "--json", "{\"title\": \"x y\"}"], "write title='x y'",
      ["create", "task", "title=x y"]
    ),
    (["get", "link:1-2"], "write link:1 link:2", ["get", "link:1"]),
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
    (["share", "link:1", "--to", "bob"], "did you mean --recipient?", ["get", "link:1"]),
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

  /// Words that are taken otherwise than they may be meant, with the note about it.
  @Test(arguments: [
    (["run", "ok.yaml", "times=3"], "to set `times` write --times=3"),
    (["tasks", "--format", "%t"], "plain text, the same for each item"),
    (["add-task", "--json", "{\"title\":\"x\"}"], "--json is only about the output"),
  ])
  func meaningIsNoted(_ words: [String], _ note: String) throws {
    let run = try Self.sandbox().run(words)
    #expect(run.status == 0 && run.err.contains(note), "\(run)")
  }
}
