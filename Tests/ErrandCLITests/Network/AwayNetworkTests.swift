import Glibc
import ServerFixture
import Testing

/// A network that is away though the machine has a way to it: no name server answers.
///
/// The names of servers stand in a file of the system, so the tests need a mount of their own, and port
/// 53 for a server that answers; where that is not to be had they say so, and pass.
@Suite struct AwayNetworkTests {
  private func sandbox(_ servers: String...) throws -> Sandbox? {
    let sandbox = try Sandbox()
    let lines = servers.map { "nameserver \($0)\n" }.joined()
    try sandbox.write(lines + "options timeout:1 attempts:1\n", to: "resolv.conf")
    let trial = try sandbox.shell(Self.inside("true"))
    guard trial.status == 0 else {
      print("no mount of its own, so name servers are not tested: \(trial.err)")
      return nil
    }
    return sandbox
  }

  private static func inside(_ command: String) -> String {
    "unshare --map-root-user --mount sh -c 'mount --bind resolv.conf /etc/resolv.conf && exec \(command)'"
  }

  private func states(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.run("find", "links", "--sort", "createdAt", "--format", "{{ self.status }}").out
      .split(separator: "\n").map(String.init)
  }

  @Test func linksWaitWhereNoNameServerAnswers() throws {
    let server = try LoopbackServer { _, peer in
      peer.reply(200, ["Content-Type: text/plain"], body: "hi")
    }
    // Nothing listens at this address, and nothing ever will.
    guard let sandbox = try sandbox("127.7.7.7") else { return }
    _ = try sandbox.run("save", "https://a.example")
    _ = try sandbox.run("save", server.url("/"))
    let run = try sandbox.shell(
      Self.inside("\(Sandbox.products)/errand enrich --local 127.0.0.1 --pace 1ms"))
    #expect(run.status == 1)
    #expect(run.err.hasSuffix("error: 1 link waits: the network is away [network]\n"), "\(run)")
    #expect(run.err.contains("no name server answers"), "\(run)")
    #expect(try states(sandbox) == ["queued", "ready"])
  }

  @Test func aJobWaitsWithoutAnAttempt() throws {
    guard let sandbox = try sandbox("127.7.7.7") else { return }
    sandbox.environment["ERRAND_ENRICH"] = "on"
    _ = try sandbox.run("save", "https://a.example")
    let run = try sandbox.shell(
      Self.inside("\(Sandbox.products)/errand queue drain 1 --foreground"))
    let job = try sandbox.run(
      "queue", "--format", "{{ self.state }} {{ self.failures }} {{ self.error }}"
    ).out
    #expect(job == "waiting 0 the network is away\n", "\(run)\(job)")
    #expect(try states(sandbox) == ["queued"])
  }

  @Test func aHostThatIsNotThereFails() throws {
    guard let names = NameServer(at: "127.7.7.8") else {
      print("no port 53, so a name server that answers is not tested")
      return
    }
    guard let sandbox = try sandbox("127.7.7.8") else { return }
    _ = try sandbox.run("save", "https://nowhere.example")
    let run = try sandbox.shell(Self.inside("\(Sandbox.products)/errand enrich"))
    #expect(run.err.hasSuffix("error: 1 link could not be fetched [failed]\n"), "\(run)")
    #expect(
      try sandbox.run("get", "link:1", "--format", "{{ self.status }} {{ self.pageState }}").out
        == "ready unreachable\n")
    withExtendedLifetime(names) {}
  }
}

/// A name server that knows no name (RFC 1035 §4.1.1).
private final class NameServer: Sendable {
  private let descriptor: Int32

  init?(at address: String) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | 0o2000000, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(53).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let status = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in
        NameServer.serve(Int32(Int(bitPattern: context)))
        return nil
      }, UnsafeMutableRawPointer(bitPattern: Int(descriptor)))
  }

  /// Answers each question with the code 3, until the socket is shut.
  private static func serve(_ descriptor: Int32) {
    while true {
      var message = [UInt8](repeating: 0, count: 512)
      var from = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &from) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          recvfrom(descriptor, &message, message.count, 0, $0, &length)
        }
      }
      guard count > 12 else { break }
      message[2] |= 0x80
      message[3] = 0x83
      // Only the question is said again.
      for index in 6..<12 { message[index] = 0 }
      let end = min(count, (message[12..<count].firstIndex(of: 0) ?? count) + 5)
      _ = withUnsafePointer(to: &from) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, message, end, 0, $0, length)
        }
      }
    }
    close(descriptor)
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
