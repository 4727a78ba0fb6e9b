import Testing

@testable import Links

@Suite struct PunycodeTests {
  /// Samples of RFC 3492 §7.1 and registered hosts.
  @Test(arguments: [
    ("example.org", "example.org"), ("аррӏе.com", "xn--80ak6aa92e.com"),
    ("bücher.example", "xn--bcher-kva.example"), ("münchen。de", "xn--mnchen-3ya.de"),
    ("b%C3%BCcher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("[::1]", "[::1]"), ("", ""),
    ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
  ])
  func hostsAreWrittenAsInDNS(host: String, expected: String) {
    #expect(Punycode.host(host) == expected)
  }

  @Test func longLabelsAreCut() {
    let host = String(repeating: "ü", count: 60_000)
    #expect(Punycode.host(host).hasSuffix("…"))
  }
}
