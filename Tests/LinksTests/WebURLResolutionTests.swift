import Testing

@testable import Links

@Suite struct WebURLResolutionTests {
  /// The table in RFC 3986 §5.4.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"), ("https://x/y/../z", "https://x/y/../z"),
  ])
  func rfcExamples(reference: String, expected: String) throws {
    #expect(try WebURL("http://a/b/c/d;p?q").resolve(reference).text == expected)
  }

  @Test(arguments: [
    ("http://a", "g", "http://a/g"), ("http://a?q", "g", "http://a/g"),
    ("http://u@a:81/x?y#z", "", "http://u@a:81/x?y"), ("http://a/b", "é/ü", "http://a/é/ü"),
    ("http://a/\u{308}b/c", "g", "http://a/\u{308}b/g"), ("http://a/b/", "..//c", "http://a//c"),
  ])
  func otherBasesAreResolved(base: String, reference: String, expected: String) throws {
    #expect(try WebURL(base).resolve(reference).text == expected)
  }

  @Test(arguments: ["g:h", "mailto:a@b", "//", "a b", "http:g"])
  func nonWebURLIsAnError(reference: String) throws {
    let base = try WebURL("http://a/b")
    #expect(throws: WebURLError.self) { try base.resolve(reference) }
  }
}
