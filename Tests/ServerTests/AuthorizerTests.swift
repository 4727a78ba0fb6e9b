import ErrandKit
import FoundationEssentials
import Glibc
import Server
import TestSupport
import Testing

@Suite struct AuthorizerTests {
  private func head(_ target: String) -> RequestHead? {
    RequestHead(method: "GET", target: target, headers: [])
  }

  @Test(arguments: [
    ("/api/v1/items/Link/42", "/api/v1/items/{entity}/{id}", ["entity": "Link", "id": "42"]),
    ("/api/v1/items/L%69nk", "/api/v1/items/{entity}", ["entity": "Link"]),
    ("/api/v1/health?x=1", "/api/v1/health", [:]),
    ("/api/v1/runs/a-b/events", "/api/v1/runs/{run}/events", ["run": "a-b"]),
    ("/api/v1/openapi.json", "/api/v1/openapi.json", [:]),
  ])
  func findsEndpoints(_ target: String, _ path: String, _ values: [String: String]) throws {
    let segments = try #require(head(target)).path
    let endpoint = try #require(Router.endpoints(at: segments).first)
    #expect(endpoint.path == path)
    #expect(endpoint.values(of: segments) == values)
  }

  @Test(arguments: [
    "/", "/api/v1", "/api/v1/", "/api/v2/health", "/api/v1/health/", "/api/v1//health",
    "/api/v1/../v1/health", "/api/v1/./health", "/API/v1/health", "/api/v1/items/Link/0",
    "/api/v1/items/Link/-1", "/api/v1/items/Link/042", "/api/v1/items/Link/1e3",
    "/api/v1/items/Link/99999999999999999999", "/api/v1/items", "/api/v1/runs/a/answers/1",
  ])
  func knowsNoOtherPaths(_ target: String) throws {
    #expect(Router.endpoints(at: try #require(head(target)).path).isEmpty)
  }

  @Test(arguments: [
    "", "*", "http://127.0.0.1/api/v1/health", "api/v1/health", "/api/v1/items/%", "/a%2Fb",
    "/a%00b", "/a%0Ab", "/a%07", "/?x=%07", "/?x=%C2%9B", "/a%zz", "/a%+1", "/a%C0%AF", "/a b",
    "/a#b", "/é", "/?x=%FF",
    "/" + String(repeating: "a", count: 9_000),
  ])
  func refusesTargets(_ target: String) { #expect(head(target) == nil) }

  @Test(arguments: [
    ("Content-Length ", "5"), ("Transfer-Encoding\t", "chunked"), ("", "x"), ("X", "a\u{0}b"),
    ("X", "\u{7}"), ("a(b)", "x"),
  ])
  func refusesHeaders(_ name: String, _ value: String) {
    #expect(RequestHead(method: "GET", target: "/x", headers: [(name, value)]) == nil)
  }

  @Test func codingsNeedHTTP11() {
    let headers = [(name: "Transfer-Encoding", value: "chunked")]
    for (version, isValid) in [("HTTP/1.1", true), ("HTTP/1.0", false)] {
      let head = RequestHead(method: "POST", target: "/x", version: version, headers: headers)
      #expect((head != nil) == isValid)
    }
  }

  @Test(arguments: [
    "GET /items/Nothing", "GET /items/Link?where=%2Fetc", "GET /items/Link?cursor=x",
    "GET /items/Link?sort=x", "GET /items/Link/99", "PATCH /items/Link/1", "POST /actions/broken",
    "GET /actions/broken", "POST /actions/save", "POST /do", "GET /runs/x", "POST /runs/x/answers",
    "POST /shares", "GET /widgets/x", "GET /jobs", "GET /openapi.json",
  ])
  func problemsNameNoFolder(_ request: String) throws {
    let api = try API("shortcut: broken\nsteps: [{nothing: 1}]")
    let words = request.split(separator: " ").map(String.init)
    // Nothing of the library can be read.
    try api.sandbox.write("not a database", to: ".local/share/errand/library.db")
    let response = try api.request(words[0], words[1], words[0] == "GET" ? nil : #"{"x": "y"}"#)
    #expect(!response.text.contains(api.sandbox.path), "\(response.text)")
  }

  @Test func recordsAreChanges() throws {
    let api = try API(
      """
      shortcut: logs
      steps: [{log: hi}]
      ---
      shortcut: shows
      steps: [{activity: key}]
      """)
    for name in ["logs", "shows"] {
      let token = try api.token(.read)
      #expect(try api.request("POST", "/actions/\(name)", "{}", token: token).status == 403)
      #expect(try api.request("POST", "/actions/\(name)", "{}").status == 200)
    }
  }

  @Test func decodesTheQuery() throws {
    let query = try #require(head("/x?q=a+b%26c&where=1%2B1&empty&q=")).query
    #expect(query.map(\.name) == ["q", "where", "empty", "q"])
    #expect(query.map(\.value) == ["a b&c", "1+1", "", ""])
  }

  // MARK: Hosts and origins

  @Test(arguments: [
    "Host: 127.0.0.1:7717", "Host: LOCALHOST:7717",
    "Host: 127.0.0.1:7717\nOrigin: http://127.0.0.1:7717",
    "Host: 127.0.0.1:7717\nSec-Fetch-Site: none",
  ])
  func servesItsOwnHost(_ headers: String) throws { #expect(try status(headers) == 200) }

  private static let refused: [(status: Int, headers: String)] = [
    (421, "Host: evil.example"), (421, "Host: evil.example:7717"), (421, "Host: 127.0.0.1"),
    (421, "Host: 127.0.0.1:80"), (421, "Host: "), (421, "Host: 127.0.0.1:7717@evil.example"),
    (421, "Host: 127.0.0.1:7717\nhost: evil.example"),
    (403, "Host: 127.0.0.1:7717\nOrigin: http://evil.example"),
    (403, "Host: 127.0.0.1:7717\nOrigin: null"),
    (403, "Host: 127.0.0.1:7717\nOrigin: http://127.0.0.1:80"),
    (403, "Host: 127.0.0.1:7717\nOrigin: http://127.0.0.1:7717.evil.example"),
    (403, "Host: 127.0.0.1:7717\nSec-Fetch-Site: cross-site"),
    (400, "Host: 127.0.0.1:7717\nContent-Length: 0\nTransfer-Encoding: chunked"),
    (400, "Host: 127.0.0.1:7717\nContent-Length: 0\nContent-Length: 5"),
    (400, "Host: 127.0.0.1:7717\nTransfer-Encoding: gzip"),
    (400, "Host: 127.0.0.1:7717\nContent-Length: -1"),
    (413, "Host: 127.0.0.1:7717\nContent-Length: 1"),
  ]

  @Test(arguments: refused)
  func refusesOthers(_ status: Int, _ headers: String) throws {
    #expect(try self.status(headers) == status)
  }

  private func status(_ headers: String) throws -> Int {
    let pairs = headers.split(separator: "\n").map { line in
      let sides = line.split(separator: ":", maxSplits: 1)
      return (name: String(sides[0]), value: String(sides[1].dropFirst()))
    }
    return try API().request("GET", "/health", token: "", headers: pairs).status
  }

  // MARK: Tokens

  @Test func needsToken() throws {
    let api = try API()
    for wrong in ["", "x", api.secret + "x", String(api.secret.dropLast())] {
      let response = try api.request("GET", "/items/Link", token: wrong)
      #expect(response.status == 401)
      #expect(response["WWW-Authenticate"] == "Bearer")
    }
    #expect(try api.request("GET", "/items/Link").status == 200)
  }

  @Test func endsTokens() throws {
    let api = try API()
    let expired = try api.token(.all, expires: API.now)
    #expect(try api.request("GET", "/items/Link", token: expired).status == 401)
    let valid = try api.token(.all, expires: API.now + 1)
    #expect(try api.request("GET", "/items/Link", token: valid).status == 200)
    #expect(try api.tokens.revoke("all"))
    #expect(try api.request("GET", "/items/Link").status == 401)
  }

  @Test func keepsHashesOnly() throws {
    let api = try API()
    let text = try String(contentsOfFile: api.tokens.path, encoding: .utf8)
    #expect(!text.contains(api.secret))
    var status = stat()
    #expect(stat(api.tokens.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    chmod(api.tokens.path, 0o644)
    #expect(try api.request("GET", "/items/Link").status == 401)
  }

  @Test func holdsTokensToTheirScope() throws {
    let api = try API("shortcut: hello\nsteps: [{say: Hello}]")
    let requests: [(method: String, path: String, body: String?)] = [
      ("GET", "/items/Link", nil), ("POST", "/items/Link", #"{"url":"https://swift.org"}"#),
      ("POST", "/actions/hello", "{}"), ("POST", "/actions/save", #"{"url":"https://a.org"}"#),
      ("POST", "/shares", #"{"text":"x"}"#), ("POST", "/shares", #"{"text":"x","to":"hello"}"#),
      ("GET", "/actions", nil), ("GET", "/jobs", nil),
    ]
    func statuses(_ secret: String) throws -> [Int] {
      try requests.map { try api.request($0.method, $0.path, $0.body, token: secret).status }
    }
    #expect(
      try statuses(api.token(.read)) == [200, 403, 200, 403, 403, 403, 200, 200])
    #expect(
      try statuses(api.token(.share)) == [403, 403, 403, 403, 202, 403, 403, 403])
    #expect(
      try statuses(api.token(.run, only: ["save"])) == [403, 403, 403, 200, 403, 403, 200, 403])
  }

  @Test func namesTheMethods() throws {
    let api = try API()
    let response = try api.request("PUT", "/items/Link/1")
    #expect(response.status == 405)
    #expect(response["Allow"] == "GET, HEAD, PATCH, DELETE")
    #expect(response["Content-Type"] == "application/problem+json")
    #expect(response.json["code"] == "not-allowed")
  }
}

@Suite struct ListenSocketTests {
  @Test func replacesOnlySocketsThatNobodyListensOn() throws {
    let sandbox = try Sandbox()
    let path = sandbox.path + "/s"
    // Its backlog is never emptied.
    let busy = try ListenSocket(path: path)
    listen(busy.descriptor, 0)
    var conflicts = 0
    for _ in 0..<4 {
      let error = #expect(throws: ErrandError.self) { try ListenSocket(path: path) }
      if error?.code == "conflict" { conflicts += 1 }
    }
    #expect(conflicts == 4)
    close(busy.descriptor)
    close(try ListenSocket(path: path).descriptor)
  }

  @Test func passedSocketsAreForThisProcessOnly() {
    #expect(ListenSocket { ["LISTEN_PID": "1", "LISTEN_FDS": "1"][$0] } == nil)
    #expect(ListenSocket { ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "x"][$0] } == nil)
    #expect(ListenSocket { ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "-1"][$0] } == nil)
  }
}
