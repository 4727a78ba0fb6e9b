import Synchronization
import TestSupport
import Testing

/// `http` to `https` addresses: trust, protocols offered, and failures on the way.
@Suite struct EncryptionTests {
  private static let shortcut = """
    shortcut: a
    input: url
    steps:
      - http: {url: '{{ input }}', full: true}
        timeout: 20s
        as: answer
    output: '{{ answer.status }}'
    """

  /// Runs the shortcut with an OpenSSL server whose certificate is for localhost only.
  private func run(_ address: String, trusts: Bool) throws -> ProgramRun {
    let sandbox = try Sandbox(["a.yaml": Self.shortcut])
    if trusts { sandbox.environment["CURL_CA_BUNDLE"] = sandbox.path + "/c.pem" }
    return try sandbox.shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \
        -out c.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>req.txt
      mkfifo said
      timeout 60 openssl s_server -accept 0 -4 -cert c.pem -key k.pem -www >said 2>&1 &
      server=$!
      exec 3<said
      while read -r word port <&3; do [ "$word" = ACCEPT ] && break; done
      cat <&3 >/dev/null &
      errand run a.yaml "https://\(address):${port##*:}/"
      status=$?
      kill $server
      wait
      exit $status
      """)
  }

  @Test func aCertificateThatTheEnvironmentTrustsIsTrusted() throws {
    #expect(try run("localhost", trusts: true) == ProgramRun(out: "200\n"))
  }

  @Test(arguments: [("localhost", false), ("127.0.0.1", true)])
  func anotherCertificateIsRefused(_ address: String, trusts: Bool) throws {
    let run = try run(address, trusts: trusts)
    #expect(run.status == 1 && run.out.isEmpty)
    #expect(
      run.err.contains(
        "\(address): its certificate is not trusted for \(address) (in http) [network]"
      ), "\(run)")
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "\u{16}\u{3}\u{3}\u{40}\u{0}",
    String(repeating: "\u{16}\u{3}\u{3}\u{0}\u{1}\u{7F}", count: 4_000),
  ])
  func unencryptedResponsesAreRejected(_ answer: String) throws {
    let offered = Mutex<[UInt8]>([])
    let server = try LoopbackServer(connected: { peer in
      let hello = peer.read()
      offered.withLock { $0 = hello }
      peer.send(answer)
    })
    let sandbox = try Sandbox(["a.yaml": Self.shortcut])
    let run = try sandbox.run("run", "a.yaml", "https://localhost:\(server.port)/")
    #expect(run.status == 1)
    #expect(
      run.err.contains("localhost: the TLS handshake failed (in http) [network]"),
      "\(run)")
    // HTTP/2 is offered first (RFC 7301: each name is preceded by its length).
    let names: [UInt8] = [2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8)
    #expect(offered.withLock { $0.firstRange(of: names) } != nil)
  }
}
