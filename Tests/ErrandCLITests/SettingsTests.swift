import TestSupport
import Testing

@testable import ErrandCLI

/// `errand settings` and the effects of settings.
@Suite struct SettingsTests {
  private let path = ".config/errand/settings.yaml"

  /// An address that comes in stays as it is, unless the person wants it clean; a clean one stays
  /// anyway.
  @Test func addressesAreCleanIfWanted() throws {
    let sandbox = try Sandbox([
      "list.txt": "https://a.example/x\nhttps://a.example/x?utm_source=y\n"
    ])
    #expect(try sandbox.run("import", "list.txt", "--quiet").status == 0)
    _ = try sandbox.run("save", "https://a.example/x?fbclid=1")
    _ = try sandbox.run("save", "https://b.example/?utm_source=y&id=1")
    let urls = {
      try sandbox.run("find", "links", "--sort", "id", "--format", "{{ self.url }}").out
    }
    #expect(try urls() == "https://a.example/x\nhttps://b.example/?utm_source=y&id=1\n")
    _ = try sandbox.run("settings", "set", "cleanURLs", "on")
    _ = try sandbox.run("save", "https://c.example/?utm_source=y&id=1")
    _ = try sandbox.run("save", "https://b.example/?id=1&utm_source=z")
    #expect(
      try urls()
        == "https://a.example/x\nhttps://b.example/?id=1\nhttps://c.example/?id=1\n")
  }

  @Test func listShowsEachSettingWithItsValue() throws {
    let sandbox = try Sandbox([path: "colour: never\n"])
    let key = try #require(try sandbox.run("settings").out.split(separator: "\n").last)
    #expect(key.hasPrefix("publicKey\terrand-"))
    #expect(
      try sandbox.run("settings")
        == ProgramRun(
          out: """
            enrich\toff
            worker\toff
            linkBase\thttps://errand.localhost
            pager\tcat
            colour\tnever
            keepRuns\t30d
            maxSteps\t50000000
            location\t
            holidays\t
            secretCommand\t
            answerTime\t10m
            theme\tauto
            browserSearch\toff
            shelf\ton
            mailTo\t
            ntfy\t
            ntfyToken\t
            notifyCommand\t
            pushHosts\t
            embedOrigins\t
            cleanURLs\toff
            learning\ton
            \(key)

            """))
    let json = try sandbox.run("settings", "--jsonl").out
    #expect(
      json.contains(
        """
        {"name":"colour","value":"never","default":"auto","from":"file","description":"use colour: \
        auto, always or never"}
        """), "\(json)")
    sandbox.environment["ERRAND_LINK_BASE"] = "https://l.example"
    #expect(try sandbox.run("settings").out.contains("linkBase\thttps://l.example\n"))
  }

  @Test func settingKeepsCommentsAndOrder() throws {
    let text = """
      # What I like.
      linkBase: 'https://a.example'   # mine

      # Colours hurt.
      colour: never

      """
    let sandbox = try Sandbox([path: text])
    #expect(
      try sandbox.run("settings", "set", "linkBase", "https://b.example/x")
        == ProgramRun(err: "Set linkBase to https://b.example/x.\n"))
    #expect(
      sandbox.read(path)
        == text.replacing("'https://a.example'", with: "https://b.example/x"))
    _ = try sandbox.run("settings", "set", "pager", "less -S")
    #expect(sandbox.read(path)?.hasSuffix("colour: never\npager: 'less -S'\n") == true)
    #expect(
      try sandbox.run("settings", "unset", "colour")
        == ProgramRun(err: "colour is auto again.\n"))
    #expect(sandbox.read(path)?.contains("never") == false)
    #expect(sandbox.read(path)?.contains("# Colours hurt.") == true)
  }

  @Test func setCreatesTheFile() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("settings", "set", "linkBase", "https://go.example")
    #expect(sandbox.read(path) == "linkBase: https://go.example\n")
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let shared = try sandbox.run("share", "swift")
    #expect(shared.out.hasPrefix("https://go.example/w/"), "\(shared)")
    // The settings file is not reported as a definition.
    #expect(try sandbox.run("list").err == "")
  }

  @Test func secretCommandIsSavedAsAList() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.run("settings", "set", "secretCommand", "echo of-{name}")
        == ProgramRun(err: "Set secretCommand to echo of-{name}.\n"))
    #expect(sandbox.read(path) == "secretCommand: [echo, 'of-{name}']\n")
    #expect(try sandbox.run("settings").out.contains("secretCommand\techo of-{name}\n"))
    try sandbox.write(
      "shortcut: s\nsteps: [{exec: {command: [cat], stdin: '{{ secret(\"DOOR\") }}'}}]\n",
      to: "s.yaml")
    #expect(try sandbox.run("run", "s.yaml") == ProgramRun(out: "•••\n"))
  }

  @Test func keepRunsAcceptsADuration() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("settings", "set", "keepRuns", "2 weeks").status == 0)
    #expect(sandbox.read(path) == "keepRuns: '2 weeks'\n")
    #expect(try sandbox.run("settings").out.contains("keepRuns\t2 weeks\n"))
  }

  @Test(arguments: [
    (["set", "linkbase", "https://x.example"], "unknown setting `linkbase`"),
    (["set", "linkBase", "x"], "`linkBase`: “x” must begin with https:// or http://"),
    (["set", "maxSteps", "0"], "`maxSteps`: “0” must be a positive integer"),
    (["set", "colour", "red"], "`colour`: “red” must be auto, always or never"),
    (["set", "keepRuns", "long"], "`keepRuns`: “long” must be a duration of at least a minute"),
    (["set", "keepRuns", "0s"], "`keepRuns`: “0s” must be a duration of at least a minute"),
    (["set", "theme", "blue"], "`theme`: “blue” must be auto, light or dark"),
    (["set", "answerTime", "31d"], "`answerTime`: “31d” must be a duration from 1s to 30d"),
    (["set", "embedOrigins", "*"], "`embedOrigins`: “*” must be origins"),
    (
      ["set", "embedOrigins", "https://a.example/x"],
      "`embedOrigins`: “https://a.example/x” must be"
    ),
    (["set", "embedOrigins", "https://a;x"], "`embedOrigins`: “https://a;x” must be origins"),
    (["set", "embedOrigins", "http://a:0"], "`embedOrigins`: “http://a:0” must be origins"),
    (["set", "colour"], "`settings set colour` needs VALUE"),
    (["put", "colour", "x"], "unknown subcommand “put”"),
  ])
  func invalidArgumentsAreReported(_ words: [String], _ message: String) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(["settings"] + words)
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("errand: error: \(message)"), "\(run)")
    #expect(sandbox.read(path) == nil)
  }

  @Test func invalidSettingsAreReportedAndIgnored() throws {
    let sandbox = try Sandbox([path: "linkbase: x\nmaxSteps: many\n"])
    let run = try sandbox.run("settings")
    #expect(run.status == 0)
    #expect(run.err.contains("settings.yaml:1:1: error: unknown setting `linkbase`"), "\(run)")
    #expect(run.err.contains("did you mean `linkBase`?"))
    #expect(
      run.err.contains("settings.yaml:2:11: error: `maxSteps`: “many” must be a positive integer"))
    #expect(run.out.contains("maxSteps\t50000000\n"))
  }

  @Test func stepsAreLimitedBySettings() throws {
    let sandbox = try Sandbox([path: "maxSteps: 10\n"])
    try sandbox.write("shortcut: s\nsteps: [{repeat: 100, do: [{log: x}]}]\n", to: "s.yaml")
    let run = try sandbox.run("run", "s.yaml")
    #expect(run.status == 1)
    #expect(try sandbox.run("run", "s.yaml", "--max-steps", "1000").status == 0)
  }

  @Test func anEmptyOrWrongRecipientIsNotEverybody() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let key = try #require(try sandbox.run("settings").out.split(separator: "\n").last).dropFirst(
      10)
    for wrong in ["", " ", String(key.dropLast()), "errand-" + String(repeating: "A", count: 86)] {
      let shared = try sandbox.run("share", "link:1", "--recipient", wrong)
      #expect(shared.status == (wrong.isEmpty ? 2 : 1) && shared.out == "", "\(shared)")
      let steps = "[{wrap: {link: '{{ link }}', recipient: '\(wrong)'}}]"
      let text = "shortcut: give\nparameters: {link: {type: Link}}\nsteps: \(steps)\n"
      let given = try sandbox.run("run", "-", "link:1", input: text)
      #expect(given.status == 1 && given.out == "", "\(given)")
    }
    #expect(
      try sandbox.run("share", "link:1", "--recipient", String(key)).out.contains("/w/"))
    #expect(try sandbox.run("share", "link:1").out.contains("v=1"))
  }

  @Test func shareWarnsAboutTheDefaultLinkBase() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let terminal = try sandbox.terminal("share", "swift")
    #expect(try terminal.finish() == 0)
    #expect(terminal.text.contains("errand.localhost works only on this machine"))
    _ = try sandbox.run("settings", "set", "linkBase", "https://go.example")
    let told = try sandbox.terminal("share", "swift")
    #expect(try told.finish() == 0)
    #expect(!told.text.contains("only a name"))
  }
}
