import TestSupport
import Testing

@testable import ErrandCLI

/// Golden screens: prompts, choices and pages on wide and narrow terminals.
@Suite(.enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct ScreenTests {
  private func sandbox(_ files: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox(files)
    sandbox.environment["NO_COLOR"] = "1"
    sandbox.environment["TERM"] = "xterm"
    sandbox.environment["PAGER"] = "less"
    return sandbox
  }

  private let asks = """
    shortcut: asks
    steps:
      - ask: {prompt: First?}
        as: first
      - ask: {prompt: Second?, default: nothing}
        as: second
      - value: '{{ toJson([first, second]) }}'
    """

  @Test func aLineIsEdited() throws {
    let screen = try TmuxScreen("errand run asks.yaml", in: sandbox(["asks.yaml": asks]))
    _ = try screen.screen(showing: "First?")
    try screen.type("helo wörld wide")
    try screen.press("C-w")
    try screen.type("end")
    try screen.press("C-a", "Right", "Right", "Right")
    try screen.type("l")
    try screen.press("Enter")
    _ = try screen.screen(showing: "Second? [nothing]")
    try screen.press("Up", "BSpace", "Enter")
    #expect(
      try screen.screen(showing: "[status") == """
        First? hello wörld end
        Second? [nothing] hello wörld en
        ["hello wörld end","hello wörld en"]
        [status 0]
        """)
  }

  @Test func aPasteOfManyLinesIsOneAnswer() throws {
    let screen = try TmuxScreen("errand run asks.yaml", in: sandbox(["asks.yaml": asks]))
    _ = try screen.screen(showing: "First?")
    try screen.paste("one\ntwo\n\tthree")
    try screen.press("Enter")
    _ = try screen.screen(showing: "Second?")
    try screen.press("Enter")
    #expect(
      try screen.screen(showing: "[status") == """
        First? one⏎two⏎ three
        Second? [nothing]
        ["one\\ntwo\\n three","nothing"]
        [status 0]
        """)
  }

  @Test func answersAreRememberedByTheNextRun() throws {
    let sandbox = try sandbox(["asks.yaml": asks])
    let line = "errand run asks.yaml && errand run asks.yaml"
    let screen = try TmuxScreen(line, in: sandbox)
    _ = try screen.screen(showing: "First?")
    try screen.type("alpha")
    try screen.press("Enter", "Enter")
    _ = try screen.screen(showing: "nothing\"]\nFirst?")
    try screen.press("Up", "Enter")
    _ = try screen.screen(showing: "alpha\nSecond? [nothing]")
    try screen.press("Enter")
    #expect(
      try screen.screen(showing: "[status 0]").hasSuffix("[\"alpha\",\"nothing\"]\n[status 0]"))
  }

  private let chooses = """
    shortcut: chooses
    steps:
      - choose: {from: [apple, banana, blackberry, blueberry, cherry, cranberry], prompt: Which?, many: MANY}
        as: fruit
      - say: 'Took {{ fruit }}.'
    """

  @Test func typingNarrowsAList() throws {
    let text = chooses.replacing("MANY", with: "false")
    let screen = try TmuxScreen("errand run c.yaml", in: sandbox(["c.yaml": text]), columns: 40)
    #expect(
      try screen.screen(showing: "6 of 6") == """
        Which?
        >
        >  1  apple
           2  banana
           3  blackberry
           4  blueberry
           5  cherry
           6  cranberry
        6 of 6 · Enter to choose
        """)
    try screen.type("brry")
    _ = try screen.screen(showing: "3 of 6")
    try screen.press("Down")
    #expect(
      try screen.screen(showing: ">  4") == """
        Which?
        > brry
           6  cranberry
        >  4  blueberry
           3  blackberry
        3 of 6 · Enter to choose
        """)
    try screen.press("Enter")
    #expect(
      try screen.screen(showing: "[status") == """
        Which?
        > blueberry
        Took blueberry.
        [status 0]
        """)
  }

  @Test func severalAreMarked() throws {
    let text = chooses.replacing("MANY", with: "true")
    let screen = try TmuxScreen("errand run c.yaml", in: sandbox(["c.yaml": text]), columns: 60)
    _ = try screen.screen(showing: "6 of 6")
    try screen.press("Tab", "Down", "Tab")
    #expect(
      try screen.screen(showing: "2 marked") == """
        Which?
        >
         * 1  apple
           2  banana
         * 3  blackberry
        >  4  blueberry
           5  cherry
           6  cranberry
        2 marked · Tab to mark · Enter to choose · Esc to cancel
        """)
    try screen.press("Enter")
    #expect(try screen.screen(showing: "[status").hasSuffix("Took apple, blackberry.\n[status 0]"))
  }

  @Test(arguments: [("Escape", 4), ("C-c", 130)])
  func leavingALists(_ key: String, _ status: Int) throws {
    let text = chooses.replacing("MANY", with: "false")
    let screen = try TmuxScreen(
      "errand run c.yaml; stty -a | grep -c ' icanon'", in: sandbox(["c.yaml": text]))
    _ = try screen.screen(showing: "6 of 6")
    try screen.press(key)
    // The terminal is restored.
    let end = try screen.screen(showing: "[status 0]")
    #expect(end.contains("\n1\n[status 0]"), "\(end)")
    #expect(end.contains("\nCancelled.\n") == (status == 4), "\(end)")
  }

  private func links(_ count: Int) -> String {
    (1...count).map { number in
      "{\"url\": \"https://example.org/a/rather/long/path/of/the/page/\(number)\"}\n"
    }.joined()
  }

  @Test func aLongResultIsPaged() throws {
    let sandbox = try sandbox(["links.jsonl": links(60)])
    _ = try sandbox.run("import", "links.jsonl")
    let screen = try TmuxScreen(
      "errand find links --sort createdAt,url -n 40", in: sandbox, columns: 70, rows: 10)
    let first = try screen.screen(showing: "\n:")
    #expect(first.split(separator: "\n").count == 10)
    #expect(first.hasPrefix("link:"))
    try screen.press("Space")
    _ = try screen.screen(showing: "\n:")
    try screen.press("q")
    _ = try screen.screen(showing: "[status 0]")
    let whole = try TmuxScreen(
      "errand find links -n 12 --no-pager", in: sandbox, columns: 70, rows: 20)
    #expect(try whole.screen(showing: "[status 0]").split(separator: "\n").count == 13)
  }

  @Test func addressesAreCutInTheirMiddle() throws {
    let sandbox = try sandbox(["links.jsonl": links(1)])
    _ = try sandbox.run("import", "links.jsonl")
    let screen = try TmuxScreen("errand find links", in: sandbox, columns: 44, rows: 6)
    #expect(
      try screen.screen(showing: "[status 0]") == """
        link:1  https://example.org/a…/of/the/page/1
                example.org · just now
        [status 0]
        """)
  }

  @Test(arguments: ["open", "find", "import", "add-task", "", "update"])
  func helpFitsFortyColumns(_ name: String) throws {
    let sandbox = try sandbox()
    sandbox.environment["COLUMNS"] = "40"
    let help = try sandbox.run("help", name.isEmpty ? "help" : name)
    for line in help.out.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
  }

  @Test func aTableHasTheColumnsThatAreNamed() throws {
    let text = """
      shortcut: t
      steps:
        - value: [{name: Ada, born: 1815, note: 'first of all'}, {name: Alan, born: 1912, note: x}]
        - show: {value: '{{ it }}', as: table, columns: [born, name]}
      """
    let screen = try TmuxScreen("errand run t.yaml", in: sandbox(["t.yaml": text]), rows: 8)
    #expect(
      try screen.screen(showing: "[status 0]") == """
        born  name
        1815  Ada
        1912  Alan
        [status 0]
        """)
  }
}
