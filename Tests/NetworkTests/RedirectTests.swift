import CEL
import Engine
import Network
import TestSupport
import Testing

/// Targets of redirects and the data sent to them.
@Suite struct RedirectTests {
  private let client = HTTPClient(userAgent: "test/1") { _ in nil }

  private func run(_ request: HTTPRequest) -> (reply: HTTPReply?, failure: String?) {
    do {
      guard
        case .reply(let reply) = try client.access(
          request, WaitBounds(deadline: nil, descriptors: []))
      else { return (nil, "interrupted") }
      return (reply, nil)
    } catch let error as RunError {
      return (nil, "\(error.code): \(error.message)")
    } catch {
      return (nil, "\(error)")
    }
  }

  @Test func limitsRedirectLoops() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(302, ["Location: \(request.target == "/a" ? "/b" : "/a")"])
    }
    #expect(
      run(HTTPRequest("GET", server.url("/a"))).failure
        == "http: 127.0.0.1 redirected more than 10 times")
    #expect(server.requests.count == 11)
    var none = HTTPRequest("GET", server.url("/a"))
    none.redirects = 0
    #expect(run(none).reply?.status == 302)
  }

  @Test(arguments: [
    "file:///etc/passwd", "FILE:/etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:1/x",
    "javascript:alert(1)", "data:text/plain,x", "http://", "//:x/",
  ])
  func followsOnlyHTTPURLs(_ location: String) throws {
    let server = try LoopbackServer { _, peer in peer.reply(302, ["Location: \(location)"]) }
    let failure = run(HTTPRequest("GET", server.url("/"))).failure
    #expect(failure?.hasPrefix("http: 127.0.0.1 redirects to “") == true, "\(failure ?? "none")")
  }

  @Test(arguments: [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
    (307, "POST", "POST"), (308, "PUT", "PUT"), (301, "PUT", "PUT"), (302, "GET", "GET"),
    (303, "HEAD", "HEAD"),
  ])
  func changesMethodsAsSpecified(
    _ status: Int, _ method: String, _ next: String
  ) throws {
    let server = try LoopbackServer { request, peer in
      if request.target == "/a" {
        peer.reply(status, ["Location: b"])
      } else {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    var request = HTTPRequest(method, server.url("/a"))
    if method != "GET", method != "HEAD" { request.body = .bytes(Array("body".utf8)) }
    #expect(run(request).reply?.url == server.url("/b"))
    #expect(server.requests.map(\.method) == [method, next])
    #expect(
      server.requests.last?.body
        == (next == method && next != "HEAD" && next != "GET" ? "body" : ""))
  }

  /// The same address under another name is another host.
  @Test func keepsCredentialsOnTheirHost() throws {
    let other = try LoopbackServer { _, peer in peer.reply(200) }
    let server = try LoopbackServer { request, peer in
      let target =
        request.target == "/far" ? "http://localhost:\(other.port)/" : "/near"
      peer.reply(request.target == "/near" ? 200 : 302, ["Location: \(target)"])
    }
    func request(_ path: String) -> HTTPRequest {
      var request = HTTPRequest("GET", server.url(path))
      request.headers = [
        .init("Authorization", "Bearer T"), .init("Cookie", "c=d"), .init("X-Api-Key", "K"),
        .init("Accept", "text/plain"), .init("Accept-Language", "secret", isSecret: true),
      ]
      return request
    }
    #expect(run(request("/a")).reply?.status == 200)
    let near = try #require(server.requests.last { $0.target == "/near" })
    #expect(near.headers["authorization"] == "Bearer T" && near.headers["x-api-key"] == "K")
    #expect(run(request("/far")).reply?.status == 200)
    let far = try #require(other.requests.first)
    for name in ["authorization", "cookie", "x-api-key", "accept-language"] {
      #expect(far.headers[name] == nil, "\(name)")
    }
    #expect(far.headers["accept"] == "text/plain")
  }

  @Test func keepsURLCredentialsOnTheirHost() throws {
    let other = try LoopbackServer { _, peer in peer.reply(200) }
    let server = try LoopbackServer { _, peer in
      peer.reply(302, ["Location: http://localhost:\(other.port)/"])
    }
    let url = "http://ada:pw@127.0.0.1:\(server.port)/"
    #expect(run(HTTPRequest("GET", url)).reply?.status == 200)
    #expect(server.requests.first?.headers["authorization"] == "Basic YWRhOnB3")
    #expect(other.requests.first?.headers["authorization"] == nil)
  }

  @Test func doesNotSendSecretBodiesElsewhere() throws {
    let other = try LoopbackServer { _, peer in peer.reply(200) }
    let server = try LoopbackServer { _, peer in
      peer.reply(307, ["Location: http://localhost:\(other.port)/"])
    }
    var request = HTTPRequest("POST", server.url("/"))
    request.body = .bytes(Array("secret".utf8))
    request.hasSecretBody = true
    #expect(
      run(request).failure == "http: 127.0.0.1 redirects a request with a secret to localhost")
    #expect(other.requests.isEmpty)
  }

  /// Every host of a redirect chain is approved.
  @Test func approvesEveryHostOfAChain() throws {
    let other = try LoopbackServer { _, peer in peer.reply(200) }
    let server = try LoopbackServer { _, peer in
      peer.reply(302, ["Location: http://localhost:\(other.port)/"])
    }
    var request = HTTPRequest("GET", server.url("/"))
    request.approve = { host in
      if host != "127.0.0.1" { throw RunError(.notAllowed, "not \(host)") }
    }
    #expect(run(request).failure == "not-allowed: not localhost")
    #expect(other.requests.isEmpty)
  }
}
