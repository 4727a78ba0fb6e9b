import TestSupport
import Testing

/// Messages for input that does not fit.
@Suite struct MessageTests {
  @Test func aTextThatIsNoURLIsNamed() throws {
    let run = try Sandbox().run("save", "swift")
    #expect(run.status == 2)
    #expect(
      run.err.hasPrefix(
        "errand: error: `url`: “swift” is not a URL: it must begin with http:// or https://"))
  }

  /// The values of variables give their types.
  @Test(arguments: [
    (#"tags.length"#, "write `size(tags)`"), (#"tags.includes("a")"#, #"write `"a" in tags`"#),
    (#""x" in text"#, #"write `text.contains("x")`"#),
    (#"text || "unknown""#, #"write `text != "" ? text : "unknown"`"#),
    (#"text || " from Berlin""#, #"write `text + " from Berlin"` to join texts"#),
    (#"/[0-9]+/.test(text)"#, #"write `text.matches("[0-9]+")`"#),
    (#"text[0:8]"#, #"write `text.substring(0, 8)`"#),
    (#"formatNumber(net; 2)"#, "write `formatNumber(net, 2)`"),
    (#"AND(paid, net > 3.0)"#, "write `paid && (net > 3.0)`"),
    (#"TEXT(now(), "dd.mm.yyyy")"#, #"write `now().format("dd.MM.yyyy")`"#),
    (#"SUM(items.price)"#, "write `items.map(x, x.price).sum()`"),
    (#"=net * 2.0"#, "write `net * 2.0`, without `=`"),
    (#"total = net * 2.0"#, "an expression assigns nothing: write `net * 2.0`"),
    (#"now().getWeek()"#, #"write `now().format("w")`"#),
  ])
  func aTriedExpressionIsMended(_ expression: String, _ help: String) throws {
    let variables =
      #"{"tags": ["a"], "text": "abc", "net": 2.5, "paid": true, "items": [{"price": 2}]}"#
    let run = try Sandbox().run("eval", expression, "--vars", variables)
    #expect(run.status != 0 && run.err.contains("help: \(help)"), "\(run)")
  }

  @Test func markedTagsAreSeveral() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Call", "--tags", "#photo #club")
    #expect(try sandbox.run("get", "task:1", "--format", "{{ self.tags }}").out == "photo, club\n")
  }

  /// Steps of built-in definitions are not lines of a file that a person could change.
  @Test func aFailureInABuiltInShowsNoFile() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    _ = try sandbox.run("save", "https://swift.org/blog")
    let run = try sandbox.run("run", "open-recent")
    #expect(run.status == 3)
    #expect(run.err.hasPrefix("errand: error: “Which link do you want to open?” needs an answer"))
    #expect(run.err.contains("(in choose)") == false)
  }

  /// A document that is not a definition is an error, too.
  @Test func theDoctorCountsWhatHasNoKind() throws {
    let sandbox = try Sandbox([".config/errand/mine.yaml": "shortcutt: x\nsteps: []\n"])
    let run = try sandbox.run("doctor")
    #expect(run.status == 1)
    #expect(run.out.contains("problem  definitions: 71, 1 with mistakes"))
    #expect(run.err.contains("[no-kind]"))
  }

  @Test func aQuietRunSaysNothingButItsResult() throws {
    let run = try Sandbox().run("save", "https://swift.org", "--quiet")
    #expect(run == ProgramRun(out: "https://swift.org\n"))
  }

  @Test func emptyTextOmitsAnOptionalValue() throws {
    let sandbox = try Sandbox()
    let url = "https://swift.org"
    _ = try sandbox.run("save", url, "--title", "Swift")
    // Merging loses no data, even in a script whose variable is empty.
    #expect(try sandbox.run("save", url, "--title", "").err == "Updated Swift in your library.\n")
    _ = try sandbox.run("update", "link:1", "title=")
    #expect(
      try sandbox.run("get", "link:1", "--format", "{{ self.title == null }}").out == "true\n")
  }

  @Test func aDayIsAskedForWithoutATime() throws {
    let run = try Sandbox().run("tasks", "--due", "never")
    #expect(run.err.contains("“never” is not a date"))
    #expect(run.err.contains(":00") == false)
    let task = try Sandbox().run("add-task", "x", "--due", "never")
    #expect(task.err.contains("“never” is not a day or a time"))
  }

  /// A shortcut that shows the value it returns shows it once.
  @Test func shownValuesAreNotRepeatedAsTheResult() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--tags", "swift", "--title", "Swift")
    let run = try sandbox.terminal("find-by-tag", "swift", "--answer", "What now?=Done")
    #expect(try run.finish() == 0)
    #expect(run.text.ranges(of: "link:1").count == 1)
  }

  /// A parameter cannot have the name of a common flag.
  @Test func aCommonFlagWinsOverAParameterOfItsName() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      intent: a
      parameters: {json: {type: bool, default: false}}
      steps: [{value: '{{ vars.json }}'}]
      """
    ])
    #expect(try sandbox.run("run", "a.yaml", "--json") == ProgramRun(out: "false\n"))
    #expect(try sandbox.run("run", "a.yaml", "-p", "json=true") == ProgramRun(out: "true\n"))
    let help = try sandbox.run("run", "a.yaml", "--help").out
    #expect(help.ranges(of: "--json ").count == 1)
  }

  @Test func thePathOfWhatCallsItselfIsShortened() throws {
    let run = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{run: a}]\n"]).run("run", "a.yaml")
    #expect(run.status == 1)
    #expect(run.err.contains("(in run › run › run › … › run › run › run)"))
  }

  @Test func anEmptyAnswerTakesTheDefaultAsEnterDoes() throws {
    let sandbox = try Sandbox([
      "a.yaml": "shortcut: a\nsteps: [{ask: {prompt: N, type: int, default: 7}}]\n"
    ])
    #expect(try sandbox.run("run", "a.yaml", "--answer", "N=") == ProgramRun(out: "7\n"))
  }

  /// A person must learn of the copy, once, to be able to go back.
  @Test(arguments: [false, true])
  func theCopyThatAMigrationMakesIsNamed(_ isQuiet: Bool) throws {
    let definition = "entity: Part\nproperties:\n  name: {type: string}\n"
    let sandbox = try Sandbox([".config/errand/part.yaml": definition])
    #expect(try sandbox.run("create", "part", "name=bolt", "--store", "s.db").status == 0)
    let find = ["find", "part", "--format", "{{ self.name }}", "--store", "s.db"]
    // An index needs no copy.
    try sandbox.write(
      definition.replacing("string", with: "string, index: true"), to: ".config/errand/part.yaml")
    #expect(try sandbox.run(find) == ProgramRun(out: "bolt\n"))
    try sandbox.write(
      definition + "  count: {type: int, default: 1}\n", to: ".config/errand/part.yaml")
    let run = try sandbox.run(find + (isQuiet ? ["--quiet"] : []))
    #expect(run.out == "bolt\n")
    let copy = try sandbox.shell("ls *.backup").out
    #expect(copy.hasPrefix("s.db.") && copy.split(separator: "\n").count == 1)
    let told =
      "errand: migrated Part; the previous store is kept in \(sandbox.path)/\(copy)"
    #expect(run.err == (isQuiet ? "" : told))
    #expect(try sandbox.run(find) == ProgramRun(out: "bolt\n"))
  }
}
