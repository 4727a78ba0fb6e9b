import Links
import Testing

/// Web addresses in texts, without the marks of their sentences.
@Suite struct TextLinksTests {
  @Test(arguments: [
    (
      "See https://a.example/x, and (http://b.example/y).",
      ["https://a.example/x", "http://b.example/y"]
    ),
    (
      "https://a.example/w_(d)! [t](https://b.example/) <https://c.example>",
      ["https://a.example/w_(d)", "https://b.example/", "https://c.example"]
    ),
    ("[https://a.example](https://a.example)", ["https://a.example"]),
    (
      "https://a.example/x(open https://[::1]:80/y]", ["https://a.example/x", "https://[::1]:80/y"]
    ),
    // Brackets, quotes and marks of other scripts.
    ("これは「https://a.example/q」、です", ["https://a.example/q"]),
    (
      "『https://a.example/1』（https://a.example/2）【https://a.example/3】。https://a.example/4，https://a.example/5！",
      [
        "https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4",
        "https://a.example/5",
      ]
    ),
    (
      "《https://a.example/1》〈https://a.example/2〉https://a.example/3：；？",
      ["https://a.example/1", "https://a.example/2", "https://a.example/3"]
    ),
    (
      "»https://a.example/1« «https://a.example/2» “https://a.example/3” „https://a.example/4“ ‘https://a.example/5’…",
      [
        "https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4",
        "https://a.example/5",
      ]
    ),
    // Letters of any script belong to a path, but not to a host in ASCII.
    ("https://a.example/ウィキ/パン_(食)を", ["https://a.example/ウィキ/パン_(食)を"]),
    ("https://a.exampleを見て http://例え.jp/x", ["https://a.example", "http://例え.jp/x"]),
    // Marks that stand around an address.
    (
      "*https://a.example/x* _https://a.example/y_ https://a.example/z_",
      ["https://a.example/x", "https://a.example/y", "https://a.example/z_"]
    ),
    (
      "HTTPS://A.example/x https://a.example/x https://a.example/x",
      ["HTTPS://A.example/x", "https://a.example/x"]
    ),
    ("ftp://a.example https:// https://a:b/ ://x", []),
  ])
  func addressesEndWhereTheyEnd(text: String, urls: [String]) {
    #expect(TextLinks.urls(in: text) == urls)
  }

  /// Texts that would take long if an address were read more than once.
  @Test(arguments: ["http://", "http://a(", "http://a.b/(x", "://", "https://a.b/「"])
  func longTextsEnd(_ piece: String) {
    _ = TextLinks.urls(in: String(repeating: piece, count: 50_000))
  }
}
