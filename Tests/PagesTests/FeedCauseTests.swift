import CEL
import Testing

@testable import Pages

/// Peculiarities of real feeds, one per test.
@Suite struct FeedCauseTests {
  private func feed(_ text: String, url: String = "https://a.example/feed") throws -> Feed {
    try #require(PageParser.inUTC.feed(text, url: url))
  }

  private func item(_ content: String, _ attributes: String = "") throws -> Feed.Item {
    let feed = try feed("<rss \(attributes)><channel><item>\(content)</item></channel></rss>")
    return try #require(feed.items.first)
  }

  @Test func tagsInTextArePartOfIt() throws {
    let item = try item("<title>Hello <i>World</i> again</title><link>https://a.example/1</link>")
    #expect(item.title == "Hello World again")
    #expect(item.url == "https://a.example/1")
    #expect(try self.item("<title>Cut<pubDate>2026-11-20</pubDate>").title == "Cut")
  }

  @Test func atomMarkupIsKeptAndItsTextIsEscaped() throws {
    let feed = try feed(
      """
      <a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:h="http://www.w3.org/1999/xhtml">
      <a:subtitle type="xhtml"><h:div>Of <h:b>ships</h:b></h:div></a:subtitle>
      <a:entry><a:source><a:title>Other</a:title><a:id>x</a:id></a:source><a:title>One</a:title>
      <a:content type="xhtml"><h:div><h:a href="/x" onclick="y()">1 &lt; 2</h:a>
      &lt;script&gt;alert(1)&lt;/script&gt;<h:script>alert(2)</h:script></h:div></a:content>
      </a:entry></a:feed>
      """)
    #expect(feed.kind == "atom")
    #expect(feed.description == "Of ships")
    let item = try #require(feed.items.first)
    #expect(item.title == "One")
    #expect(item.id == nil)
    let content = try #require(item.content)
    #expect(content.hasPrefix(#"<div><a href="/x">1 &lt; 2</a>"#))
    #expect(content.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!content.contains("<script") && !content.contains("alert(2)"))
  }

  @Test(arguments: [
    "<script>x()</script>", "<img src=x onerror=x()>", "<a href='javascript:x()'>a</a>",
    "<a href=' java&#10;script:x()'>a</a>", "<iframe src='https://x.example'></iframe>",
    "<svg onload=x()><script>x()</script></svg>", "<p style='width:expression(x())'>p</p>",
    "<object data=x></object>", "<meta http-equiv=refresh content='0'>", "<scr<script>ipt>x()",
    "<a href='data:text/html,<script>x()</script>'>a</a>", "<base href='https://x.example'>",
    "<style>@import 'x'</style>", "<embed src=x>", "<IMG SRC=\"vbscript:x\">",
  ])
  func contentHasNoScripts(_ html: String) throws {
    let escaped = html.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let content = try #require(
      try item(
        "<description>\(escaped)</description>"
          + "<content:encoded>\(escaped)<p>kept</p></content:encoded>"
      ).content)
    for bad in [
      "<script", "onerror", "onload", "javascript", "java\nscript", "vbscript", "<iframe",
      "<object",
      "<embed", "<meta", "<base", "<style", "expression", "data:text",
    ] {
      #expect(!content.lowercased().contains(bad), "\(content)")
    }
    #expect(content.contains("kept"))
  }

  @Test func dublinCoreWithAnyPrefix() throws {
    let item = try item(
      """
      <x:title>Fallback</x:title><t:created>2026-11-19</t:created><t:modified>2026-11-20</t:modified>
      <x:creator>Ann</x:creator><x:subject>sea</x:subject>
      """,
      "xmlns:x='http://purl.org/dc/elements/1.1/' xmlns:t='http://purl.org/dc/terms/'")
    #expect(item.title == "Fallback")
    #expect(item.date?.text == "2026-11-19T00:00:00Z")
    #expect(item.updated?.text == "2026-11-20T00:00:00Z")
    #expect(item.author == "Ann")
    #expect(item.tags == ["sea"])
  }

  @Test func rdfAboutIsTheID() throws {
    let item = try item(
      "<title>One</title>", "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'")
    #expect(item.url == nil)
    let feed = try feed(
      "<rdf:RDF xmlns='http://purl.org/rss/1.0/'><item rdf:about='https://a.example/1'/></rdf:RDF>")
    #expect(feed.items.first?.id == "https://a.example/1")
    #expect(feed.items.first?.url == "https://a.example/1")
  }

  @Test func identifierThatIsNotAURL() throws {
    #expect(try item("<guid>abc</guid>").url == nil)
    let both = "<guid>https://a.example/guid</guid><link>https://a.example/link</link>"
    #expect(try item(both).url == "https://a.example/link")
  }

  @Test func baseURLs() throws {
    let feed = try feed(
      """
      <feed xml:base="https://b.example/x/"><entry xml:base="y/"><link href="z"/></entry>
      <entry><link href="z"/></entry></feed>
      """)
    #expect(feed.items.map(\.url) == ["https://b.example/x/y/z", "https://b.example/x/z"])
  }

  @Test func base64Content() throws {
    let feed = try feed(
      """
      <feed><entry><title mode="base64">T25lICZhbXA7IHR3bw==</title>
      <content type="application/octet-stream">PGI+Ym9sZDwvYj4=</content></entry></feed>
      """)
    #expect(feed.items.first?.title == "One & two")
    #expect(feed.items.first?.content == "<b>bold</b>")
  }

  @Test func summaryDefaultsToTheContent() throws {
    #expect(try item("<content:encoded>&lt;p&gt;All&lt;/p&gt;</content:encoded>").summary == "All")
  }

  @Test func firstDateOfAKindCounts() throws {
    let item = try item(
      "<updated>2026-11-20</updated><published>2026-11-19</published>")
    #expect(item.date?.text == "2026-11-19T00:00:00Z")
  }

  @Test(arguments: [
    ("Thu, 30 Apr 2015 08:57:00 MET", "2015-04-30T07:57:00Z"),
    ("Thu, 30 Apr 2015 08:57:00 MEST", "2015-04-30T06:57:00Z"),
    ("Mon, 26 January 2004 16:31:00 ET", "2004-01-26T21:31:00Z"),
    ("Mon, 26 July 2021 16:31:00 PT", "2021-07-26T23:31:00Z"),
    ("Sun, 14 Mar 2021 16:31:00 ET", "2021-03-14T20:31:00Z"),
    ("Sat, 13 Mar 2021 16:31:00 ET", "2021-03-13T21:31:00Z"),
    ("20 Nov 2026 14:00 IST", "2026-11-20T08:30:00Z"),
    ("20 Nov 2026 14:00 AEST", "2026-11-20T04:00:00Z"),
    ("20 Nov 2026 14:00 Etc/GMT", "2026-11-20T14:00:00Z"),
    ("20 Nov 2026 14:00 XYZT", "2026-11-20T14:00:00Z"),
    ("20 Nov 2026 14:00 GMT-01:01", "2026-11-20T15:01:00Z"),
    ("Thu, 01 Jan 04", "2004-01-01T00:00:00Z"), ("2003", "2003-01-01T00:00:00Z"),
    ("031231", "2003-12-31T00:00:00Z"), ("03-12-31", "2003-12-31T00:00:00Z"),
    ("-0312", "2003-12-01T00:00:00Z"), ("-03-12", "2003-12-01T00:00:00Z"),
    ("2003-335", "2003-12-01T00:00:00Z"), ("03335", "2003-12-01T00:00:00Z"),
    ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z"),
    ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00Z"),
    ("2004-05-25 오후 11:23:17", "2004-05-25T14:23:17Z"),
    ("2004년 05월 28일  01:31:15", "2004-05-27T16:31:15Z"),
    ("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53Z"),
  ])
  func datesOfFeeds(_ text: String, _ expected: String) {
    #expect(
      PageDate { _ in Timestamp(seconds: 0) }.timestamp(ofFeed: text)?.text == expected
        || PageDate { $0.timestamp() }.timestamp(ofFeed: text)?.text == expected)
  }

  @Test(arguments: [
    "20 Nov 2026 14:00 IST", "20 Nov 2026 14:00 XYZT", "20 Nov 2026 14:00 AEST",
    "20 Nov 2026 14:00 ET", "20 Nov 2026 14:00 MET",
  ])
  func zoneNamesAreRecognized(_ text: String) {
    let dates = PageDate { _ in Timestamp(seconds: 0) }
    #expect(dates.timestamp(ofFeed: text) != Timestamp(seconds: 0))
  }

  @Test func exifLocationIsRead() {
    func two(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    func four(_ number: Int) -> [UInt8] { two(number & 0xFFFF) + two(number >> 16) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      two(tag) + two(type) + four(count) + value
    }
    let degrees = [52, 1, 30, 1, 0, 1, 13, 1, 15, 1, 36, 1].flatMap(four)
    let bytes =
      Array("II".utf8) + two(42) + four(8) + two(1) + entry(0x8825, 4, 1, four(26)) + four(0)
      + two(4) + entry(1, 2, 2, [0x53, 0, 0, 0]) + entry(2, 5, 3, four(80))
      + entry(3, 2, 2, [0x45, 0, 0, 0]) + entry(4, 5, 3, four(104)) + four(0) + degrees
    let page = PageParser.inUTC.page(bytes, url: "", mediaType: "")
    #expect(page.kind == "image")
    #expect(page.place?.latitude == -52.5)
    #expect(page.place.map { ($0.longitude * 100).rounded() / 100 } == 13.26)
  }

  /// Non-Latin text has few zeros in UTF-16, and used to be taken for binary data.
  @Test(arguments: [
    "Привет, мир!\nЭто текст на русском языке.", "مرحبا بالعالم\nهذا نص", "你好，世界。\n这是一段文字。",
    "안녕하세요 세계\n", "A title\nAnd text", "Γειά σου Κόσμε",
  ])
  func utf16WithoutAByteOrderMark(_ text: String) {
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [big, little] {
      for type in ["", "text/plain; charset=utf-16"] {
        let page = PageParser.inUTC.page(bytes, url: "", mediaType: type)
        #expect(page.kind == "text")
        #expect(page.text == text.trimmingCharacters)
      }
    }
  }
}

extension String {
  /// The text without trailing line breaks.
  fileprivate var trimmingCharacters: String {
    var text = self
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
