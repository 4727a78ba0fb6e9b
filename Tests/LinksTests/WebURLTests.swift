import Testing

@testable import Links

@Suite struct WebURLTests {
  @Test func componentsAreParsed() throws {
    let text = "HTTPS://me:pw@Ex%41mple.ORG:8443/A/b.html?q=1?&r#frag#2"
    let url = try WebURL(text)
    #expect(url.text == text)
    #expect(url.scheme == "https")
    #expect(url.userinfo == "me:pw")
    #expect(url.host == "ex%41mple.org")
    #expect(url.port == 8443)
    #expect(url.path == "/A/b.html")
    #expect(url.query == "q=1?&r")
    #expect(url.fragment == "frag#2")
  }

  @Test(arguments: [
    ("http://a", "a"), ("http://a?x", "a"), ("http://a#x", "a"), ("http://a:/x", "a"),
    ("http://127.0.0.1:80", "127.0.0.1"), ("http://[::1]:8080/", "[::1]"),
    ("http://[2001:DB8::1]", "[2001:db8::1]"), ("http://user:pw@real/x", "real"),
    ("https://BÜCHER.example/ü", "bücher.example"), ("https://例え.jp", "例え.jp"),
    ("http://a_b.example./", "a_b.example."),
  ])
  func hosts(text: String, host: String) throws {
    #expect(try WebURL(text).host == host)
  }

  @Test(arguments: [
    ("", WebURLError.Reason.empty), ("ftp://a/b", .notWeb), ("javascript:alert(1)", .notWeb),
    ("//a/b", .notWeb), ("/a", .notWeb), ("swift.org", .notWeb), ("http:a", .noHost),
    ("http:/a", .noHost), ("http://", .noHost), ("http:///a", .noHost), ("http://:80/", .noHost),
    ("http://me@/", .noHost), ("http://..", .noHost), ("http://a b/", .space),
    (" http://a", .space), ("http://a/\u{A0}", .space), ("http://a/\u{2028}b", .space),
    ("http://a/\n", .controlCharacter), ("http://a/\0", .controlCharacter),
    ("http://a/\u{7F}", .controlCharacter), ("http://a/\u{85}", .controlCharacter),
    ("http://good.org\\@bad.org/", .backslashInHost), ("http://a:b/", .malformedPort),
    ("http://a:65536/", .malformedPort), ("http://a:-1/", .malformedPort),
    ("http://a:99999999999999999999/", .malformedPort), ("http://::1/", .noHost),
    ("http://[::1", .malformedHost), ("http://[::g]/", .malformedHost),
    ("http://[::1]x/", .malformedPort), ("http://a^b/", .malformedHost),
    ("http://a%/", .malformedHost), ("http://a]b/", .malformedHost),
    ("https://c.example)", .malformedHost), ("https://c.example,", .malformedHost),
    ("http://a*b/", .malformedHost), ("http://a%2Fb/", .malformedHost),
    ("http://a%00b/", .malformedHost), ("http://a%29/", .malformedHost),
    ("http://user@host@real/x", .malformedHost),
  ])
  func invalidURLsAreRejected(text: String, reason: WebURLError.Reason) throws {
    let error = try #require(throws: WebURLError.self) { try WebURL(text) }
    #expect(error.reason == reason)
  }

  @Test(arguments: [
    ("swift.org", "https://swift.org"), ("swift.org/docs?x", "https://swift.org/docs?x"),
    ("localhost:8080/x", "http://localhost:8080/x"), ("127.0.0.1", "http://127.0.0.1"),
    ("x", nil), ("x.io", "https://x.io"), ("mailto:a@b.org", nil), ("mailto:ada", nil),
    ("ftp://a.org", nil), ("c.example)", nil),
  ])
  func suggestions(text: String, expected: String?) throws {
    let error = try #require(throws: WebURLError.self) { try WebURL(text) }
    #expect(error.suggestion == expected)
  }

  /// URLs that an earlier release accepted are still found by the same text.
  @Test(arguments: [
    ("https://c.example)", "https://c.example)/"), ("http://a@b@c/x", "http://a@b@c/x"),
    ("HTTP://A*b/%7E", "http://a*b/~"),
  ])
  func storedURLsRemainValid(text: String, canonical: String) throws {
    #expect(try WebURL(stored: text).canonical == canonical)
    #expect(throws: WebURLError.self) { try WebURL(text) }
  }

  @Test(arguments: [
    ("file:///a/b%20c.csv", "", "/a/b c.csv"), ("FILE://LocalHost/a", "", "/a"),
    ("file:/a?b#c", "", "/a?b#c"), ("file://Server/share/x", "server", "/share/x"),
  ])
  func fileURLsAreParsed(text: String, host: String, path: String) throws {
    let url = try #require(FileURL(text))
    #expect(url.host == host && url.path == Array(path.utf8))
  }

  @Test(arguments: ["file:a", "file:", "file://host", "https://a/", "/a", "profile:/a"])
  func otherURLsAreNotFileURLs(text: String) { #expect(FileURL(text) == nil) }

  @Test func lengthIsLimitedTo64KiB() throws {
    let start = "https://a.org/"
    let fits = start + String(repeating: "x", count: 65_536 - start.utf8.count)
    #expect(try WebURL(fits).text == fits)
    let error = try #require(throws: WebURLError.self) { try WebURL(fits + "x") }
    #expect(error.description == "it is longer than 64 KiB")
  }

  @Test(arguments: [
    ("a", "1"), ("b", ""), ("c", ""), ("d e", "f g"), ("é", "ü"), ("%", "50%"), ("x=y", "z=1"),
    ("", nil), ("nope", nil), ("A", nil),
  ])
  func queryValues(name: String, expected: String?) throws {
    let url = try WebURL("http://h/?a=1&a=2&b=&c&d+e=f%20g&%C3%A9=ü&%=50%&x%3Dy=z=1#?nope=1")
    #expect(url.queryValue(name) == expected)
  }

  @Test(arguments: [("a b&é/~", "a%20b%26%C3%A9%2F~"), ("", ""), ("%", "%25"), ("\0", "%00")])
  func encoding(plain: String, encoded: String) {
    #expect(WebURL.encode(plain) == encoded)
    #expect(WebURL.decode(encoded) == plain)
  }

  @Test(arguments: [("%", "%"), ("%4", "%4"), ("%zz+", "%zz+"), ("%FF", "\u{FFFD}")])
  func strayPercentSignsAreKept(text: String, expected: String) {
    #expect(WebURL.decode(text) == expected)
  }

  @Test(arguments: [
    ("https://x.org/a b", "https://x.org/a%20b"), ("https://x.org?q=a b", "https://x.org?q=a%20b"),
    ("https://x.org/#a b", "https://x.org/#a%20b"),
    ("https://x.org/a\u{A0}b\u{3000}", "https://x.org/a%C2%A0b%E3%80%80"),
    ("https://x.org/ä%20b", "https://x.org/ä%20b"), ("http://x.org/  ", "http://x.org/%20%20"),
  ])
  func spacesInAPastedURLAreEncoded(text: String, expected: String) throws {
    #expect(try WebURL(pasted: text).text == expected)
  }

  @Test(arguments: [
    ("https://x .org/a", WebURLError.Reason.space), ("https://x.org a/b", .space),
    ("a b", .space), ("https://x.org/a\tb", .controlCharacter), ("ftp://x.org/a b", .notWeb),
  ])
  func otherPastedTextsAreRejected(text: String, reason: WebURLError.Reason) throws {
    let error = try #require(throws: WebURLError.self) { try WebURL(pasted: text) }
    #expect(error.reason == reason)
  }
}
