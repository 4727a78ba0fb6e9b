import Engine
import Glibc
import TestSupport
import Testing

@testable import Network

/// Local addresses, and the ways that lead to them.
@Suite struct LocalAddressTests {
  @Test(arguments: [
    ("8.8.8.8", false), ("1.1.1.1", false), ("172.15.0.1", false), ("172.32.0.1", false),
    ("100.63.0.1", false), ("192.0.1.1", false), ("127.0.0.1", true), ("127.9.9.9", true),
    ("10.1.2.3", true), ("172.16.0.1", true), ("172.31.255.255", true), ("192.168.1.1", true),
    ("169.254.169.254", true), ("100.64.0.1", true), ("0.0.0.0", true), ("224.0.0.1", true),
    ("255.255.255.255", true), ("198.18.0.1", true), ("192.0.2.1", true), ("240.0.0.1", true),
    ("192.88.99.0", true), ("192.88.99.255", true), ("192.88.98.1", false), ("192.0.0.1", true),
    ("198.51.100.1", true), ("203.0.113.1", true), ("192.31.196.1", false),
  ])
  func classifiesIPv4Addresses(text: String, isLocal: Bool) {
    let bytes = text.split(separator: ".").compactMap { UInt8($0) }
    #expect(LocalAddress.isLocal(v4: bytes) == isLocal)
  }

  @Test(arguments: [
    ("2606:4700::1", false), ("2a00:1450:4001:800::200e", false), ("::1", true), ("::", true),
    ("fe80::1", true), ("fd00::1", true), ("ff02::1", true), ("::ffff:127.0.0.1", true),
    ("::ffff:8.8.8.8", false), ("64:ff9b::10.0.0.1", true), ("64:ff9b::8.8.8.8", false),
    ("2002:7f00:0001::", true), ("2002:0808:0808::", false), ("2001:db8::1", true),
    ("::127.0.0.1", true), ("64:ff9b:1::8.8.8.8", true), ("2001::1", true),
    ("2001:0:4136:e378:8000:63bf:3fff:fdd2", true), ("2001:10::1", true), ("2001:200::1", false),
    ("3fff::1", true), ("3fff:fff::1", true), ("3fff:1000::1", false), ("5f00::1", true),
    ("100::1", true), ("2002:c058:6301::1", true), ("::ffff:192.88.99.1", true),
    ("64:ff9b::192.88.99.1", true), ("fec0::1", true), ("2001:4860:4860::8888", false),
  ])
  func classifiesIPv6Addresses(text: String, isLocal: Bool) throws {
    var bytes = [UInt8](repeating: 0, count: 16)
    try #require(inet_pton(AF_INET6, text, &bytes) == 1)
    #expect(LocalAddress.isLocal(v6: bytes) == isLocal)
  }

  private func end(_ request: HTTPRequest) throws -> HTTPReply? {
    let client = HTTPClient(userAgent: "test/1") { _ in nil }
    switch try client.access(request, WaitBounds(deadline: nil, descriptors: [])) {
    case .reply(let reply): return reply
    case .interrupted: return nil
    }
  }

  @Test func localServersNeedToBeAllowed() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200, body: "inside") }
    var request = HTTPRequest("GET", server.url("/"))
    request.localHosts = []
    let failure = try #require(throws: RunError.self) { try end(request) }
    #expect(failure.code == .notAllowed)
    #expect(
      failure.message == "127.0.0.1 is a local address; allow it with --local 127.0.0.1, "
        + "or in a step with `local: [127.0.0.1]`")
    #expect(server.requests.isEmpty)
    request.localHosts = ["127.0.0.1"]
    #expect(try end(request)?.status == 200)
  }

  @Test func namesOfLocalAddressesAreChecked() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    var request = HTTPRequest("GET", "http://localhost:\(server.port)/")
    request.localHosts = ["127.0.0.1"]
    let failure = try #require(throws: RunError.self) { try end(request) }
    #expect(failure.message.hasPrefix("localhost is "))
    #expect(failure.message.contains(", a local address; allow it with --local localhost"))
    #expect(server.requests.isEmpty)
  }

  @Test func redirectsToLocalAddressesAreChecked() throws {
    let server = try LoopbackServer { request, peer in
      guard request.target == "/start" else { return peer.reply(200, body: "inside") }
      let port = request.headers["host"]?.split(separator: ":").last ?? ""
      peer.reply(302, ["Location: http://localhost:\(port)/inside"])
    }
    var request = HTTPRequest("GET", server.url("/start"))
    request.localHosts = ["127.0.0.1"]
    let failure = try #require(throws: RunError.self) { try end(request) }
    #expect(failure.code == .notAllowed)
    #expect(server.requests.map(\.target) == ["/start"])
  }

  @Test func openConnectionsAreChecked() throws {
    let server = try LoopbackServer { _, peer in peer.reply(200) }
    let client = HTTPClient(userAgent: "test/1") { _ in nil }
    let bounds = WaitBounds(deadline: nil, descriptors: [])
    var request = HTTPRequest("GET", server.url("/"))
    _ = try client.access(request, bounds)
    request.localHosts = []
    #expect(throws: RunError.self) { try client.access(request, bounds) }
    #expect(server.requests.count == 1)
  }
}
