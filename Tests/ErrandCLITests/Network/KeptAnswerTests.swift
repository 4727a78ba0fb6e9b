import FoundationEssentials
import Glibc
import ServerFixture
import Synchronization
import Testing

/// Answers that outlive the process that asked for them.
@Suite struct KeptAnswerTests {
  /// Runs `errand`, which the server may kill while it is asked for `/kill`.
  private func run(
    _ sandbox: Sandbox, _ words: [String], _ victim: Victim
  ) throws -> Int32 {
    let child = try sandbox.start(words)
    victim.begins(as: child.id)
    return try child.wait()
  }

  /// A sandbox with a shortcut that keeps an answer, may be killed, and saves a link called so.
  private func sandbox(
    _ server: LoopbackServer, parameters: String = "{}", headers: String = "{}"
  ) throws -> Sandbox {
    try Sandbox([
      ".config/errand/fetch-one.yaml": """
      shortcut: fetch-one
      parameters: \(parameters)
      steps:
        - http: {url: '\(server.url("/page"))', headers: \(headers), keep: true}
          as: page
        - http: '\(server.url("/kill"))'
        - create: {entity: Link, set: {url: 'https://a.example', title: '{{ page }}'}}

      """
    ])
  }

  private func kept(_ sandbox: Sandbox) -> [String] {
    let state = sandbox.path + "/.local/state/errand/fetched"
    return (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
  }

  @Test(arguments: [true, false])
  func whatCameWholeIsNotAskedForAgain(_ keeps: Bool) throws {
    let victim = Victim()
    let server = try victim.server { request, peer in
      peer.reply(
        request.target == "/gone" ? 404 : 200,
        ["Content-Type: text/plain", "X-Empty:", "ETag: \"a b\""], body: request.target)
    }
    let steps = """
      shortcut: fetch-one
      steps:
        - http: {url: '\(server.url("/page"))', full: true, keep: \(keeps)}
          as: page
        - http: {url: '\(server.url("/gone"))', full: true, check: false, keep: \(keeps)}
          as: gone
        - http: '\(server.url("/kill"))'
        - create:
            entity: Link
            set: {url: '{{ page.url }}', title: '{{ page.body }} {{ page.headers.etag }} {{ gone.status }}'}

      """
    let sandbox = try Sandbox([".config/errand/fetch-one.yaml": steps])
    #expect(try run(sandbox, ["fetch-one"], victim) == 128 + SIGKILL)
    #expect(kept(sandbox).count == (keeps ? 2 : 0))
    #expect(try run(sandbox, ["fetch-one"], victim) == 0, "\(sandbox.read("err") ?? "")")
    let asked = keeps ? 1 : 2
    #expect(server.requests.count { $0.target == "/page" } == asked)
    #expect(server.requests.count { $0.target == "/gone" } == asked)
    #expect(
      try sandbox.run("get", "link:1", "--format", "{{ self.title }}").out == "/page \"a b\" 404\n")
    // What is over keeps nothing: the next one asks.
    #expect(kept(sandbox).isEmpty)
    _ = try run(sandbox, ["fetch-one"], victim)
    #expect(server.requests.count { $0.target == "/page" } == asked + 1)
  }

  @Test func anotherRequestIsAnother() throws {
    let victim = Victim()
    let server = try victim.server { request, peer in
      peer.reply(200, ["Content-Type: text/plain"], body: request.headers["x-who"] ?? "")
    }
    let sandbox = try sandbox(
      server, parameters: "{who: {type: string}}", headers: "{X-Who: '{{ who }}'}")
    _ = try run(sandbox, ["fetch-one", "--who", "ann"], victim)
    #expect(try run(sandbox, ["fetch-one", "--who", "bob"], victim) == 0)
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self.title }}").out == "bob\n")
    #expect(server.requests.count { $0.target == "/page" } == 2)
  }

  @Test func whoAsksAgainIsAnswered() throws {
    let asked = Counter()
    let server = try LoopbackServer { _, peer in
      if asked.next() == 0 { return peer.reply(503) }
      peer.reply(200, ["Content-Type: text/plain"], body: "now")
    }
    let sandbox = try Sandbox([
      ".config/errand/fetch-one.yaml": """
      shortcut: fetch-one
      steps:
        - http: {url: '\(server.url("/page"))', keep: true}
          retry: {times: 2, delay: 1ms}

      """
    ])
    #expect(try sandbox.run("fetch-one") == Run(out: "now\n"))
    #expect(server.requests.count == 2)
    #expect(kept(sandbox).isEmpty)
  }

  /// A file that is cut off, as a power cut may leave it, is no answer.
  @Test func halfAnAnswerIsNone() throws {
    let victim = Victim()
    let server = try victim.server { _, peer in
      peer.reply(200, ["Content-Type: text/plain"], body: "whole")
    }
    let sandbox = try sandbox(server)
    _ = try run(sandbox, ["fetch-one"], victim)
    let name = try #require(kept(sandbox).first)
    let path = sandbox.path + "/.local/state/errand/fetched/" + name
    #expect(truncate(path, 30) == 0)
    #expect(try run(sandbox, ["fetch-one"], victim) == 0)
    #expect(try sandbox.run("get", "link:1", "--format", "{{ self.title }}").out == "whole\n")
    #expect(server.requests.count { $0.target == "/page" } == 2)
  }
}

/// A process that a server may kill, once it is known.
private final class Victim: Sendable {
  private let id = Mutex<pid_t>(0)

  /// A server that kills it when it asks for `/kill` the first time, and answers all else.
  func server(
    _ answer: @escaping @Sendable (LoopbackServer.Request, Peer) -> Void
  ) throws -> LoopbackServer {
    let isKilled = Mutex(false)
    return try LoopbackServer { [self] request, peer in
      if request.target == "/kill", !isKilled.withLock({ $0 }) {
        isKilled.withLock { $0 = true }
        kill()
        return peer.waitForEnd()
      }
      answer(request, peer)
    }
  }

  func begins(as id: pid_t) { self.id.withLock { $0 = id } }

  func kill() {
    while id.withLock({ $0 }) == 0 { usleep(1_000) }
    Glibc.kill(id.withLock { $0 }, SIGKILL)
  }
}
