import Testing

@testable import Pages

/// Rules of `robots.txt` (RFC 9309 §5 and beyond).
@Suite struct RobotsTests {
  @Test(arguments: [
    ("", "/a", true),
    ("User-agent: *\nDisallow: /", "/a", false),
    ("User-agent: *\nDisallow:", "/a", true),
    ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true),
    ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/c", false),
    ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", true),
    ("user-agent: ERRAND\nDisallow: /x\n\nUser-agent: *\nDisallow: /", "/a", true),
    ("User-agent: errand/1.0\nUser-agent: other\nDisallow: /x", "/x", false),
    ("User-agent: other\nDisallow: /\nUser-agent: third\nDisallow: /", "/a", true),
    ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdf", false),
    ("User-agent: *\nDisallow: /*.pdf$", "/a/b.pdfx", true),
    ("User-agent: *\nDisallow: /*/secret", "/a/b/secret/c", false),
    ("User-agent: *\nDisallow: /?q=", "/?q=1", false),
    ("User-agent: * # all\nDisallow: /tmp # not this", "/tmp/x", false),
    ("User-agent: *\nDisallow: /ä", "/%c3%A4/x", false),
    ("Sitemap: x\nnonsense\nDisallow: /\n", "/a", true),
    ("User-agent: *\nDisallow: /", "/robots.txt", true),
  ])
  func allows(robots: String, path: String, expected: Bool) {
    #expect(RobotsRules(robots, agent: "errand").allows("https://a.example" + path) == expected)
  }

  @Test func manyWildcardsTerminate() {
    let pattern = String(repeating: "*a", count: 400) + "$"
    let rules = RobotsRules("User-agent: *\nDisallow: /\(pattern)", agent: "errand")
    #expect(rules.allows("https://a.example/" + String(repeating: "a", count: 5_000) + "b"))
  }
}
