import ServerFixture
import Testing

/// `errand enrich` against a server that also does what servers do wrong.
@Suite struct EnrichTests {
  private func sandbox(_ server: LoopbackServer, _ paths: String...) throws -> Sandbox {
    let sandbox = try Sandbox()
    for path in paths { _ = try sandbox.run("save", server.url(path)) }
    return sandbox
  }

  private func enrich(_ sandbox: Sandbox, _ words: String...) throws -> Run {
    let words = ["enrich"] + words + ["--pace", "1ms", "--local", "127.0.0.1"]
    return try sandbox.run(words)
  }

  private func shown(_ sandbox: Sandbox, _ format: String) throws -> [String] {
    try sandbox.run("find", "links", "--sort", "createdAt", "--format", format).out
      .split(separator: "\n").map { String($0) }
  }

  @Test func pagesAreReadAndFound() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(
        200, ["Content-Type: text/html", "ETag: \"v1\""],
        body: "<title>The Lamp</title><meta name=author content='Ann Lee'>"
          + "<article><p>A keeper climbed ninety steps, every evening.</p></article>")
    }
    let sandbox = try sandbox(server, "/lamp")
    let run = try enrich(sandbox)
    #expect(run.status == 0, "\(run)")
    #expect(run.err.hasSuffix("1 of 1 link ready.\n"), "\(run)")
    #expect(
      try shown(
        sandbox, "{{ self }}|{{ self.title == null }}|{{ self.page.author }}|{{ self.status }}")
        == ["The Lamp|true|Ann Lee|ready"])
    #expect(
      try sandbox.run("get", "link:1", "--text").out
        == "A keeper climbed ninety steps, every evening.\n")
    #expect(try sandbox.run("search", "ninety steps").out == server.url("/lamp") + "\n")
    // Those that are ready are not asked again, unless they are named.
    #expect(try enrich(sandbox).err.hasSuffix("0 of 0 links ready.\n"))
    #expect(server.requests.count == 1)
  }

  @Test func whatIsKnownIsAskedForByItsMark() throws {
    let server = try LoopbackServer { request, peer in
      if request.headers["if-none-match"] == "\"v1\"" { return peer.reply(304) }
      peer.reply(200, ["Content-Type: text/html", "ETag: \"v1\""], body: "<title>Once</title>")
    }
    let sandbox = try sandbox(server, "/")
    _ = try enrich(sandbox)
    #expect(try enrich(sandbox, "link:1").err.hasSuffix("1 of 1 link ready.\n"))
    #expect(server.requests.count == 2)
    #expect(try shown(sandbox, "{{ self }} {{ self.status }}") == ["Once ready"])
  }

  @Test func failuresHaveAReasonAndKeepWhatWasKnown() throws {
    let isGone = Counter()
    let server = try LoopbackServer { request, peer in
      switch request.target {
      case "/goes" where isGone.next() > 0: peer.reply(410)
      case "/goes": peer.reply(200, ["Content-Type: text/html"], body: "<title>Was here</title>")
      case "/reset": peer.hangUp()
      case "/broken": peer.reply(500)
      default: peer.reply(200, ["Content-Type: text/plain"], body: "fine")
      }
    }
    let sandbox = try sandbox(server, "/goes", "/reset", "/broken", "/fine")
    let run = try enrich(sandbox)
    #expect(run.err.hasSuffix("2 of 4 links ready, 2 failed.\n"), "\(run)")
    #expect(
      try shown(sandbox, "{{ self.status }} {{ self.pageTitle }}") == [
        "ready Was here", "failed ", "failed ", "ready fine",
      ])
    #expect(try shown(sandbox, "{{ self.problem }}")[1].contains("500"))
    _ = try enrich(sandbox, "link:1", "link:4")
    #expect(
      try shown(sandbox, "{{ self.status }} {{ self.pageTitle }}")[0] == "failed Was here")
  }

  @Test func theNetworkAroundIsLeftAlone() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200, body: "<title>Inside</title>") }
    let sandbox = try sandbox(server, "/")
    let run = try sandbox.run("enrich")
    let message = "127.0.0.1 is a local address; allow it with --local 127.0.0.1"
    #expect(run.err.contains(message), "\(run)")
    #expect(server.requests.isEmpty)
  }

  @Test func aServerMaySayNoWhereThereAreMany() throws {
    let server = try LoopbackServer { request, peer in
      if request.target == "/robots.txt" {
        return peer.reply(
          200, ["Content-Type: text/plain"], body: "User-agent: *\nDisallow: /private/\n")
      }
      peer.reply(200, ["Content-Type: text/html"], body: "<title>\(request.target)</title>")
    }
    let sandbox = try Sandbox()
    for number in 0..<10 { _ = try sandbox.run("save", server.url("/\(number)")) }
    _ = try sandbox.run("save", server.url("/private/1"))
    let run = try enrich(sandbox)
    #expect(run.err.hasSuffix("10 of 11 links ready, 1 failed.\n"), "\(run)")
    #expect(!server.requests.contains { $0.target == "/private/1" })
    #expect(server.requests.filter { $0.target == "/robots.txt" }.count == 1)
    // A person who names one is no robot.
    #expect(try enrich(sandbox, "link:11").err.hasSuffix("1 of 1 link ready.\n"))
  }

  @Test func duplicatesAreMadeOne() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(
        200, ["Content-Type: text/html"], body: "<title>One</title><link rel=canonical href=/one>")
    }
    let sandbox = try sandbox(server, "/one?from=a", "/one?from=b")
    _ = try sandbox.run("update", "link:2", "title=Mine", "--add", "tags=kept")
    _ = try enrich(sandbox)
    #expect(try sandbox.run("duplicates").err.contains("1 page has several links"))
    let run = try sandbox.run("duplicates", "--merge", "--yes")
    #expect(run.status == 0, "\(run)")
    #expect(
      try shown(sandbox, "{{ self.url }} {{ self }} {{ self.tags }} {{ self.merged[0].title }}")
        == ["\(server.url("/one?from=a")) Mine kept Mine"])
    _ = try sandbox.run("undo")
    #expect(try shown(sandbox, "{{ self.url }}").count == 2)
  }
}
