import TestSupport
import Testing

/// The shipped shortcuts that use the network, with a test server.
@Suite struct NetworkShortcutTests {
  @Test func theBriefingTellsAllAtOnce() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(
        json: """
          {"daily": {"temperature_2m_min": [3.5], "temperature_2m_max": [9], "precipitation_probability_max": [40]}}
          """)
    }
    let sandbox = try Sandbox()
    _ = try sandbox.run("add-task", "Water the plants", "--due", "today")
    _ = try sandbox.run("add-task", "Later", "--due", "+7d")
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    _ = try sandbox.run("unread", "swift")
    _ = try sandbox.run("save", "https://read.example", "--title", "Known")
    let run = try sandbox.run("morning-briefing", "--service", server.url("/forecast"))
    #expect(run.status == 0, "\(run)")
    #expect(run.err.contains("Weather: 3.5 to 9 °C, rain 40 %\n"), "\(run)")
    #expect(run.err.contains("Due today:\n"))
    #expect(run.err.contains("Water the plants"))
    #expect(!run.err.contains("Later"))
    #expect(run.err.contains("To read:\n"))
    #expect(run.err.contains("Swift") && !run.err.contains("Known"))
    let asked = try #require(server.requests.first?.target)
    #expect(asked.hasPrefix("/forecast?latitude=52.52&longitude=13.41&daily=temperature_2m_min"))
  }

  @Test func theBriefingDoesWithoutTheWeather() throws {
    let server = try LoopbackServer { _, peer in peer.reply(500) }
    let run = try Sandbox().run("morning-briefing", "--service", server.url("/"))
    #expect(run.status == 0, "\(run)")
    #expect(run.err.contains("Weather: unavailable ("), "\(run)")
    #expect(run.err.contains("Nothing is due.\n"))
    #expect(run.err.hasSuffix("Nothing to read.\n"), "\(run)")
    #expect(server.requests.count == 2)
  }

  @Test func deadLinksAreFound() throws {
    let server = try LoopbackServer { request, peer in
      switch (request.method, request.target) {
      case (_, "/gone"): peer.send("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")
      case ("HEAD", "/no-head"): peer.send("HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n")
      case (_, "/secret"): peer.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
      case (_, "/reset"): peer.hangUp()
      default: peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let sandbox = try Sandbox()
    for path in ["/fine", "/gone", "/no-head", "/secret", "/reset"] {
      _ = try sandbox.run("save", server.url(path))
    }
    let run = try sandbox.run("check-links", "--pace", "1ms", "--tag", "dead")
    #expect(run.status == 0, "\(run)")
    #expect(run.err.contains("status 410"), "\(run)")
    #expect(
      run.err.contains("127.0.0.1: the server closed the connection without a reply"), "\(run)")
    #expect(run.err.hasSuffix("Checked 5 links, 2 gone.\n"), "\(run)")
    let dead = try sandbox.run(
      "find", "links", "--where", "'dead' in tags", "--format", "{{ self.url }}")
    #expect(
      Set(dead.out.split(separator: "\n").map(String.init))
        == [server.url("/gone"), server.url("/reset")])
  }

  /// One request at a time reaches the same server.
  @Test func oneServerIsAskedOneAfterTheOther() throws {
    let busy = Counter()
    let server = try LoopbackServer { _, peer in
      #expect(busy.next() == 0)
      busy.reset()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let sandbox = try Sandbox()
    for path in 0..<6 { _ = try sandbox.run("save", server.url("/\(path)")) }
    #expect(try sandbox.run("check-links", "--pace", "1ms").status == 0)
    #expect(server.requests.count == 6)
  }

  @Test func pagesAreFollowedAndLimitsKept() throws {
    let attempts = Counter()
    let server = try LoopbackServer { request, peer in
      func page(_ names: [String], _ next: String?) {
        let items = names.map { name in
          "{\"html_url\": \"https://github.example/\(name)\", \"full_name\": \"\(name)\", \"description\": null}"
        }
        peer.reply(
          json: "[\(items.joined(separator: ","))]",
          next.map { ["Link: <\($0)>; rel=\"next\", </x>; rel=\"last\""] } ?? [])
      }
      switch request.target {
      case "/users/ada%20l/starred?per_page=100": page(["a/one", "a/two"], "/page/2")
      case "/page/2":
        // The rate limit is reached once.
        if attempts.next() == 0 { return peer.reply(429, ["Retry-After: 0"]) }
        page(["b/three"], nil)
      default: peer.reply(404)
      }
    }
    let sandbox = try Sandbox()
    for _ in 0..<2 {
      let run = try sandbox.run("sync-stars", "ada l", "--service", server.url(""))
      #expect(run.status == 0, "\(run)")
      #expect(run.err == "3 starred repositories of ada l are in your library.\n", "\(run)")
    }
    #expect(try sandbox.run("find", "links", "--count").out == "3\n")
    #expect(server.requests.count == 5)
  }

  @Test func aModelSumsUpAPage() throws {
    let server = try LoopbackServer { request, peer in
      if request.target == "/page" {
        return peer.reply(
          200, ["Content-Type: text/html"],
          body:
            "<html><script>x()</script><p>A <b>long</b> read: {{ 1 + 1 }}, \"quoted\".</p></html>")
      }
      peer.reply(json: #"{"choices": [{"message": {"content": " Short. "}}]}"#)
    }
    let sandbox = try Sandbox()
    let missing = try sandbox.run("summarize", server.url("/page"), "--service", server.url("/v1"))
    #expect(
      missing.status == 1 && missing.err.contains("there is no secret “LLM_API_KEY”"), "\(missing)")
    _ = try sandbox.run("secret", "set", "LLM_API_KEY", "-", input: "key-for-models")
    let run = try sandbox.run("summarize", server.url("/page"), "--service", server.url("/v1"))
    #expect(run == ProgramRun(out: "Short.\n"), "\(run)")
    let asked = try #require(server.requests.last)
    #expect(asked.headers["authorization"] == "Bearer key-for-models")
    #expect(asked.body.contains(#"A long read: {{ 1 + 1 }}, \"quoted\"."#), "\(asked.body)")
    #expect(!asked.body.contains("x()"))
    #expect(
      try sandbox.run("find", "links", "--format", "{{ self.summary }}").out == "Short.\n")
  }
}
