import Glibc
import TestSupport
import Testing

@testable import ErrandCLI

/// `errand do` and `errand phrases`.
@Suite struct DoTests {
  @Test(arguments: [
    ("remind me tomorrow to water the plants", "add-task", "due: TOMORROW|title: water the plants"),
    ("could you add a task buy milk tomorrow?", "add-task", "due: TOMORROW|title: buy milk"),
    ("Bookmark https://a.example/x, please", "save", "url: https://a.example/x"),
    ("save swift.org", "save", "url: https://swift.org  (swift.org)"),
    ("what did I save recently?", "recent", ""),
    ("what's on my list", "tasks", ""),
    ("find rye bread", "search", "query: rye bread"),
    ("put Out of the Tar Pit on my reading list", "unread", "link: Out of the Tar Pit"),
    (
      "I finished the report", "toggle-task",
      "done: true|task: Write the quarterly report  (report)"
    ),
    ("start morning briefing", "morning-briefing", ""),
  ])
  func sentencesAreUnderstood(_ sentence: String, _ intent: String, _ values: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://tar.example", "--title", "Out of the Tar Pit")
    _ = try sandbox.run("add-task", "Write the quarterly report")
    let run = try sandbox.run("do", "--explain", sentence)
    let lines = run.out.split(separator: "\n")
    #expect(lines.first?.hasPrefix(intent + "  ") == true, "\(run)")
    let shown = lines.dropFirst().map { line in
      // The day depends on the clock.
      line.hasSuffix("(tomorrow)") ? "due: TOMORROW" : String(line.dropFirst(2))
    }
    #expect(shown.joined(separator: "|") == values)
  }

  /// A sandbox with an intent of one's own that takes a text and a day, and says a value beside the text.
  private func sipping(_ value: String) throws -> Sandbox {
    try Sandbox([
      ".config/errand/sip.yaml": """
      intent: sip
      phrases: ['sip {what} {day}']
      parameters: {what: string, day: date}
      steps: [{say: '{{ what }} {{ \(value) }}'}]
      """
    ])
  }

  /// A day after a text may be past, unless it is the one on which a task is due.
  @Test(arguments: [
    ("sip tea yesterday", "tea", -1), ("sip tea 3 days ago", "tea", -3),
    ("sip rye bread tomorrow", "rye bread", 1),
  ])
  func dayAfterATextMayBePast(_ sentence: String, _ text: String, _ days: Int) throws {
    let sandbox = try sipping("today().daysUntil(day)")
    #expect(try sandbox.run("do", sentence).err == "\(text) \(days)\n")
  }

  /// The words before a weekday that make another day of it belong to the day, or stay in the text.
  @Test func wordsBeforeADayBelongToIt() throws {
    let sandbox = try sipping("day < today()")
    #expect(try sandbox.run("do", "sip tea last monday").err == "tea true\n")
    #expect(
      try sandbox.run("do", "--explain", "--json", "add a task to pay rent last monday").out
        == #"{"intent":"add-task","parameters":{"title":"pay rent last monday"}}"# + "\n")
  }

  /// A day that a phrase implies is a date in the test of its sentence, too.
  @Test func impliedDayIsTested() throws {
    let sandbox = try Sandbox([
      "kept.yaml": """
      intent: kept
      phrases: [{say: 'kept up {habit} yesterday', with: {day: yesterday}}]
      parameters: {habit: string, day: date}
      steps: [{say: '{{ habit }}'}]
      tests:
        - say: kept up yoga yesterday
          expect: {intent: kept, parameters: {habit: yoga, day: 2025-12-31}}
      """
    ])
    let run = try sandbox.run("test", "kept.yaml")
    #expect(run.status == 0, "\(run)")
  }

  /// Phrases that share no more than words such as `the` are not proposed.
  @Test func unrelatedPhrasesAreNotProposed() throws {
    let run = try Sandbox().run("do", "turn off the lights")
    #expect(run.status == 2 && !run.err.contains("LINK") && !run.err.contains("TASK"), "\(run)")
  }

  @Test func runsWhatWasUnderstood() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("do", "remind", "me", "to", "call", "Ada").err == "Added call Ada.\n")
    #expect(try sandbox.run("find", "tasks", "--count").out == "1\n")
    let respelled = try sandbox.run("do", "show my tusks")
    #expect(respelled.status == 0 && respelled.out.contains("call Ada"), "\(respelled)")
    #expect(
      try sandbox.run("do", "--explain", "--json", "add task x").out
        == #"{"intent":"add-task","parameters":{"title":"x"}}"# + "\n")
  }

  /// Of two phrases of one intent, the one that fills more parameters is taken.
  @Test func theMoreSpecificPhraseIsTaken() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      """
      shortcut: water
      phrases: ['water {plant}', 'water {plant} in {place}']
      parameters: {plant: {type: string}, place: {type: string, default: ''}}
      steps: [{say: '{{ plant }}, {{ place }}'}]
      """, to: ".config/errand/water.yaml")
    let run = try sandbox.run("do", "--explain", "--json", "water the fern in the hall")
    #expect(run.out.contains(#""parameters":{"place":"the hall","plant":"the fern"}"#), "\(run)")
  }

  /// Sentences about the program itself run its commands, deleting only after a yes.
  @Test func commandsOfTheProgramAreDone() throws {
    let sandbox = try Sandbox()
    for title in ["Milk", "Bread"] { _ = try sandbox.run("add-task", title) }
    let asked = try sandbox.run("do", "delete the task Milk")
    #expect(asked.status != 0, "\(asked)")
    #expect(try sandbox.run("find", "tasks", "--count").out == "2\n")
    let done = try sandbox.run("do", "delete the task Milk", "--yes")
    #expect(done.err.contains("Deleted Milk"), "\(done)")
    let renamed = try sandbox.run("do", "rename the bread task to rye bread")
    #expect(
      renamed.err.contains("Understood: errand update task:2 'title=rye bread'\n"), "\(renamed)")
    _ = try sandbox.run("do", "tag it as baking")
    _ = try sandbox.run("do", "tag rye bread as baking and shop")
    #expect(try sandbox.run("find", "tasks", "tag:baking", "tag:shop", "--count").out == "1\n")
    _ = try sandbox.run("do", "undo that")
    #expect(try sandbox.run("find", "tasks", "tag:baking", "--count").out == "0\n")
    #expect(try sandbox.run("do", "what is 17 times 23?").out == "391\n")
    #expect(
      try sandbox.run("do", "--explain", "--json", "delete the task rye bread").out == "null\n")
  }

  /// All items of a choice are deleted after one question, and come back by one undo.
  @Test func chosenItemsAreDeletedTogether() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b", "c"] {
      _ = try sandbox.run(
        "save", "https://\(name).example", "--tags", name == "c" ? "new" : "old")
    }
    _ = try sandbox.run("add-note", "kept", "--tags", "old")
    #expect(try sandbox.run("do", "delete all links tagged old").status != 0)
    let run = try sandbox.run("do", "delete all links tagged old", "--yes")
    #expect(try sandbox.run("find", "links", "--count").out == "1\n", "\(run)")
    #expect(try sandbox.run("find", "notes", "--count").out == "1\n")
    _ = try sandbox.run("do", "undo")
    #expect(try sandbox.run("find", "links", "--count").out == "3\n")
  }

  /// A conversation corrects the last call, repeats it, and cancels one before it is made.
  @Test func conversationsTakeUpTheLastCall() throws {
    let sandbox = try Sandbox()
    let due = "--format={{ self.due }}"
    _ = try sandbox.run(
      "do", input: "remind me to water the fern on 2030-01-02\nno, on 2030-01-05\n")
    #expect(try sandbox.run("find", "tasks", due).out.contains("2030-01-05"))
    #expect(try sandbox.run("find", "tasks", "--count").out == "1\n")
    for name in ["Bread", "Kettles"] {
      _ = try sandbox.run("save", "https://\(name.lowercased()).example", "--title", name)
    }
    let run = try sandbox.run(
      "do",
      input:
        "show my recent links\nadd the first one to my favourites\nand the link Bread\nnever mind\n"
    )
    #expect(
      run.err.contains("Favourite: Kettles.") && run.err.contains("Favourite: Bread."), "\(run)")
    #expect(run.err.contains("Nothing is done.") && run.status == 0, "\(run)")
  }

  /// A sentence may ask for two things, of which the second is about the result of the first.
  @Test func twoThingsAreDoneInTurn() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run("do", "save https://rye.example, then star it")
    #expect(
      try sandbox.run("find", "links", "--where", "self.favourite", "--count").out == "1\n",
      "\(run)")
  }

  /// Sentences from standard input are explained in the same way as those from arguments.
  @Test(arguments: [["--explain"], ["--explain", "-"], ["-", "--explain", "--json"]])
  func explainedLinesAreNotDone(_ flags: [String]) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(
      ["do"] + flags,
      input: Array("remind me to call Ada tomorrow at 5\nnonsense\nadd task x\n".utf8))
    #expect(run.out.contains("T17:00") && run.out.contains("x"), "\(run)")
    #expect(run.status == 2 && run.err.contains("nonsense"), "\(run)")
    #expect(try sandbox.run("find", "tasks", "--count").out == "0\n")
  }

  @Test func wordsWithoutAPlaceAreSaidFirst() throws {
    let sandbox = try Sandbox()
    let timed = "remind me to call Ada on 2030-01-02 at 5pm"
    #expect(try sandbox.run("do", timed).err == "Added call Ada, due 2 Jan 2030 17:00.\n")
    let words = "what is due on 2031-01-02 at 5pm"
    let said = "Left out: “at 5pm”.\nNothing to do.\n"
    #expect(try sandbox.run("do", words).err == said)
    #expect(try sandbox.run("do", input: words + "\n").err == said)
    #expect(
      try sandbox.run("do", "--explain", "--json", words).out.contains(#""leftOut":["at 5pm"]"#))
  }

  /// A sentence takes the flags of the command that it becomes, in the same process.
  @Test func takesTheFlagsOfCommands() throws {
    let sandbox = try Sandbox()
    let json = try sandbox.run("do", "--json", "add task x").out
    #expect(json.hasPrefix(#"{"entity":"Task","id":1,"#), "\(json)")
    #expect(try sandbox.run("do", "--quiet", "add task y").err == "")
    let dry = try sandbox.run("do", "--dry-run", "add task z")
    #expect(dry.status == 0 && dry.err.contains("would create"), "\(dry)")
    #expect(try sandbox.run("do", "add a task", "--answer", "title=preset").status == 0)
    #expect(
      try sandbox.run("find", "tasks", "--format", "{{ self.title }}").out == "preset\ny\nx\n")
    let entries = try sandbox.run("do", "--transcript", "add task w").out
    #expect(entries.contains(#""kind":"say","text":"Added w.""#), "\(entries)")
  }

  @Test func doneStaysDone() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Rent", "--repeat", "every monday")
    #expect(try sandbox.run("do", "mark rent as done").err.hasPrefix("Done: Rent. Next: "))
    #expect(try sandbox.run("find", "tasks", "--count").out == "2\n")
    #expect(try sandbox.run("toggle-task", "task:1", "--done").err == "Already done: Rent.\n")
    #expect(try sandbox.run("toggle-task", "task:1").err == "Reopened: Rent.\n")
  }

  /// Flags apply to each sentence, and a farewell is not an answer.
  @Test func conversationsObeyTheirFlags() throws {
    let sandbox = try Sandbox()
    let farewell = try sandbox.run("do", input: "add a task\nbye\nadd task x\n")
    #expect(farewell.err == "What is to be done?\nCancelled.\n", "\(farewell)")
    #expect(try sandbox.run("do", "--dry-run", input: "add task x\n").status == 0)
    #expect(try sandbox.run("do", "--dry-run", "add task x").status == 0)
    #expect(try sandbox.run("find", "tasks", "--count").out == "0\n")
    let preset = try sandbox.run("do", "--answer", "title=Preset", input: "add a task\nbye\n")
    #expect(preset.err == "Added Preset.\n")
    #expect(try sandbox.run("do", "--quiet", input: "add task y\n").err == "")
    #expect(try sandbox.run("do", "--quiet", "add task z").err == "")
    #expect(try sandbox.run("add-task", "w", "-t", "a,b").status == 0)
    #expect(try sandbox.run("find", "tasks", "--where", "'b' in tags", "--count").out == "1\n")
  }

  @Test func ownPhrasesCountAndMistakesAreTold() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml": """
      intent: brew
      phrases: ['(brew|make) {count} (cups|cup) of {kind}', 'a {nothing}']
      parameters:
        count: {type: int, min: 1}
        kind: {type: enum, values: [tea, coffee]}
      steps: [{say: '{{ count }} {{ kind }}'}]
      """
    ])
    #expect(try sandbox.run("do", "make twenty-one cups of coffee").err == "21 coffee\n")
    #expect(try sandbox.run("do", "make some cups of coffee").status == 2)
    #expect(try sandbox.run("phrases", "brew").err.contains("left out: brew: “a {nothing}”"))
  }

  @Test func guessesAreConfirmedBeforeTheyReachOutside() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml": """
      intent: shout
      phrases: ['shout {text}']
      parameters: {text: string}
      steps: [{exec: [touch, '{{ text }}']}]
      """
    ])
    #expect(try sandbox.run("do", "shout made").status != 0)
    #expect(sandbox.read("made") == nil)
    #expect(try sandbox.run("do", "shout made", "--yes").status == 0)
    #expect(sandbox.read("made") != nil)
  }

  /// A reading with words that were not understood is asked about once, unless nothing is to be learnt.
  @Test func readingsAreConfirmedOnce() throws {
    let sandbox = try Sandbox()
    for title in ["Sweep the hall", "Clean the windows"] { _ = try sandbox.run("add-task", title) }
    func say(_ thing: String, _ flags: String...) throws -> Int32 {
      try sandbox.run(["do", "the \(thing) finally sparkles, so tick that off"] + flags).status
    }
    func done() throws -> String {
      try sandbox.run("find", "tasks", "--where", "self.done", "--count").out
    }
    #expect(try say("hall") != 0)
    #expect(try done() == "0\n")
    #expect(try say("hall", "--yes") == 0)
    #expect(try say("windows") == 0)
    #expect(try done() == "2\n")
    _ = try sandbox.run("undo")
    _ = try sandbox.run("settings", "set", "learning", "off")
    #expect(try say("windows") != 0)
    #expect(try done() == "1\n")
  }

  /// `--speak` gives each text to the first program that is there, as one argument.
  @Test func speaksByTheProgramThatIsThere() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      "#!/bin/sh\nprintf '%s\\n' \"$*\" >>\"$HOME/spoken\"\n", to: "bin/spd-say",
      isProgram: true)
    let run = try sandbox.run("do", "--speak", input: "add a task --help; $(id)\n")
    #expect(run.status == 0 && run.err.contains("Added --help; $(id)."), "\(run)")
    #expect(sandbox.read("spoken") == "--wait -- Added --help; $(id).\n")
    _ = try sandbox.run("do", "--speak", "add", "task", "x")
    #expect(sandbox.read("spoken")?.hasSuffix("--wait -- Added x.\n") == true)
    try sandbox.write(
      "#!/bin/sh\nexec cp /dev/null \"$HOME/first\"\n", to: "bin/espeak-ng", isProgram: true)
    _ = try sandbox.run("do", "--speak", "tasks")
    #expect(sandbox.read("first") != nil)
  }

  /// A drawing is shown only if its marks line up with their words.
  @Test(arguments: [8, 20, 40, 200])
  func drawingsFitTheTerminal(_ columns: Int) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.terminal(
      "do", "--explain", "remind me to call Ada Lovelace about the analytical engine tomorrow",
      columns: columns)
    #expect(try run.finish() == 0)
    let words = run.text.split { $0.isWhitespace }
    #expect(words.contains("title:") && words.contains("due:"), "\(run.text)")
    // A drawing that does not fit would say something else.
    #expect(run.text.contains("───") == (columns > 80), "\(run.text)")
  }
}
