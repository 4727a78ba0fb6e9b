import TestSupport
import Testing

/// Attacks on the built program, while others are served.
@Suite struct AttackTests {
  private static let definitions = "shortcut: hello\nsteps: [{say: Hello}]"

  private func head(_ home: ServedHome, _ line: String, _ headers: String...) -> String {
    ([line, "Host: 127.0.0.1:\(home.port)", "Authorization: Bearer \(home.token)"] + headers)
      .map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// Whether another client is served.
  private func serves(_ home: ServedHome) throws -> Bool {
    try home.request("GET", "/items/Link").status == 200
  }

  @Test func smuggledRequestsAreNotAnswered() throws {
    let home = try ServedHome()
    let hidden = "GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:\(home.port)\r\n\r\n"
    let attacks = [
      head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length: 4", "Transfer-Encoding: chunked")
        + "0\r\n\r\n" + hidden,
      head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length: 0", "Content-Length: 60")
        + hidden,
      head(home, "GET /api/v1/health HTTP/1.1", "Content-Length: 60") + hidden,
      head(home, "POST /api/v1/shares HTTP/1.1", "Transfer-Encoding: x, chunked") + hidden,
      head(home, "POST /api/v1/nothing HTTP/1.1", "Content-Length: 60") + hidden,
      head(home, "POST /mcp HTTP/1.1", "Content-Length: 4", "Transfer-Encoding: chunked")
        + "0\r\n\r\n" + hidden,
      head(home, "DELETE /mcp HTTP/1.1", "Content-Length: 0", "Content-Length: 60") + hidden,
      head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length : 60") + hidden,
      head(home, "POST /api/v1/shares HTTP/1.1", "Transfer-Encoding : chunked") + hidden,
      head(home, "POST /api/v1/shares HTTP/1.0", "Transfer-Encoding: chunked") + "0\r\n\r\n"
        + hidden,
      head(home, "GET /api/v1/items/Link HTTP/1.1", "X: a\u{0}b", "Connection: close"),
      head(home, "GET /api/v1/items/Link HTTP/1.1", "Connection: close\u{0}b"),
      head(home, "GET /api/v1/items/Link HTTP/1.1", "X: \u{0}", "Connection: close"),
      head(home, "GET /api/v1/items/Link HTTP/1.1", "Connection: close", "X: a\u{0}"),
      head(home, "GET /api/v1/items/Link\u{0}b HTTP/1.1", "Connection: close"),
      head(home, "GET /api/v1/items/Link?q=a\u{0}b HTTP/1.1", "Connection: close"),
      head(home, "GET\u{0}b /api/v1/items/Link HTTP/1.1", "Connection: close"),
      head(home, "GET  /api/v1/items/Link HTTP/1.1", "Connection: close"),
      head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length: 60\u{0}") + hidden,
    ]
    for attack in attacks {
      let wire = try home.connect()
      wire.send(attack)
      let text = wire.read()
      #expect(!text.contains("200 OK") && !text.contains("\"ok\""), "\(text)")
    }
    #expect(try serves(home))
  }

  /// libmicrohttpd 0.9 accepts LF for CRLF in chunk lines, and strips them from the body: such a
  /// body is decoded as chunks or refused, never taken for a second request.
  @Test func linesOfChunksHideNoRequest() throws {
    let home = try ServedHome()
    let hidden = "GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:\(home.port)\r\n\r\n"
    let size = String(hidden.utf8.count, radix: 16)
    for body in ["\(size)\n\(hidden)\n0\n\n", "\(size);x\n\(hidden)\n0\n\n"] {
      let wire = try home.connect()
      wire.send(
        head(
          home, "POST /api/v1/shares HTTP/1.1", "Content-Type: text/plain", "Connection: close",
          "Transfer-Encoding: chunked") + body)
      let text = wire.read()
      #expect(!text.contains("\"ok\"") && !text.contains(" 500 "), "\(text)")
      #expect(text.hasPrefix("HTTP/1.1 202") || text.hasPrefix("HTTP/1.1 400"), "\(text)")
    }
    #expect(try serves(home))
  }

  /// libmicrohttpd refuses the first five itself, with the head of its answer twice, and closes the
  /// connection.
  @Test(arguments: [
    ("+5", 2), ("5x", 2), ("-1", 2), ("", 2), ("99999999999999999999", 2),
    ("18446744073709551615", 1),
  ])
  func badLengthsAreRefused(_ length: String, _ heads: Int) throws {
    let home = try ServedHome()
    let wire = try home.connect()
    wire.send(
      head(
        home, "POST /api/v1/shares HTTP/1.1", "Content-Type: text/plain",
        "Content-Length: \(length)") + "hello")
    let (status, text) = wire.response()
    #expect([400, 413].contains(status))
    #expect(
      text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).count - 1 <= heads,
      "\(text)")
    #expect(try serves(home))
  }

  @Test func brokenRequestsHarmNobody() throws {
    let home = try ServedHome()
    let long = String(repeating: "a", count: 100_000)
    for bytes in [
      "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n",
      head(home, "GET /api/v1/health HTTP/1.1", "X: \(long)"),
      head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length: 99999999999999999999"),
      head(home, "GET /api/v1/items/%2e%2e/%2e%2e/etc/passwd HTTP/1.1", "Connection: close"),
      head(home, "GET http://evil.example/api/v1/health HTTP/1.1", "Connection: close"),
      head(home, "\(long.prefix(30)) /api/v1/health HTTP/1.1", "Connection: close"),
    ] {
      let wire = try home.connect()
      wire.send(bytes)
      wire.finish()
      let text = wire.read()
      #expect(!text.contains(" 200 ") && !text.contains(" 500 "), "\(bytes.prefix(80)) \(text)")
    }
    // These wait for their rest.
    let waiting = try ["", "\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HT"].map { bytes in
      let wire = try home.connect()
      wire.send(bytes)
      return wire
    }
    let chunked = try home.connect()
    chunked.send(
      head(home, "POST /api/v1/shares HTTP/1.1", "Transfer-Encoding: chunked") + "zz\r\n")
    #expect(try serves(home))
    withExtendedLifetime((waiting, chunked)) {}
  }

  @Test func largeBodiesAreCutOff() throws {
    let home = try ServedHome(Self.definitions)
    for path in ["/api/v1/actions/hello", "/mcp"] {
      let refused = try home.connect()
      refused.send(head(home, "POST \(path) HTTP/1.1", "Content-Length: 1000000000"))
      #expect(refused.response().status == 413)
    }
    // Without a length, the connection ends soon after the limit.
    let wire = try home.connect()
    wire.send(head(home, "POST /api/v1/actions/hello HTTP/1.1", "Transfer-Encoding: chunked"))
    let chunk = "10000\r\n" + String(repeating: "a", count: 1 << 16) + "\r\n"
    let before = home.memory
    var sent = 0
    while sent < 1_000, wire.send(chunk) { sent += 1 }
    #expect(sent < 1_000)
    #expect(home.memory - before < 20_000)
    #expect(try serves(home))
  }

  @Test func idleAndSlowClientsHarmNobody() throws {
    let home = try ServedHome()
    #expect(try serves(home))
    let clients = try (0..<Amount.of("ERRAND_IDLE_CLIENTS", quick: 200, whole: 1_000)).map {
      number in
      let wire = try home.connect()
      if number.isMultiple(of: 2) { wire.send("GET /api/v1/health HTTP/1.1\r\nHost: 1") }
      if number.isMultiple(of: 3) {
        wire.send(head(home, "POST /api/v1/shares HTTP/1.1", "Content-Length: 1000") + "x")
      }
      return wire
    }
    for _ in 0..<20 { #expect(try serves(home)) }
    #expect(home.memory < 400_000)
    withExtendedLifetime(clients) {}
    #expect(try home.end() == 0)
  }

  @Test func tokensAreInNoLogAndNoFile() throws {
    let home = try ServedHome(Self.definitions)
    _ = try home.request("POST", "/actions/hello", "{}")
    _ = try home.request("GET", "/items/Link?q=\(home.token)")
    _ = try home.request("GET", "/nothing")
    let call = #"{"jsonrpc":"2.0","id":1,"method":"\#(home.token)"}"#
    let wire = try home.connect()
    wire.send(
      head(
        home, "POST /mcp HTTP/1.1", "Content-Type: application/json", "Connection: close",
        "Content-Length: \(call.utf8.count)") + call)
    #expect(wire.response().status == 400)
    #expect(try home.end() == 0)
    #expect(!home.log.contains(home.token))
    let found = try home.sandbox.shell("grep -rl '\(home.token)' .config .local log")
    #expect(found.out == "")
  }
}
