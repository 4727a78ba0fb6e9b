import TestSupport
import Testing

@testable import Links

@Suite struct WebURLCanonicalTests {
  @Test(arguments: [
    // The same page.
    ("HTTP://EXAMPLE.org", "http://example.org/"), ("http://a:80/", "http://a/"),
    ("https://a:443?x", "https://a/?x"), ("https://a:0443/", "https://a/"),
    ("http://a/%7euser/%41", "http://a/~user/A"), ("http://a/%c3%a9", "http://a/%C3%A9"),
    ("http://a/é?é#é", "http://a/%C3%A9?%C3%A9#%C3%A9"), ("http://a/{x}|", "http://a/%7Bx%7D%7C"),
    ("http://a/b/../c/./d", "http://a/c/d"), ("http://a/%2E%2e/b", "http://a/b"),
    ("http://a/?", "http://a/"), ("http://a/#", "http://a/"), ("http://@a/", "http://a/"),
    ("http://a%41.org", "http://aa.org/"), ("http://BÜCHER.org/", "http://bücher.org/"),
    ("http://a/?utm_source=x&b=1&UTM_Medium=y", "http://a/?b=1"),
    ("http://a/?fbclid=1", "http://a/"), ("http://a/?utm%5Fsource=x", "http://a/"),
    ("http://a/?a=1&_ga=2#x", "http://a/?a=1#x"), ("http://a/?hsCtaTracking=1", "http://a/"),
    ("http://a/#:~:text=some%20words", "http://a/"), ("http://a/#top:~:text=x", "http://a/#top"),
    ("http://a/#:%7E:text=x", "http://a/"),
    // Significant differences.
    ("https://www.a/b/", "https://www.a/b/"), ("http://a/b?b=2&a=1", "http://a/b?b=2&a=1"),
    (
      "http://a/?ref=1&source=2&feature=3&keywords=4",
      "http://a/?ref=1&source=2&feature=3&keywords=4"
    ),
    ("http://a/#!/page", "http://a/#!/page"), ("http://a/?a=+", "http://a/?a=+"),
    ("http://a//b", "http://a//b"), ("http://a/%2F", "http://a/%2F"),
    ("http://a/?a&&b=", "http://a/?a&&b="), ("http://a:8080/", "http://a:8080/"),
    ("http://me:pw@a/", "http://me:pw@a/"), ("http://a/\\~x", "http://a/\\~x"),
    ("http://a/?utmost=1&x_utm_source=2", "http://a/?utmost=1&x_utm_source=2"),
    // A component with a stray percent sign is not decoded.
    ("http://a/%%361/%41", "http://a/%%361/A"), ("http://a/100%", "http://a/100%"),
    ("http://a/?utm_id=%&b=%41", "http://a/?b=A"),
  ])
  func equivalentURLsHaveOneCanonicalForm(text: String, expected: String) throws {
    let url = try WebURL(text)
    #expect(url.canonical == expected)
    #expect(url.text == text)
    #expect(try WebURL(expected).canonical == expected)
  }

  @Test func canonicalFormOfRandomURLsIsIdempotent() throws {
    let pieces = [
      "a", "B", "é", "%", "%4", "%41", "%2e", "%2F", "%25", "%c3", ".", "..", "/", "//", "?", "#",
      "&", "=", "utm_source", "utm%5Fid", "fbclid=", ":~:text=", ":%7E:text=", "|", "\\", "+", ":",
      "\u{308}", "\u{130}",
    ]
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50_000 {
      let length = Int.random(in: 0...12, using: &random)
      let tail = (0..<length).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      let text = "http://H%41ſ\u{130}:80/" + tail
      let once = try WebURL(text).canonical
      #expect(try WebURL(once).canonical == once, "\(text)")
    }
  }

  @Test func trackingListContainsOnlyNames() {
    let list = TrackingNames(list: "# note\na_*\nb\n")
    #expect(list.contain("A_x"))
    #expect(list.contain("b"))
    #expect(!list.contain("bb"))
    #expect(!list.contain("# note"))
  }

  /// Addresses that probably lead to the same page, and others.
  @Test(arguments: [
    ("https://www.a.example/b/", "http://a.example/b", true),
    ("https://a.example/b#part", "https://a.example/b", true),
    ("https://a.example/?b=1&a=2&utm_source=x", "https://a.example?a=2&b=1", true),
    ("https://a.example/#/b", "https://a.example/", false),
    ("https://a.example/#!b", "https://a.example/#!c", false),
    ("https://a.example/B", "https://a.example/b", false),
    ("https://a.example:8080/", "https://a.example/", false),
    ("https://a.example/?a=1", "https://a.example/?a=2", false),
  ])
  func pagesHaveOneKey(one: String, other: String, isSame: Bool) throws {
    #expect(try (WebURL(one).pageKey == WebURL(other).pageKey) == isSame)
  }

  @Test(arguments: [
    ("HTTPS://a.example/%7eb?utm_source=x&B=%41&fbclid=y#c", "HTTPS://a.example/%7eb?B=%41#c"),
    ("https://a.example?utm_source=x", "https://a.example"),
    ("https://a.example/#:~:text=x", "https://a.example/"),
    ("https://a.example/?&a=1&&#", "https://a.example/?&a=1&&#"),
  ])
  func cleanAddressesLoseNothingElse(text: String, clean: String) throws {
    #expect(try WebURL(text).clean == clean)
    #expect(try WebURL(clean).clean == clean)
  }

  @Test func theCleanAddressStays() {
    let (clean, tracked) = ("https://a.example/x", "https://a.example/x?utm_source=y")
    #expect(WebURL.preferred(clean, tracked) == clean)
    #expect(WebURL.preferred(tracked, clean) == clean)
    #expect(WebURL.preferred(tracked, tracked + "&fbclid=z") == tracked)
    #expect(WebURL.preferred("https://A.example/x", clean) == clean)
  }
}
