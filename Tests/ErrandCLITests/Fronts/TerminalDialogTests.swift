import TestSupport
import Testing

/// Questions and answers on a terminal.
@Suite struct TerminalDialogTests {
  private let asks = """
    shortcut: asks
    steps:
      - ask: {prompt: 'How many?', type: int, default: 3}
        as: count
      - ask: {prompt: 'Which status?', type: enum, values: [queued, ready, failed]}
        as: status
      - say: '{{ count }} {{ status }}'
    """

  /// Creates a sandbox without colours, so that prompts can be matched.
  private func sandbox(_ files: [String: String]) throws -> Sandbox {
    let sandbox = try Sandbox(files)
    sandbox.environment["NO_COLOR"] = "1"
    // Plain prompts and numbers; golden screens cover other terminals.
    sandbox.environment["TERM"] = "dumb"
    return sandbox
  }

  @Test func anAnswerIsAskedForUntilItFits() throws {
    let terminal = try sandbox(["asks.yaml": asks]).terminal("run", "./asks.yaml")
    try terminal.expect("How many? [3] ")
    terminal.type("many\n")
    try terminal.expect("“many” is not a whole number")
    try terminal.expect("[3] ")
    terminal.type("\n")
    try terminal.expect("3  failed")
    terminal.type("rea\n")
    try terminal.expect("3 ready")
    #expect(try terminal.finish() == 0)
  }

  @Test func keysThatAreNoTextAreRefused() throws {
    let terminal = try sandbox(["asks.yaml": asks]).terminal("run", "./asks.yaml")
    try terminal.expect("How many? [3] ")
    terminal.type("\u{1B}[A7\n")
    try terminal.expect("type it again")
    try terminal.expect("How many?")
    terminal.type("7\n")
    try terminal.expect("Which status?")
    terminal.type("1\n")
    try terminal.expect("7 queued")
    #expect(try terminal.finish() == 0)
  }

  @Test func endOfInputCancels() throws {
    let terminal = try sandbox(["asks.yaml": asks]).terminal("run", "./asks.yaml")
    try terminal.expect("[3] ")
    terminal.type("\u{4}")
    #expect(try terminal.finish() == 4)
    #expect(terminal.text.hasSuffix("\nCancelled.\n"))
    #expect(terminal.text.contains("[3] \n"), "the message begins on a line of its own")
  }

  @Test(arguments: ["xterm", "dumb"], [false, true])
  func escapeLeavesAQuestionOfYesOrNo(_ term: String, _ danger: Bool) throws {
    let sandbox = try sandbox([
      "sure.yaml": """
      shortcut: sure
      steps: [{confirm: {prompt: 'Sure?', danger: \(danger)}}, {say: done}]
      """
    ])
    sandbox.environment["TERM"] = term
    let terminal = try sandbox.terminal("run", "./sure.yaml")
    try terminal.expect(danger ? "continue:" : "[y/N] ")
    terminal.type(term == "dumb" ? "\u{1B}\n" : "\u{1B}")
    #expect(try terminal.finish() == 4)
    #expect(terminal.text.hasSuffix("Cancelled.\n"), "\(terminal.text)")
  }

  @Test func interruptingLeavesAFreshLineAndStatus130() throws {
    let terminal = try sandbox(["asks.yaml": asks]).terminal("run", "./asks.yaml")
    try terminal.expect("[3] ")
    terminal.type("\u{3}")
    #expect(try terminal.finish() == 130)
    #expect(terminal.text.hasSuffix("\n"))
  }

  @Test func promptsComeFromTheTerminalWhenInputIsPiped() throws {
    let sandbox = try self.sandbox([
      "asks.yaml": """
      shortcut: asks
      input: string
      steps:
        - ask: 'Name for {{ input }}?'
          as: name
      output: '{{ input }}={{ name }}'
      """
    ])
    let terminal = try sandbox.terminal(
      "run", "./asks.yaml", "-", input: "from the pipe\n", output: "result")
    try terminal.expect("Name for from the pipe? ")
    terminal.type("ann\n")
    #expect(try terminal.finish() == 0)
    #expect(sandbox.read("result") == "from the pipe=ann\n")
    #expect(!terminal.text.contains("="), "the result is for the next program only")
  }

  @Test func aLongListIsNarrowedByTyping() throws {
    let numbers = (1...60).map { "Item \($0)" }
    let sandbox = try self.sandbox([
      "pick.yaml": """
      shortcut: pick
      steps:
        - choose: {from: [\(numbers.joined(separator: ", "))], prompt: 'Which one?'}
      output: '{{ it }}'
      """
    ])
    let terminal = try sandbox.terminal("run", "./pick.yaml", rows: 20)
    try terminal.expect("… and 44 more: type part of a title to narrow")
    try terminal.expect("Number or part of a title: ")
    terminal.type("item 5\n")
    // A whole title is accepted at once, even if others start with it.
    try terminal.expect("\nItem 5\r\n")
    #expect(try terminal.finish() == 0)
    let narrowing = try sandbox.terminal("run", "./pick.yaml", rows: 20)
    try narrowing.expect("title: ")
    narrowing.type("m 5\n")
    try narrowing.expect("59  Item 59")
    try narrowing.expect("title: ")
    narrowing.type("53\n")
    try narrowing.expect("Item 53")
    #expect(try narrowing.finish() == 0)
  }

  @Test func severalAreChosenByNumbersAndRanges() throws {
    let sandbox = try self.sandbox([
      "pick.yaml": """
      shortcut: pick
      steps:
        - choose: {from: [a, b, c, d, e], prompt: 'Which ones?', many: true}
      output: '{{ it.join("+") }}'
      """
    ])
    let terminal = try sandbox.terminal("run", "./pick.yaml", columns: 60)
    try terminal.expect("or all: ")
    terminal.type("1,9\n")
    try terminal.expect("there is no 9")
    terminal.type("5,1-3\n")
    try terminal.expect("e+a+b+c")
    #expect(try terminal.finish() == 0)
  }

  @Test(
    arguments: [("yes", 0), ("y", 4), ("", 4), ("no", 4)] as [(String, Int32)])
  func dangerWantsTheWholeWord(_ answer: String, _ status: Int32) throws {
    let sandbox = try self.sandbox([
      "d.yaml": """
      shortcut: d
      steps:
        - confirm: {prompt: 'Delete everything?', danger: true}
      """
    ])
    let terminal = try sandbox.terminal("run", "./d.yaml")
    try terminal.expect("Delete everything?")
    try terminal.expect("Type yes to continue: ")
    terminal.type(answer + "\n")
    #expect(try terminal.finish() == status)
  }

  @Test func aYesOrNoIsAskedForAgain() throws {
    let sandbox = try self.sandbox([
      "c.yaml": "shortcut: c\nsteps:\n  - confirm: Go on?\n  - say: On.\n"
    ]
    )
    let terminal = try sandbox.terminal("run", "./c.yaml")
    try terminal.expect("Go on? [y/N] ")
    terminal.type("maybe\n")
    try terminal.expect("type y for yes or n for no")
    terminal.type("y\n")
    try terminal.expect("On.")
    #expect(try terminal.finish() == 0)
  }

  @Test func theFieldsOfAnItemGoOnUnderTheirBeginning() throws {
    let sandbox = try sandbox([
      "in.jsonl": #"{"url":"https://swift.org","summary":"One two three four five six seven"}"#
    ])
    _ = try sandbox.run("import", "in.jsonl")
    let terminal = try sandbox.terminal("get", "link:1", columns: 34)
    #expect(try terminal.finish() == 0)
    #expect(
      terminal.text.contains(
        """
          url        https://swift.org
          summary    One two three four
                     five six seven
          status     queued

        """), "\(terminal.text)")
  }

  @Test func coloursAreForTerminalsThatHaveThem() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    let coloured = try sandbox.terminal("recent")
    #expect(try coloured.finish() == 0)
    #expect(coloured.transcript.contains("\u{1B}["))
    sandbox.environment["NO_COLOR"] = "1"
    // Plain prompts and numbers; golden screens cover other terminals.
    sandbox.environment["TERM"] = "dumb"
    let plain = try sandbox.terminal("recent")
    #expect(try plain.finish() == 0)
    #expect(!plain.transcript.contains("\u{1B}"))
  }

  @Test func aTitleCannotSteerTheTerminal() throws {
    let sandbox = try Sandbox([
      "in.jsonl": #"{"url":"https://evil.org","title":"a\u001b]0;owned\u0007\u001b[2Jb"}"# + "\n"
    ])
    sandbox.environment["NO_COLOR"] = "1"
    // Plain prompts and numbers; golden screens cover other terminals.
    sandbox.environment["TERM"] = "dumb"
    #expect(try sandbox.run("import", "in.jsonl").status == 0)
    let terminal = try sandbox.terminal("recent")
    #expect(try terminal.finish() == 0)
    #expect(!terminal.transcript.contains("\u{1B}"))
    #expect(terminal.transcript.contains("a␛]0;owned␇␛[2Jb"))
  }
}
