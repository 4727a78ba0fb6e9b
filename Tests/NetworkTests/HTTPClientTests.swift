import CEL
import Engine
import Glibc
import Network
import Synchronization
import TestSupport
import Testing

/// The client against a misbehaving server on the loopback interface.
@Suite struct HTTPClientTests {
  private let client = HTTPClient(userAgent: "test/1") { _ in nil }

  private func reply(
    _ request: HTTPRequest, within seconds: Int64? = 50, descriptors: [Int32] = []
  ) throws -> HTTPReply? {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let bounds = WaitBounds(
      deadline: seconds.map { now + $0 * 1_000_000_000 }, descriptors: descriptors)
    switch try client.access(request, bounds) {
    case .reply(let reply): return reply
    case .interrupted: return nil
    }
  }

  /// Returns the code and message of the error.
  private func failure(_ request: HTTPRequest) -> String {
    do {
      let reply = try reply(request)
      return "no failure: \(reply.map { String($0.status) } ?? "interrupted")"
    } catch let error as RunError {
      return "\(error.code): \(error.message)"
    } catch {
      return "\(error)"
    }
  }

  @Test func receivesBodyAndHeaders() throws {
    let server = try LoopbackServer { request, peer in
      peer.reply(200, ["X-One: 1", "X-Two:  b ", "X-One: 2"], body: request.target)
    }
    let reply = try #require(try reply(HTTPRequest("GET", server.url("/a?b=c#d"))))
    #expect(reply.status == 200)
    #expect(String(decoding: reply.body, as: UTF8.self) == "/a?b=c")
    #expect(reply.header("x-one") == "1, 2")
    #expect(reply.header("x-two") == "b")
    #expect(server.requests.first?.headers["user-agent"] == "test/1")
    #expect(server.requests.first?.headers["cookie"] == nil)
  }

  @Test func reusesConnections() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200, ["Set-Cookie: a=b"]) }
    for _ in 0..<5 { _ = try reply(HTTPRequest("GET", server.url("/"))) }
    #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1])
    #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil })
  }

  @Test func reconnectsAfterTheServerCloses() throws {
    let server = try LoopbackServer { _, peer in
      // The server announces keep-alive but closes the connection.
      peer.reply(200, body: "x")
      peer.hangUp()
    }
    for _ in 0..<3 {
      #expect(try reply(HTTPRequest("GET", server.url("/")))?.status == 200)
    }
    #expect(server.requests.map(\.connection) == [1, 2, 3])
  }

  @Test func sendsBodies() throws {
    let server = try LoopbackServer { _, peer in peer.reply(204) }
    var request = HTTPRequest("PUT", server.url("/"))
    let text = String(repeating: "0123456789", count: 30_000)
    request.body = .bytes(Array(text.utf8))
    _ = try reply(request)
    request.body = .bytes([])
    _ = try reply(request)
    request.method = "POST"
    request.body = .none
    _ = try reply(request)
    let got = server.requests
    #expect(got.map(\.method) == ["PUT", "PUT", "POST"])
    #expect(got.map(\.body) == [text, "", ""])
    #expect(got.map { $0.headers["content-length"] } == ["300000", "0", "0"])
    #expect(got.allSatisfy { $0.headers["expect"] == nil })
  }

  @Test func sendsFormsWithFiles() throws {
    let path = "/tmp/errand-net-\(getpid())-form.txt"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    write(file, "content", 7)
    close(file)
    defer { unlink(path) }
    let server = try LoopbackServer { _, peer in peer.reply(204) }
    var request = HTTPRequest("POST", server.url("/"))
    var part = HTTPRequest.Part("photo", .file(path))
    part.fileName = "a.txt"
    part.mediaType = "text/plain"
    request.body = .parts([.init("note", .bytes(Array("hi".utf8))), part])
    _ = try reply(request)
    let got = try #require(server.requests.first)
    #expect(got.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(got.body.contains("name=\"note\"\r\n\r\nhi\r\n"))
    #expect(got.body.contains("name=\"photo\"; filename=\"a.txt\"\r\nContent-Type: text/plain"))
    #expect(got.body.contains("\r\n\r\ncontent\r\n"))
    request.body = .file("/nowhere/at/all")
    #expect(failure(request).hasPrefix("not-found: /nowhere/at/all cannot be read"))
  }

  @Test func respectsDeadlines() throws {
    let server = try LoopbackServer { _, peer in
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
      peer.waitForEnd()
    }
    #expect(try reply(HTTPRequest("GET", server.url("/")), within: 0) == nil)
    // A readable descriptor ends the wait before the deadline.
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    write(ends[1], "x", 1)
    #expect(
      try reply(HTTPRequest("GET", server.url("/")), within: nil, descriptors: [ends[0]]) == nil)
    close(ends[0])
    close(ends[1])
  }

  @Test func rejectsTruncatedReplies() throws {
    let server = try LoopbackServer { request, peer in
      switch request.target {
      case "/length": peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
      case "/chunks": peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha")
      case "/nothing": break
      case "/garbage": peer.send("I am a teapot, short and stout\r\n\r\n")
      case "/mind":
        // The server starts a chunked body and continues with another response.
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        peer.send("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n")
      default: peer.send("HTTP/1.1 200 OK\r\nContent-")
      }
      peer.hangUp()
    }
    let host = "network: 127.0.0.1: "
    #expect(
      failure(HTTPRequest("GET", server.url("/length")))
        == host + "the reply was cut short")
    for path in ["/chunks", "/nothing", "/garbage", "/mind", "/head"] {
      #expect(failure(HTTPRequest("GET", server.url(path))).hasPrefix(host), "\(path)")
    }
  }

  @Test func limitsReplySize() throws {
    let server = try LoopbackServer { request, peer in
      peer.send("HTTP/1.1 200 OK\r\n\r\n")
      let piece = [UInt8](repeating: 0x61, count: 1 << 16)
      while peer.send(piece) {}
    }
    var request = HTTPRequest("GET", server.url("/"))
    request.maxSize = 1 << 20
    #expect(failure(request) == "network: 127.0.0.1: the reply exceeds 1 MiB")
    let path = "/tmp/errand-net-\(getpid())-endless"
    request.outputPath = path
    #expect(failure(request) == "network: 127.0.0.1: the reply exceeds 1 MiB")
    #expect(access(path, F_OK) != 0)
  }

  @Test func limitsHeaders() throws {
    let server = try LoopbackServer { request, peer in
      peer.send("HTTP/1.1 200 OK\r\n")
      if request.target == "/line" {
        peer.send("X-Long: ")
        while peer.send([UInt8](repeating: 0x61, count: 1 << 16)) {}
      } else {
        while peer.send("X-Short: \(String(repeating: "a", count: 1000))\r\n") {}
      }
    }
    #expect(
      failure(HTTPRequest("GET", server.url("/line")))
        == "network: 127.0.0.1: a header of the reply is too long")
    #expect(
      failure(HTTPRequest("GET", server.url("/many")))
        == "network: 127.0.0.1: its headers exceed 256 KiB")
  }

  /// A megabyte of zeros is a kilobyte of gzip; the limit is on the decompressed size.
  @Test func limitsDecompressedSize() throws {
    let server = try LoopbackServer { _, peer in
      guard let bomb = Compressed.zeros(megabytes: 64) else { return peer.reply(500) }
      peer.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      peer.send(bomb)
    }
    try #require(Compressed.zeros(megabytes: 1) != nil, "gzip is needed")
    var request = HTTPRequest("GET", server.url("/"))
    request.maxSize = 1 << 20
    #expect(failure(request) == "network: 127.0.0.1: the reply exceeds 1 MiB")
  }

  @Test func decompressesBodies() throws {
    let server = try LoopbackServer { request, peer in
      let packed = Compressed.gzip("hello") ?? []
      let type = request.target == "/broken" ? Array("no gzip".utf8) : packed
      peer.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(type.count)\r\n\r\n")
      peer.send(type)
    }
    let reply = try #require(try reply(HTTPRequest("GET", server.url("/"))))
    #expect(String(decoding: reply.body, as: UTF8.self) == "hello")
    #expect(
      failure(HTTPRequest("GET", server.url("/broken")))
        == "network: 127.0.0.1: the reply cannot be decompressed")
  }

  @Test func rejectsTruncatedCompressedBodies() throws {
    let text = String(repeating: "hello ", count: 20_000)
    let server = try LoopbackServer { request, peer in
      let packed = Compressed.gzip(text) ?? []
      let left = Int(request.target.dropFirst()) ?? 0
      let sent = request.target == "/twice" ? packed + packed : Array(packed.dropLast(left))
      peer.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(sent.count)\r\n\r\n")
      peer.send(sent)
    }
    try #require(Compressed.gzip("x") != nil, "gzip is needed")
    #expect(try reply(HTTPRequest("GET", server.url("/0")))?.body.count == text.utf8.count)
    for left in ["/1", "/8", "/9", "/50"] {
      #expect(
        failure(HTTPRequest("GET", server.url(left)))
          == "network: 127.0.0.1: the reply was cut short")
    }
    // gzip members may follow one another.
    #expect(try reply(HTTPRequest("GET", server.url("/twice")))?.body.count == 2 * text.utf8.count)
  }

  @Test func rejectsUnknownEncodings() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(200, ["Content-Encoding: br"], body: "x")
    }
    #expect(
      failure(HTTPRequest("GET", server.url("/")))
        == "network: 127.0.0.1: the reply has an unsupported encoding, br")
    #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
    var part = HTTPRequest("GET", server.url("/"))
    part.headers = [.init("Range", "bytes=0-9")]
    _ = failure(part)
    #expect(server.requests.last?.headers["accept-encoding"] == nil)
  }

  /// Differing lengths may be an attempt at response smuggling.
  @Test func rejectsContradictoryLengths() throws {
    let server = try LoopbackServer { request, peer in
      let lengths =
        switch request.target {
        case "/same": ["5", "5"]
        case "/list": ["5, 5"]
        case "/two": ["5", "3"]
        case "/order": ["3", "5"]
        case "/both": ["5, 3"]
        case "/long": ["100000000000000000000000"]
        default: ["5x"]
        }
      let lines = lengths.map { "Content-Length: \($0)\r\n" }.joined()
      peer.send("HTTP/1.1 200 OK\r\n\(lines)\r\nhello")
      peer.hangUp()
    }
    #expect(try reply(HTTPRequest("GET", server.url("/same")))?.body.count == 5)
    #expect(try reply(HTTPRequest("GET", server.url("/list")))?.body.count == 5)
    for path in ["/two", "/order", "/both", "/word", "/long"] {
      #expect(
        failure(HTTPRequest("GET", server.url(path))).hasPrefix("network: 127.0.0.1: the reply "),
        "\(path)")
    }
  }

  // MARK: Memory

  @Test func largeRepliesWaitForMemory() throws {
    let used = Mutex(0)
    let server = try LoopbackServer { request, peer in
      peer.reply(200, body: String(repeating: "a", count: 3 << 20))
      if request.target == "/last" { used.withLock { $0 = 0 } }
    }
    var request = HTTPRequest("GET", server.url("/"))
    request.memory = ReplyMemory(limit: 4 << 20) { used.withLock { $0 } }
    #expect(try reply(request)?.body.count == 3 << 20)
    used.withLock { $0 = 4 << 20 }
    let failed = #expect(throws: RunError.self) { try reply(request, within: 1) }
    #expect(failed?.message == "127.0.0.1: no memory is left in this run for the reply")
    // A waiting transfer continues once there is memory.
    request.url = server.url("/last")
    #expect(try reply(request)?.body.count == 3 << 20)
  }

  @Test func theFirstLargeReplyCompletes() {
    let memory = ReplyMemory(limit: 100) { 30 }
    let (first, second) = (memory.enter(), memory.enter())
    #expect(memory.mayGrow(first) && !memory.mayGrow(second))
    memory.leave(first)
    #expect(memory.mayGrow(second))
    #expect(!ReplyMemory(limit: 100) { 50 }.mayGrow(1))
  }

  // MARK: Files

  @Test func writesBodiesToFiles() throws {
    let path = "/tmp/errand-net-\(getpid())-save"
    defer { unlink(path) }
    let server = try LoopbackServer { request, peer in
      switch request.target {
      case "/half":
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        peer.hangUp()
      case "/error": peer.reply(500, body: "oops")
      case "/empty": peer.reply(200)
      default: peer.reply(200, body: "whole")
      }
    }
    func saved() -> String? {
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      var buffer = [UInt8](repeating: 0, count: 100)
      let count = fread(&buffer, 1, 100, file)
      return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
    func get(_ target: String) -> HTTPRequest {
      var request = HTTPRequest("GET", server.url(target))
      request.outputPath = path
      return request
    }
    #expect(try reply(get("/"))?.isSaved == true)
    #expect(saved() == "whole")
    #expect(failure(get("/half")).hasPrefix("network:"))
    #expect(saved() == "whole")
    let error = try #require(try reply(get("/error")))
    #expect(!error.isSaved && String(decoding: error.body, as: UTF8.self) == "oops")
    #expect(saved() == "whole")
    #expect(try reply(get("/empty"))?.isSaved == true)
    #expect(saved() == "")
    var nowhere = get("/")
    nowhere.outputPath = "/nowhere/at/all"
    #expect(failure(nowhere).hasPrefix("not-found:"))
  }

  // MARK: Hosts

  @Test func rejectsInvalidURLs() {
    for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "scp://a/b"] {
      #expect(failure(HTTPRequest("GET", url)).hasPrefix("invalid-value: "), "\(url)")
    }
    #expect(failure(HTTPRequest("GET", "example.com")).hasPrefix("invalid-value: "))
    #expect(failure(HTTPRequest("GET", "http://:80/")).hasPrefix("invalid-value: "))
  }

  @Test func reportsConnectionErrors() throws {
    let port: Int
    do { port = try LoopbackServer { _, peer in peer.reply(200) }.port }
    #expect(
      failure(HTTPRequest("GET", "http://127.0.0.1:\(port)/"))
        == "network: 127.0.0.1: connection refused")
  }

  @Test func doesNotConnectToHostsThatAreNotAllowed() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    var request = HTTPRequest("GET", server.url("/"))
    request.approve = { host in throw RunError(.notAllowed, "not \(host)") }
    #expect(failure(request) == "not-allowed: not 127.0.0.1")
    #expect(server.requests.isEmpty)
  }
}
