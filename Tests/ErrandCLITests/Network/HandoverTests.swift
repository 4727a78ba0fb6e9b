import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Re-execution of `errand` as `errand-net`.
@Suite struct HandoverTests {
  private func server() throws -> LoopbackServer {
    try LoopbackServer { request, peer in
      peer.reply(200, ["Content-Type: text/plain"], body: request.target)
    }
  }

  @Test func aDocumentFromAPipeGoesAlong() throws {
    let server = try server()
    let text = """
      shortcut: a
      input: {type: string, from: [argument]}
      steps:
        - http: '\(server.url("/"))x'
        - value: '{{ it }} {{ input }}'
      """
    // The rest of standard input is not part of the document, which was read to its end.
    #expect(
      try Sandbox().run(["run", "-", "word"], input: Array(text.utf8))
        == ProgramRun(out: "/x word\n"))
    let sandbox = try Sandbox(["a.yaml": text])
    #expect(try sandbox.shell("cat a.yaml | errand run /dev/stdin word").out == "/x word\n")
    // Standard input is still available.
    #expect(try sandbox.shell("echo piped | errand run a.yaml -").out == "/x piped\n")
  }

  @Test func callsAreFollowed() throws {
    let server = try server()
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: inner
      steps: [{http: '\(server.url("/inner"))'}]
      ---
      shortcut: outer
      steps: [{inner: }]
      ---
      shortcut: made
      input: {type: string, from: [argument]}
      steps: [{run: '{{ input }}'}]

      """
    ])
    #expect(try sandbox.run("outer").out == "/inner\n")
    #expect(try sandbox.run("made", "inner").out == "/inner\n")
  }

  @Test func nothingIsSaidTwice() throws {
    let server = try server()
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": "shortcut: a\nsteps: [{http: '\(server.url("/"))'}]\n",
      ".config/errand/wrong.yaml": "nothing: here\n",
      ".errand/a.yaml": "shortcut: b\nsteps: [{say: b}]\n",
    ])
    let run = try sandbox.run("a")
    #expect(run.out == "/\n")
    #expect(run.err.components(separatedBy: "is not trusted").count == 2, "\(run)")
    #expect(run.err.components(separatedBy: "[no-kind]").count == 2, "\(run)")
  }

  @Test func withoutItsOtherHalfItSaysSo() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{http: 'http://127.0.0.1:9/'}]\n"])
    _ = try sandbox.shell("mkdir alone && cp '\(Sandbox.products)/errand' alone/")
    let run = try sandbox.shell("alone/errand run a.yaml")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: `a` needs the network, but errand-net is not installed beside errand [network]
              help: install both: make && sudo make install

            """, status: 1))
  }

  @Test func anotherBuildIsRefused() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{say: Hi}]\n"])
    let net = Sandbox.products + "/errand-net"
    let run = try sandbox.shell("ERRAND_CONTINUES='0123456789abcdef -' '\(net)' run a.yaml")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: error: errand and errand-net are from different builds [failed]
              help: install both together: make && sudo make install

            """, status: 1))
    // On its own it is the same program.
    #expect(try sandbox.shell("'\(net)' run a.yaml") == ProgramRun(err: "Hi\n"))
  }

  /// Child processes do not inherit the handover.
  @Test func programsThatAreStartedKnowNothingOfIt() throws {
    let server = try server()
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - http: '\(server.url("/"))'
        - exec: {shell: 'env | grep -c ERRAND_CONTINUES; ls /proc/self/fd | wc -l', check: false}
        - value: '{{ it.stdout }}'

      """
    ])
    #expect(try sandbox.run("run", "a.yaml").out == "0\n4\n")
  }

  @Test func ctrlCEndsARequest() throws {
    let asked = Gate(count: 2)
    let server = try LoopbackServer { _, peer in
      asked.arrive()
      peer.waitForEnd()
    }
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - try: [{http: '\(server.url("/"))'}]
          finally: [{say: Tidied up.}]

      """
    ])
    let run = try sandbox.terminal("run", "a.yaml")
    asked.arrive()
    run.type("\u{3}")
    #expect(try run.finish() == 128 + SIGINT)
    #expect(run.text.contains("Tidied up."), "\(run.text)")
  }
}
