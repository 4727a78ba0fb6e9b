import Testing

@testable import Exchange

/// Damaged files of other programs.
@Suite struct TrapTests {
  /// The samples by format.
  private static let samples: [(String, String)] = [
    ("chrome.html", Samples.chromeHTML), ("delicious.html", Samples.deliciousHTML),
    ("firefox.html", Samples.firefoxHTML), ("pocket.html", Samples.pocketHTML),
    ("Bookmarks", Samples.chromeJSON), ("firefox.json", Samples.firefoxJSON),
    ("pinboard.json", Samples.pinboardJSON), ("wallabag.json", Samples.wallabagJSON),
    ("omnivore.json", Samples.omnivoreJSON), ("feeds.opml", Samples.opml),
    (
      "t.csv",
      "url,title,tags\nhttps://a.org/,\"A \"\"quoted\"\"\ntitle\",\"x,y\"\nhttps://b.org/,B,\n"
    ),
    ("l.txt", "https://a.org/ A\nhttps://b.org/ B\n"),
    ("l.md", "# T\n\n## S\n- [A](https://a.org/) #x\n  note\n- [B](https://b.org/)\n"),
  ]

  @Test(arguments: samples.map(\.0))
  func readsTruncatedFiles(_ name: String) throws {
    let text = try #require(Self.samples.first { $0.0 == name }?.1)
    let bytes = Array(text.utf8)
    let whole = try Reading.of(bytes, name: name).reading
    #expect(!whole.links.isEmpty)
    for end in stride(from: 10, to: bytes.count, by: 10) {
      let reading = try Reading.of(Array(bytes[..<end]), name: name).reading
      // All records but the last equal those of the whole file.
      let known = reading.links.dropLast()
      #expect(known.count <= whole.links.count)
      #expect(known.map(\.url) == whole.links.prefix(known.count).map(\.url), "\(end)")
    }
  }

  @Test(arguments: samples.map(\.0))
  func readsByteOrderMarksAndUTF16(_ name: String) throws {
    let text = try #require(Self.samples.first { $0.0 == name }?.1)
    let whole = try Reading.of(text, name: name)
    let marked = try Reading.of([0xEF, 0xBB, 0xBF] + Array(text.utf8), name: name)
    #expect(marked == whole)
    let units = Array(text.utf16)
    let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try Reading.of(little, name: name) == whole)
    let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(try Reading.of(big, name: name) == whole)
  }

  @Test func readsWindows1252() throws {
    let bytes = Array("<DL><p><DT><A HREF=\"https://a.org/\">Ger".utf8) + [0xE4, 0x74, 0x65, 0x80]
    let reading = try Reading.of(bytes + Array("</A></DL>".utf8)).reading
    #expect(reading.links.map(\.title) == ["Geräte€"])
  }

  @Test func readsNestedFolders() throws {
    let depth = 40
    let text =
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n"
      + (1...depth).map { "<DT><H3>Folder \($0)</H3>\n<DL><p>\n" }.joined()
      + "<DT><A HREF=\"https://a.org/\">A</A>\n" + String(repeating: "</DL><p>\n", count: depth + 1)
    let reading = try Reading.of(text).reading
    #expect(reading.links.map(\.tags) == [(1...depth).map { "Folder \($0)" }])
    #expect(reading.problems == [])
  }

  @Test func limitsNestedFolders() throws {
    let html = "<DL>" + String(repeating: "<DT><H3>f</H3><DL>", count: 20_000)
    #expect(try Reading.of(html).reading.links == [])
    let json = "{\"roots\":{\"bookmark_bar\":" + String(repeating: "{\"children\":[", count: 20_000)
    #expect(try Reading.of(json).reading.links == [])
  }

  @Test func readsLongTitles() throws {
    let title = String(repeating: "täglich ", count: 120_000)
    let trimmed = String(title.dropLast())
    let html =
      "<DL><p><DT><A HREF=\"https://a.org/\">\(title)</A><DT><A HREF=\"https://b.org/\">B</A>"
    #expect(try Reading.of(html).reading.links.map(\.title) == [trimmed, "B"])
    let csv = "url,title\nhttps://a.org/,\"\(title)\"\nhttps://b.org/,B\n"
    #expect(try Reading.of(csv).reading.links.map(\.title) == [trimmed, "B"])
    let json =
      "[{\"url\":\"https://a.org/\",\"title\":\"\(title)\"},{\"url\":\"https://b.org/\",\"title\":\"B\"}]"
    #expect(try Reading.of(json).reading.links.map(\.title) == [trimmed, "B"])
    let opml = "<opml><body><outline text=\"\(title)\" url=\"https://a.org/\"/></body></opml>"
    #expect(try Reading.of(opml).reading.links.map(\.title) == [trimmed])
  }

  @Test func readsUnclosedQuotes() throws {
    let csv = "url,title\nhttps://a.org/,\"open\nhttps://b.org/,B\n"
    let table = try Reading.of(csv).reading
    #expect(table.links.map(\.url) == ["https://b.org/"])
    #expect(table.problems == ["2: a quote is never closed"])
    let html = """
      <DL><p>
      <DT><A HREF="https://a.org/ ADD_DATE="1">A</A>
      <DT><A HREF="https://b.org/" TAGS="x>B</A>
      <DT><A HREF="https://c.org/">C</A>
      """
    let page = try Reading.of(html).reading
    #expect(page.links.map(\.url).suffix(2) == ["https://b.org/", "https://c.org/"])
    #expect(page.problems.contains { $0.contains("a quote is never closed") })
  }

  @Test(
    arguments: [
      "javascript:void(0)", "place:sort=8", "data:text/html,x", "file:///etc/passwd",
      "chrome://settings", "about:blank", "mailto:a@b.org", "feed:x", "",
    ])
  func skipsOtherSchemes(_ address: String) throws {
    let reading = try Reading.of("<DL><p><DT><A HREF=\"\(address)\">Name</A></DL>").reading
    #expect(reading.links == [])
    #expect(reading.problems.count == 1)
    #expect(reading.problems[0].contains("“Name”"))
  }

  @Test(
    arguments: [
      (" https://a.org/x y\n", "https://a.org/x%20y"), ("HTTPS://A.org/", "HTTPS://A.org/"),
      ("https://a.org/\tb", "https://a.org/b"), ("https://a.org/ü", "https://a.org/ü"),
    ])
  func normalizesAddresses(_ address: String, _ expected: String) throws {
    let reading = try Reading.of("<DL><p><DT><A HREF=\"\(address)\">Name</A></DL>").reading
    #expect(reading.links.map(\.url) == [expected])
  }

  @Test func readsJSONUpToAnError() throws {
    let reading = try Reading.of(
      "[{\"url\":\"https://a.org/\"},\n{\"url\":\"https://b.org/\" oops},\n{\"url\":\"https://c.org/\"}]"
    ).reading
    #expect(reading.links.map(\.url) == ["https://a.org/"])
    #expect(
      reading.problems == [
        "2: reading stopped here: expected `,`"
      ])
  }
}
