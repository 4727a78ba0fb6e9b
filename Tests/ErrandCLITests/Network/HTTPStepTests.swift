import TestSupport
import Testing

/// The verb `http`, from a document to the server and back.
@Suite struct HTTPStepTests {
  /// Creates a sandbox with a shortcut of these steps; `$` is replaced by the server's address.
  private func sandbox(_ server: LoopbackServer, _ steps: String) throws -> Sandbox {
    let text = steps.replacing("$", with: server.url(""))
    return try Sandbox(["a.yaml": "shortcut: a\nsteps:\n" + text + "\n"])
  }

  private func run(_ server: LoopbackServer, _ steps: String) throws -> ProgramRun {
    try sandbox(server, steps).run("run", "a.yaml", "--json")
  }

  @Test func jsonBecomesValues() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(json: #"{"items": [{"id": 1}, {"id": 2}]}"#)
    }
    #expect(
      try run(server, "  - http: $/x\n  - value: '{{ it.items.map(i, i.id) }}'")
        == ProgramRun(out: "[1,2]\n"))
  }

  @Test(arguments: [
    ("text/plain", "caf\u{e9}", "\"café\"\n"), ("application/json", "", "null\n"),
    ("application/vnd.api+json; charset=utf-8", "[1]", "[1]\n"), ("text/html", "[1]", "\"[1]\"\n"),
    ("image/png", "ab", "\"YWI=\"\n"),
  ])
  func bodiesAreWhatTheServerSays(_ type: String, _ body: String, _ value: String) throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(200, ["Content-Type: \(type)"], body: body)
    }
    #expect(try run(server, "  - http: $/") == ProgramRun(out: value))
  }

  @Test func partsOfARequestArrive() throws {
    let server = try LoopbackServer { _, peer in peer.reply(204) }
    let steps = """
        - http:
            url: '$/a?x=1#f'
            query: {q: 'a b&c', tags: [one, two], none: null}
            headers: {X-Test: '{{ 1 + 1 }}'}
            auth: {basic: {user: ada, password: pw}}
            json: {name: '{{ "Ada" }}', n: 3, list: [true, null]}
        - http: {url: '$/b', form: {a: '1 2', b: [x, y]}, auth: {bearer: T}}
        - http: {url: '$/c', method: PUT, body: 'text ü'}
        - http: {url: '$/d', multipart: {note: hi, photo: {file: a.yaml, type: text/plain}}}
        - http: {url: '$/e', file: a.yaml, method: patch}
        - http: {url: '$/f', method: DELETE}
      """
    let run = try run(server, steps)
    #expect(run.status == 0, "\(run)")
    let got = server.requests
    #expect(got.map(\.method) == ["POST", "POST", "PUT", "POST", "PATCH", "DELETE"])
    #expect(got[0].target == "/a?x=1&q=a%20b%26c&tags=one&tags=two")
    #expect(got[0].body == #"{"name":"Ada","n":3,"list":[true,null]}"#)
    #expect(got[0].headers["x-test"] == "2")
    #expect(got[0].headers["authorization"] == "Basic YWRhOnB3")
    #expect(got[0].headers["content-type"] == "application/json")
    #expect(got[1].body == "a=1%202&b=x&b=y")
    #expect(got[1].headers["authorization"] == "Bearer T")
    #expect(got[2].body == "text ü")
    #expect(got[3].body.contains("filename=\"a.yaml\""))
    #expect(got[4].body.hasPrefix("shortcut: a\n"))
    #expect(got[4].headers["content-type"] == "application/yaml")
    #expect(Set(got.map(\.connection)) == [1])
  }

  @Test func allOfAnAnswerIsThereWhenAskedFor() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(
        request.target == "/" ? 404 : 200,
        [
          #"Link: </p?page=2>; rel="next last", <https://a.example/>; rel=home"#, "X-A: 1",
          "Content-Type: text/plain",
        ], body: "b")
    }
    let steps = """
        - http: {url: $/, check: false}
          as: a
        - http: {url: $/x, full: true}
          as: b
        - http: {url: $/, check: [404]}
          as: c
        - value: '{{ [a.status, a.body, a.links.next, a.links.last, a.links.home, a.headers["x-a"], b.status, b.url, c] }}'
      """
    let base = server.url("")
    #expect(
      try run(server, steps)
        == ProgramRun(
          out: """
            [404,"b","\(base)/p?page=2","\(base)/p?page=2","https://a.example/","1",200,"\(base)/x","b"]

            """))
  }

  @Test func errorStatusFails() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(404, ["Content-Type: text/plain", "Retry-After: 7"], body: "nothing")
    }
    let sandbox = try self.sandbox(server, "  - http: {url: '$/a?key=1', method: PUT}")
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.status == 1)
    #expect(
      run.err.hasPrefix(
        "a.yaml:3:5: error: PUT \(server.url("/a")) returned 404 Not Found (in http) [http]\n"),
      "\(run)")
    let caught = """
        - try: [{http: $/a}]
          catch:
            - on: http
              as: problem
              do:
                - value: '{{ [problem.data.status, problem.data.body, problem.data.retryAfter, problem.data.url, problem.data.headers["content-type"]] }}'
      """
    #expect(
      try self.run(server, caught)
        == ProgramRun(out: "[404,\"nothing\",\"7s\",\"\(server.url("/a"))\",\"text/plain\"]\n"))
  }

  @Test func retryWaitsAsTheServerSays() throws {
    let flaky = try LoopbackServer.flaky([(429, "Retry-After: 0"), (503, nil), (200, nil)])
    let steps = "  - http: $/\n    retry: {times: 3, delay: 1ms}"
    let run = try run(flaky, steps)
    #expect(run.status == 0, "\(run)")
    #expect(flaky.requests.count == 3)
  }

  @Test func aWaitThatIsTooLongIsNone() throws {
    let server = try LoopbackServer { _, peer in peer.reply(503, ["Retry-After: 3600"]) }
    let steps = """
        - try:
            - http: $/
              retry: {times: 3, delay: 1ms, max: 1m}
          catch: [{do: [{value: '{{ error.data.retryAfter }}'}]}]
      """
    #expect(try run(server, steps) == ProgramRun(out: "\"3600s\"\n"))
    #expect(server.requests.count == 1)
  }

  @Test func retryComesBeforeCheck() throws {
    let flaky = try LoopbackServer.flaky([(503, nil), (503, nil), (200, nil)])
    let steps = """
        - http: {url: $/, check: false}
          retry: {times: 1, delay: 1ms}
          as: first
        - value: '{{ first.status }}'
      """
    #expect(try run(flaky, steps) == ProgramRun(out: "503\n"))
    #expect(flaky.requests.count == 2)
  }

  @Test func unsafeRequestsAreNotRetriedByDefault() throws {
    for (steps, count) in [
      ("  - http: {url: $/, json: 1}\n    retry: {times: 2, delay: 1ms}", 1),
      ("  - http: {url: $/, json: 1}\n    retry: {times: 2, delay: 1ms, on: http}", 3),
      ("  - http: {url: $/, method: PUT, json: 1}\n    retry: {times: 2, delay: 1ms}", 3),
    ] {
      let server = try LoopbackServer { _, peer in peer.reply(500) }
      #expect(try run(server, steps).status == 1)
      #expect(server.requests.count == count, "\(steps)")
    }
  }

  @Test func silentServerTimesOut() throws {
    let server = try LoopbackServer { _, peer in peer.waitForEnd() }
    let sandbox = try self.sandbox(server, "  - http: $/\n    timeout: 50ms")
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.status == 124, "\(run)")
    #expect(run.err.contains("`http` timed out after 0.05s"), "\(run)")
  }

  /// All branches wait at once: the server answers only after the last request.
  @Test func branchesOverlap() throws {
    let gate = Gate(count: 4)
    let server = try LoopbackServer { request, peer in
      gate.arrive()
      peer.reply(200, body: request.target)
    }
    let steps = """
        - for: n
          in: '{{ [1, 2, 3, 4] }}'
          parallel: 4
          do: [{http: '$/{{ n }}'}]
      """
    #expect(try run(server, steps) == ProgramRun(out: "[\"/1\",\"/2\",\"/3\",\"/4\"]\n"))
  }

  @Test func invalidRequestsAreReported() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    for (steps, message) in [
      ("  - http: {url: $/, json: 1, body: x}", "`http` takes only one of"),
      ("  - http: {url: $/, headers: {X: \"a\\nB: c\"}}", "the header `X` contains a line break"),
      ("  - http: {url: $/, headers: {'a b': c}}", "“a b” is not an HTTP token"),
      ("  - http: {url: $/, auth: {token: x}}", "`auth` must be {bearer: TOKEN}"),
      ("  - http: {url: $/, maxSize: many}", "`maxSize`: many is not a number of bytes"),
      ("  - http: {url: $/, redirects: 99}", "`redirects` must be from 0 to 50, not 99"),
      ("  - http: 'file:///etc/passwd'", "is not a URL of the web: it must begin with http"),
      ("  - http: 'https://c.example)'", "is not a URL of the web: its host is malformed"),
      ("  - http: 'localhost:8765/x'", "“localhost:8765/x” lacks http://"),
      ("  - http: 'localhost:8765/x'", "write `http: http://localhost:8765/x`"),
      ("  - http: example.com", "write `http: https://example.com`"),
      ("  - http: {url: $/, method: 'GET /x HTTP/1.1'}", "is not an HTTP token"),
    ] {
      let run = try sandbox(server, steps).run("run", "a.yaml")
      #expect(run.status == 1 || run.status == 2, "\(run)")
      #expect(run.err.contains(message), "\(run)")
    }
    #expect(server.requests.isEmpty)
  }

  private static let mixed = """
      - http: $/list
      - for: n
        in: '{{ it }}'
        do:
          - http: {url: '$/look/{{ n }}', method: head, full: true}
          - http: {url: '$/send/{{ n }}', json: {a: 1}}
          - http: {url: '$/keep/{{ n }}', save: 'out/{{ n }}', parents: true}
      - http: {url: $/gone, method: DELETE}
    """

  @Test func dryRunMakesReadOnlyRequestsOnRequest() throws {
    let server = try LoopbackServer { request, peer in
      if request.target == "/list" { peer.reply(json: "[1, 2]") } else { peer.reply(204) }
    }
    let sandbox = try self.sandbox(server, Self.mixed)
    let without = try sandbox.run("run", "a.yaml", "--dry-run")
    #expect(server.requests.isEmpty)
    #expect(without.err.hasPrefix("would http  url: "), "\(without)")
    #expect(
      without.err.contains("; --allow-requests makes read-only requests\n"), "\(without)")
    let run = try sandbox.run("run", "a.yaml", "--dry-run", "--allow-requests")
    #expect(run.status == 0, "\(run)")
    #expect(
      server.requests.map { "\($0.method) \($0.target)" } == [
        "GET /list", "HEAD /look/1", "HEAD /look/2",
      ])
    #expect(
      run.err.split(separator: "\n").filter { $0.hasPrefix("would http") }.count == 5, "\(run)")
    #expect(sandbox.read("out/1") == nil)
  }

  /// A computed address must be allowed.
  @Test func aRequestOfADryRunIsAskedAbout() throws {
    let server = try LoopbackServer { _, peer in peer.reply(204) }
    let sandbox = try self.sandbox(server, "  - http: $/")
    sandbox.environment["ERRAND_ALLOW"] = nil
    #expect(try sandbox.run("run", "a.yaml", "--dry-run").status == 0)
    let words = ["run", "a.yaml", "--dry-run", "--allow-requests"]
    let refused = try sandbox.run(words)
    #expect(refused.err.contains("a.yaml is not allowed to reach 127.0.0.1"), "\(refused)")
    #expect(server.requests.isEmpty)
    #expect(try sandbox.run(words + ["--allow", "http:127.0.0.1"]).status == 0)
    #expect(server.requests.count == 1)
    #expect(try sandbox.run("run", "a.yaml", "--allow-requests").status == 2)
  }
}

extension LoopbackServer {
  /// Starts a server that answers with these statuses in order, then repeats the last.
  static func flaky(_ answers: [(status: Int, header: String?)]) throws -> LoopbackServer {
    let position = Counter()
    return try LoopbackServer { _, peer in
      let answer = answers[min(position.next(), answers.count - 1)]
      peer.reply(answer.status, answer.header.map { [$0] } ?? [], body: "x")
    }
  }

  // MARK: Dry runs
}
