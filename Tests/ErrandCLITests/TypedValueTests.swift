import TestSupport
import Testing

/// Values as people type them: yes and no, decimal commas, paths in a home.
@Suite struct TypedValueTests {
  private static let definitions = """
    shortcut: agree
    steps:
      - ask: {prompt: 'Sure?', type: bool}
        as: sure
      - value: '{{ sure }}'
    ---
    shortcut: spend
    parameters: {amount: double}
    steps: [{value: '{{ amount * 2.0 }}'}]
    ---
    shortcut: where
    parameters:
      folder: {type: file, default: ~/backup}
      others: {type: list<file>, default: [~/a, /b]}
    steps:
      - exec: [printf, '%s %s %s', '{{ folder }}', '{{ others[0] }}', '{{ others[1] }}']
    ---
    shortcut: say-home
    parameters: {word: {type: string, default: '~/word'}}
    steps:
      - exec:
          command: [printf, '%s %s %s %s %s', ~/x, '~/y/{{ 1 + 1 }}', '{{ word }}', a~/b, '{{ "~/z" }}']
    ---
    shortcut: home-tool
    steps: [{exec: [~/tools/hello]}]

    """

  private func sandbox() throws -> Sandbox {
    try Sandbox([".config/errand/typed.yaml": Self.definitions])
  }

  @Test(arguments: [
    ("y", "true"), ("Y", "true"), ("yes", "true"), ("TRUE", "true"), ("n", "false"),
    ("No", "false"), ("false", "false"),
  ])
  func aBoolIsAYesOrANo(_ answer: String, _ value: String) throws {
    let run = try sandbox().run("agree", "--answer", "sure=\(answer)")
    #expect(run.out == value + "\n", "\(run)")
  }

  @Test func anythingElseIsNeither() throws {
    let run = try sandbox().run("agree", "--answer", "sure=perhaps")
    #expect(run.err.contains("“perhaps” is neither true nor false"))
  }

  @Test(arguments: ["de_DE.UTF-8", "fr_FR", "es_ES.UTF-8", "pt_BR.UTF-8"])
  func aCommaIsReadWhereTheLocaleWritesIt(_ locale: String) throws {
    for variable in ["LC_ALL", "LC_NUMERIC", "LANG"] {
      let sandbox = try sandbox()
      sandbox.environment[variable] = locale
      #expect(try sandbox.run("spend", "3,50").out == "7\n")
      #expect(try sandbox.run("spend", "--amount=-0,25").out == "-0.5\n")
      #expect(try sandbox.run("spend", "3.50").out == "7\n")
      // Most people who write a decimal comma separate thousands with points.
      let thousands = try sandbox.run("spend", "1.500")
      #expect(thousands.status == 2)
      #expect(thousands.err.contains("“1.500” may mean 1500 or 1,500"), "\(thousands)")
      #expect(try sandbox.run("spend", "1500").out == "3000\n")
    }
    #expect(try sandbox().run("spend", "1.500").out == "3\n")
  }

  @Test(arguments: ["C.UTF-8", "en_US.UTF-8", "de_CH.UTF-8", "es_MX.UTF-8", ""])
  func elsewhereTheMessageSaysWhatToWrite(_ locale: String) throws {
    let sandbox = try sandbox()
    sandbox.environment["LANG"] = "de_DE.UTF-8"
    sandbox.environment["LC_NUMERIC"] = locale.isEmpty ? "C" : locale
    let run = try sandbox.run("spend", "3,50")
    #expect(run.out == "")
    #expect(run.err.contains("help: write 3.50"), "\(run)")
  }

  @Test func numberWithThousandsSeparatorsIsRejected() throws {
    let sandbox = try sandbox()
    sandbox.environment["LC_ALL"] = "de_DE.UTF-8"
    for text in ["1.234,50", "1,234,567", ",5", "5,"] {
      #expect(try sandbox.run("spend", text).status != 0, "\(text)")
    }
    // Input from programs is JSON.
    sandbox.environment["LC_ALL"] = "de_DE.UTF-8"
    try sandbox.write("shortcut: t\nsteps: [{spend: {amount: '3,50'}}]\n", to: "t.yaml")
    #expect(try sandbox.run("run", "t.yaml").status != 0)
  }

  /// A date with a slash is read as in the region; lengths, rules and reminders as they are said.
  @Test(arguments: [
    ("en_US.UTF-8", ["--due", "3/12"], "due 12 Mar"),
    ("en_GB.UTF-8", ["--due", "3/12"], "due 3 Dec"),
    ("C.UTF-8", ["--due", "3/12"], "help: did you mean 20"),
    ("en_US.UTF-8", ["--repeat", "daily"], "every day"),
    ("de_DE.UTF-8", ["--repeat", "jeden Montag"], "every monday"),
    ("de_DE.UTF-8", ["--estimate", "anderthalb Stunden"], "hinzugefügt"),
    ("en_US.UTF-8", ["--estimate", "-2h"], "`estimate`: -2h must be at least 0"),
    ("en_US.UTF-8", ["--repeat", "every day at 9"], "a rule has no time of day; write every day"),
    ("fr_FR.UTF-8", ["--remind", "2 h avant"], "ajouté"),
    ("en_US.UTF-8", ["--due", "in a few days"], "is not a day or a time"),
  ])
  func whatAPersonTypesMayBeSaid(_ locale: String, _ flags: [String], _ text: String) throws {
    let sandbox = try Sandbox()
    sandbox.environment["LC_ALL"] = locale
    let run = try sandbox.run(["add-task", "Call"] + flags)
    #expect((run.out + run.err).contains(text), "\(run)")
  }

  @Test func aFileBeginsInTheHome() throws {
    let sandbox = try sandbox()
    let home = sandbox.path
    #expect(try sandbox.run("where").out == "\(home)/backup \(home)/a /b\n")
    #expect(
      try sandbox.run("where", "--answer", "folder=~/c").out == "\(home)/c \(home)/a /b\n")
    try sandbox.write("shortcut: t\nsteps: [{where: {folder: ~/d}}]\n", to: "t.yaml")
    #expect(try sandbox.run("run", "t.yaml").out == "\(home)/d \(home)/a /b\n")
  }

  @Test func wordsOfExecThatAreWrittenSoBeginInTheHome() throws {
    let sandbox = try sandbox()
    let home = sandbox.path
    #expect(
      try sandbox.run("say-home").out == "\(home)/x \(home)/y/2 ~/word a~/b ~/z\n")
    #expect(try sandbox.run("say-home", "--word", "~/own").out.contains(" ~/own "))
  }

  @Test func accessKnowsAProgramInTheHomeByItsPath() throws {
    let sandbox = try sandbox()
    try sandbox.write("#!/bin/sh\necho hello\n", to: "tools/hello", isProgram: true)
    #expect(try sandbox.run("home-tool").out == "hello\n")
    sandbox.environment["ERRAND_ALLOW"] = nil
    try sandbox.write("shortcut: t\nsteps: [{exec: [~/tools/hello]}]\n", to: "t.yaml")
    #expect(
      try sandbox.run("run", "t.yaml", "--allow", "exec:\(sandbox.path)/tools/hello").out
        == "hello\n")
    #expect(try sandbox.run("run", "t.yaml", "--allow", "exec:~/tools/hello").out == "hello\n")
    #expect(try sandbox.run("run", "t.yaml", "--allow", "exec:hello").status != 0)
  }

  @Test func aMapIsAValueByItself() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - value: {Pictures: [jpg, png], name: Ada}
          as: kinds
        - return: {count: '{{ kinds.Pictures.size() }}', name: '{{ kinds.name }}'}
      """
    ])
    #expect(try sandbox.run("run", "t.yaml", "--json").out == #"{"count":2,"name":"Ada"}"# + "\n")
  }

  @Test func aFilterCountsForTheLoopAfterIt() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: direct
      steps:
        - find: Task
        - for: t
          in: '{{ it.filter(t, t.notes != null) }}'
          do: [{value: '{{ t.notes.size() }}'}]
      ---
      shortcut: named
      steps:
        - find: Task
        - value: '{{ it.filter(x, x.notes != null) }}'
          as: noted
        - for: t
          in: noted
          do: [{value: '{{ t.notes.size() }}'}]
      """,
      "wrong.yaml": """
      shortcut: other
      steps:
        - find: Task
        - value: '{{ it.filter(x, x.due != null) }}'
          as: dated
        - for: t
          in: dated
          do: [{value: '{{ t.notes.size() }}'}]
      """,
    ])
    let right = try sandbox.run("check", "t.yaml")
    #expect(right.status == 0, "\(right)")
    let wrong = try sandbox.run("check", "wrong.yaml")
    #expect((wrong.out + wrong.err).contains("expression-maybe-null"), "\(wrong)")
  }
}
