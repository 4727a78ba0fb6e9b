import TestSupport
import Testing

/// `errand enrich` against a server that also misbehaves.
@Suite struct EnrichTests {
  private func sandbox(_ server: LoopbackServer, _ paths: String...) throws -> Sandbox {
    let sandbox = try Sandbox()
    for path in paths { _ = try sandbox.run("save", server.url(path)) }
    return sandbox
  }

  private func enrich(_ sandbox: Sandbox, _ words: String...) throws -> ProgramRun {
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
    // Links that are ready are not fetched again unless they are named.
    #expect(try enrich(sandbox).err == "No links to fetch.\n")
    #expect(server.requests.count == 1)
  }

  @Test func enrichSendsConditionalRequests() throws {
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
    #expect(run.status == 1)
    #expect(
      run.err.hasSuffix("errand: error: 2 of 4 links could not be fetched [failed]\n"), "\(run)")
    let format = "{{ self.status }} {{ self.pageState }} {{ self.pageTitle }}"
    #expect(
      try shown(sandbox, format) == [
        "ready ok Was here", "ready unreachable ", "ready unreachable ", "ready ok fine",
      ])
    #expect(try shown(sandbox, "{{ self.problem }}").filter { $0.contains("500") }.count == 1)
    let again = try enrich(sandbox, "link:1", "link:4")
    #expect(
      again.status == 1 && again.err.contains("1 of 2 links could not be fetched"), "\(again)")
    #expect(try shown(sandbox, format)[0] == "ready gone Was here")
  }

  /// A link that a person saved stays in lists, with a mark, and can be searched for.
  @Test func missingPagesKeepTheirLinks() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(request.target == "/gone" ? 404 : 403)
    }
    let sandbox = try sandbox(server, "/gone", "/refused")
    _ = try sandbox.run("update", "link:1", "title=Old page", "favourite=true", "reading=unread")
    _ = try sandbox.run("update", "link:1", "--add", "tags=tea")
    #expect(try enrich(sandbox).status == 1)
    #expect(try sandbox.run("recent", "-q", "--format", "{{ self.ref }}").out == "link:2\nlink:1\n")
    let terminal = try sandbox.terminal("search", "old")
    #expect(try terminal.finish() == 0)
    #expect(
      terminal.text.contains(
        "link:1  Old page  gone · 127.0.0.1 · just now · favourite · unread · #tea\n"),
      "\(terminal.text)")
    let words = ["-q", "--format", "{{ self.ref }}"]
    #expect(try sandbox.run(["search", "pageState:refused"] + words).out == "link:2\n")
    #expect(
      try sandbox.run(["find", "links", "--where", "pageState == 'gone'"] + words).out
        == "link:1\n")
    // `--failed` retries them.
    #expect(
      try enrich(sandbox).err
        == "No links to fetch; --failed tries again those that could not be fetched.\n")
    #expect(try enrich(sandbox, "--failed").err.contains("2 of 2 links could not be fetched"))
  }

  @Test func busyServerIsRetriedAutomatically() throws {
    let server = try LoopbackServer { request, peer in
      switch request.target {
      case "/later": peer.reply(429, ["Retry-After: 7200"])
      case "/down": peer.reply(503)
      default: peer.reply(404)
      }
    }
    let sandbox = try sandbox(server, "/later", "/down", "/gone")
    sandbox.environment["ERRAND_ENRICH"] = "on"
    #expect(try enrich(sandbox).status == 1)
    // The job is enqueued a moment after its time was computed.
    let waits =
      "{{ self.key }} {{ self.state }} {{ (self.due - self.created + seconds(30)).getMinutes() }}"
    let jobs = try sandbox.run("queue", "--format", waits).out.split(separator: "\n")
    // One job for the server, after the longest time that it asked for.
    #expect(jobs == ["again 127.0.0.1 waiting 120"])
    // It is queued once, however often it is retried by hand.
    _ = try enrich(sandbox, "--failed")
    #expect(try sandbox.run("queue", "--format", waits).out.split(separator: "\n") == jobs)
  }

  @Test func jobIsRetriedALimitedNumberOfTimes() throws {
    let server = try LoopbackServer { _, peer in peer.reply(503) }
    let sandbox = try sandbox(server, "/down")
    sandbox.environment["ERRAND_ENRICH"] = "on"
    for attempt in 0...3 {
      let run = try enrich(sandbox, "--ids", "1", "--attempt", "\(attempt)")
      #expect(run.status == 1, "\(run)")
    }
    #expect(server.requests.count == 4)
    let jobs = try sandbox.run("queue", "--format", "{{ self.key }} {{ self.state }}").out
    #expect(jobs == "again 127.0.0.1 waiting\n")
  }

  @Test func saveTellsThatThePageIsGone() throws {
    let sandbox = try Sandbox([
      ".config/errand/enrich.yaml": """
      shortcut: enrich
      parameters: {ids: {type: 'list<int>'}}
      steps: [{fail: {message: 1 link could not be fetched, data: {settled: true}}}]

      """
    ])
    let run = try sandbox.run("save", "https://swift.org", "--now")
    #expect(
      run
        == ProgramRun(
          out: "https://swift.org\n",
          err: """
            Saved https://swift.org in your library.
            errand: job 1 `enrich`: 1 link could not be fetched [failed]

            """, status: 1), "\(run)")
    // There is nothing left to do.
    #expect(
      try sandbox.run("queue", "--format", "{{ self.state }}: {{ self.error }}").out
        == "done: 1 link could not be fetched [failed]\n")
  }

  /// Work left unfinished by a run is continued by the next one.
  @Test func aRunThatFailsAsAWholeLeavesNoLinkHalfDone() throws {
    let server = try LoopbackServer { request, peer in
      if request.target == "/huge" {
        let words = String(repeating: "<p>All the words of a page. ", count: 20_000)
        return peer.reply(200, ["Content-Type: text/html"], body: words)
      }
      peer.reply(200, ["Content-Type: text/plain"], body: "fine")
    }
    let sandbox = try sandbox(server, "/huge")
    sandbox.environment["ERRAND_ENRICH"] = "on"
    let run = try enrich(sandbox, "--max-steps", "2000")
    #expect(run.status == 1 && run.err.contains("more than 2,000 steps"), "\(run)")
    #expect(
      try shown(sandbox, "{{ self.status }} {{ self.pageState }} {{ self.problem }}")[0]
        .hasPrefix("queued unreachable the run took more than 2,000 steps"))
    #expect(try sandbox.run("queue", "--format", "{{ self.state }}").out == "waiting\n")
    #expect(try enrich(sandbox).err.hasSuffix("1 of 1 link ready.\n"))
    #expect(try shown(sandbox, "{{ self.status }} {{ self.pageState }}") == ["ready ok"])
  }

  @Test func theNetworkAroundIsLeftAlone() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200, body: "<title>Inside</title>") }
    let sandbox = try sandbox(server, "/")
    let run = try sandbox.run("enrich")
    let message = "127.0.0.1 is a local address; allow it with --local 127.0.0.1"
    #expect(run.err.contains(message), "\(run)")
    #expect(server.requests.isEmpty)
  }

  @Test func robotsAreObeyedForManyLinks() throws {
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
    #expect(run.err.contains("error: 1 of 11 links could not be fetched"), "\(run)")
    #expect(!server.requests.contains { $0.target == "/private/1" })
    #expect(server.requests.filter { $0.target == "/robots.txt" }.count == 1)
    // A link named by a person ignores robots.txt.
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
