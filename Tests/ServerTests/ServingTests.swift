import Glibc
import TestSupport
import Testing

/// The built program, over sockets.
@Suite struct ServingTests {
  private static let definitions = """
    shortcut: asker
    durable: true
    steps:
      - {ask: Name?, as: name}
      - {return: 'Hello {{ name }}'}
    ---
    shortcut: slow
    steps: [{wait: 1h}]
    """

  @Test func servesUntilSIGTERM() throws {
    let home = try ServedHome(Self.definitions)
    #expect(try home.request("GET", "/health").status == 200)
    // Written before the first answer, but maybe after the port.
    #expect(
      home.log == "Serving the page and the API at http://127.0.0.1:\(home.port). Ctrl-C ends it.\n"
    )
    #expect(try home.request("HEAD", "/items/Link").text.hasSuffix("\r\n\r\n"))
    let asked = try home.request("POST", "/actions/asker", "{}")
    #expect(asked.status == 202)
    let run = try #require(asked.text.firstMatch(of: /"run":"([^"]+)"/)?.1)
    #expect(try home.end() == 0)
    try home.start()
    let answered = try home.request(
      "POST", "/runs/\(run)/answers", #"{"number":1,"answer":"Ada"}"#)
    #expect(answered.status == 200)
    #expect(answered.text.contains(#""result":"Hello Ada""#))
  }

  @Test func survivesKills() throws {
    let home = try ServedHome(Self.definitions)
    let asked = try home.request("POST", "/actions/asker", "{}")
    let run = try #require(asked.text.firstMatch(of: /"run":"([^"]+)"/)?.1)
    #expect(try home.end(SIGKILL) == 128 + SIGKILL)
    try home.start()
    var answered = (status: 0, text: "")
    // The run ends once it notices that the server is gone.
    for _ in 0..<200 {
      answered = try home.request(
        "POST", "/runs/\(run)/answers", #"{"number":1,"answer":"Ada"}"#)
      if answered.status == 200 { break }
      usleep(50_000)
    }
    #expect(answered.text.contains(#""result":"Hello Ada""#))
  }

  @Test func streamsEventsAsTheyCome() throws {
    let home = try ServedHome(Self.definitions)
    let asked = try home.request("POST", "/actions/asker", "{}")
    let run = try #require(asked.text.firstMatch(of: /"run":"([^"]+)"/)?.1)
    let wire = try home.connect()
    wire.send(
      "GET /api/v1/runs/\(run)/events HTTP/1.1\r\nHost: 127.0.0.1:\(home.port)\r\n"
        + "Authorization: Bearer \(home.token)\r\n\r\n")
    #expect(wire.read(until: "event: ask").contains("text/event-stream"))
    let answer = #"{"number":1,"answer":"Ada"}"#
    #expect(try home.request("POST", "/runs/\(run)/answers", answer).status == 200)
    #expect(wire.read(until: "0\r\n\r\n").contains(#"{"event":"result","value":"Hello Ada"}"#))
  }

  @Test func answersWhileRunsHang() throws {
    let home = try ServedHome(Self.definitions)
    let slow = try (0..<20).map { _ in
      let wire = try home.connect()
      wire.send(
        "POST /api/v1/actions/slow HTTP/1.1\r\nHost: 127.0.0.1:\(home.port)\r\n"
          + "Authorization: Bearer \(home.token)\r\nContent-Length: 0\r\n\r\n")
      return wire
    }
    #expect(try home.request("POST", "/items/Link", #"{"url":"https://a.org"}"#).status == 201)
    #expect(try home.request("GET", "/items/Link/1").status == 200)
    withExtendedLifetime(slow) {}
    #expect(try home.end(SIGKILL) == 128 + SIGKILL)
  }

  @Test func listensAtAPath() throws {
    let sandbox = try Sandbox()
    let script = """
      errand serve --socket s 2>log & server=$!
      for i in $(seq 500); do [ -S s ] && break; sleep 0.02; done
      stat -c %a s
      python3 -c '
      import socket
      s = socket.socket(socket.AF_UNIX); s.connect("s")
      s.send(b"GET /api/v1/health HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
      print(s.makefile().read().splitlines()[-1])'
      kill $server; wait $server; ls s 2>/dev/null
      """
    let run = try sandbox.shell(script)
    #expect(run.out == "600\n{\"status\":\"ok\"}\n")
  }
}
