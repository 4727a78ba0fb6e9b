import TestSupport
import Testing

/// Saved links queued for fetching their pages.
@Suite struct EnrichQueueTests {
  /// Replaces the shipped shortcut, so that no test reaches a server.
  private static let enrich = """
    shortcut: enrich
    parameters: {ids: {type: 'list<int>'}}
    steps:
      - say: 'Looking at {{ ids }}.'
      - for: id
        in: ids
        do:
          - update: {item: 'link:{{ id }}', set: {status: ready}}

    """

  private func sandbox(_ more: [String: String] = [:]) throws -> Sandbox {
    let files = [".config/errand/enrich.yaml": Self.enrich]
    let sandbox = try Sandbox(files.merging(more) { $1 })
    sandbox.environment["ERRAND_ENRICH"] = nil
    return sandbox
  }

  private func jobs(_ sandbox: Sandbox) throws -> String {
    try sandbox.run(
      "queue", "--format", "{{ self.name }} {{ self.state }} {{ self.requires }} {{ self.key }}"
    ).out
  }

  @Test func aSavedLinkWaits() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("save", "https://swift.org").err
        == "Saved https://swift.org in your library.\n")
    #expect(try jobs(sandbox) == "enrich waiting network 1\n")
    // It is queued once, however often it is saved.
    _ = try sandbox.run("save", "https://swift.org/?utm_source=x")
    #expect(try jobs(sandbox) == "enrich waiting network 1\n")
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self.status }}").out == "queued\n")
    // It is one change, undone as a whole; nothing is left to do.
    _ = try sandbox.run("undo", "--by", "save")
  }

  @Test func thoseThatWaitAreLookedAtTogether() throws {
    let sandbox = try sandbox()
    for site in ["a", "b", "c"] { _ = try sandbox.run("save", "https://\(site).example") }
    let drained = try sandbox.run("queue", "drain", "1", "2", "3", "--foreground")
    #expect(drained == ProgramRun(err: "Looking at 1, 2, 3.\n"))
    #expect(
      try sandbox.run("queue", "--format", "{{ self.job }} {{ self.state }}").out
        == "3 cancelled\n2 cancelled\n1 done\n")
    let states = try sandbox.run("find", "links", "--format", "{{ self.status }}").out
    #expect(states == "ready\nready\nready\n")
    // A link that is ready is not queued again.
    _ = try sandbox.run("save", "https://a.example")
    #expect(try sandbox.run("queue", "--state", "waiting").out == "")
  }

  @Test func nowDoesItAtOnce() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://other.example")
    let run = try sandbox.run("save", "https://swift.org", "--now")
    #expect(
      run
        == ProgramRun(
          out: "https://swift.org\n",
          err: "Saved https://swift.org in your library.\nLooking at 2.\n"), "\(run)")
    #expect(
      try sandbox.run("queue", "--format", "{{ self.job }} {{ self.state }}").out
        == "2 done\n1 waiting\n")
    let json = try sandbox.run("save", "https://yaml.org", "--now", "--json")
    #expect(json.status == 0)
    #expect(
      json.out.hasPrefix(#"{"entity":"Link","id":3"#) && json.out.split(separator: "\n").count == 1,
      "\(json)")
    // A page is fetched on request, regardless of the settings.
    sandbox.environment["ERRAND_ENRICH"] = "off"
    #expect(try sandbox.run("save", "https://c.org", "--now").err.hasSuffix("Looking at 4.\n"))
  }

  @Test func nowTellsWhatFailed() throws {
    let sandbox = try sandbox([
      ".config/errand/later.yaml": """
      shortcut: failing
      steps: [{fail: No luck.}]
      ---
      shortcut: later
      steps: [{enqueue: {name: failing, retry: 0}}]
      output: none

      """
    ])
    let run = try sandbox.run("later", "--now")
    #expect(
      run == ProgramRun(err: "errand: job 1 `failing`: No luck. [failed]\n", status: 1), "\(run)")
  }

  @Test func theSettingTurnsItOff() throws {
    let sandbox = try sandbox()
    #expect(
      try sandbox.run("settings", "set", "enrich", "off") == ProgramRun(err: "Set enrich to off.\n")
    )
    _ = try sandbox.run("save", "https://swift.org")
    #expect(try jobs(sandbox) == "")
    let wrong = try sandbox.run("settings", "set", "enrich", "maybe")
    #expect(wrong.status == 2)
    #expect(wrong.err.contains("`enrich`: “maybe” must be on or off"), "\(wrong)")
  }

  /// An address written by a file from elsewhere must not reach a server through a worker.
  @Test func aFileThatMayReachNoHostPutsNothingIn() throws {
    let sandbox = try sandbox(["a.yaml": "shortcut: a\nsteps: [{save: 'https://swift.org/?x=1'}]\n"]
    )
    sandbox.environment["ERRAND_ALLOW"] = nil
    let run = try sandbox.run("run", "a.yaml", "--quiet")
    #expect(run.status == 0, "\(run)")
    #expect(try jobs(sandbox) == "")
    _ = try sandbox.run("save", "https://swift.org/?x=1", "--quiet")
    #expect(try jobs(sandbox) == "enrich waiting network 1\n")
  }

  /// A missing or unfinished replacement does not prevent a link from being saved.
  @Test(arguments: [
    "shortcut: enrich\ninput: {type: 'list<Link>'}\nsteps: []\n",
    "shortcut: enrich\nparameters: {ids: {type: odd}}\nsteps: [{nothing: 1}]\n",
  ])
  func oneOfYourOwnThatTakesNoNumbersIsNotPutIn(_ own: String) throws {
    let sandbox = try sandbox([".config/errand/enrich.yaml": own])
    let run = try sandbox.run("save", "https://swift.org", "--now")
    #expect(run.status == 0, "\(run)")
    #expect(run.out == "https://swift.org\n")
    #expect(try jobs(sandbox) == "")
  }

  @Test func importsPutNothingIn() throws {
    let sandbox = try sandbox(["links.jsonl": "{\"url\": \"https://swift.org\"}\n"])
    _ = try sandbox.run("import", "links.jsonl")
    #expect(try jobs(sandbox) == "")
  }

  @Test func conditionSelectsLinks() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(200, ["Content-Type: text/html"], body: "<title>Page \(request.target)</title>")
    }
    let sandbox = try Sandbox()
    for path in ["/a", "/b", "/c"] { _ = try sandbox.run("save", server.url(path)) }
    let run = try sandbox.run(
      "enrich", "--where", "url.endsWith('b')", "--local", "127.0.0.1", "--pace", "1ms")
    #expect(run.status == 0 && run.err.hasSuffix("1 of 1 link ready.\n"), "\(run)")
    #expect(server.requests.map(\.target) == ["/b"])
    let none = try sandbox.run("enrich", "--where", "url == 'x'")
    #expect(none.err.contains("nothing found [not-found]"), "\(none)")
  }
}
