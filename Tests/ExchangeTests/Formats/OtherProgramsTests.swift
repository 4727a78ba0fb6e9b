import CEL
import CSQLite
import FoundationEssentials
import Testing

@testable import Exchange

/// Data beyond plain bookmarks in the files of other programs.
@Suite struct OtherProgramsTests {
  private typealias Link = Reading.Link

  private func html(_ entries: String) -> String {
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n\(entries)\n</DL><p>\n"
  }

  @Test func keepsMarkupInNotes() throws {
    let reading = try Reading.of(
      html(
        """
        <DT><A HREF="https://a.example/" ADD_DATE="1577836800" DESCRIPTION="In the tag">A</A>
        <DD>One <b>two</b> three<ul><li>four<li>five</ul>
        <h3>Six</h3>seven <a href="https://s.example/">eight</a> nine
        <DT><A HREF="https://b.example/">B</A>
        """)
    ).reading
    #expect(reading.links.map(\.url) == ["https://a.example/", "https://b.example/"])
    let note = try #require(reading.links.first?.summary)
    #expect(note.hasPrefix("In the tag\n\nOne two three"))
    for part in ["- four", "- five", "Six", "seven eight <https://s.example/> nine"] {
      #expect(note.contains(part), "\(part)")
    }
    #expect(reading.problems == [])
  }

  @Test func privateBookmarksStayPrivate() throws {
    let reading = try Reading.of(
      html(
        """
        <DT><A HREF="https://a.example/" PRIVATE="1">A</A>
        <DT><A HREF="https://b.example/" PRIVATE="0">B</A>
        <DT><A HREF="/shaare/x1" PRIVATE="1">Secret</A>
        """)
    ).reading
    #expect(reading.privateLinks == ["https://a.example/"])
    #expect(reading.notes == ["Secret [] "])
    #expect(reading.problems == ["5: a note cannot be private"])
    let pinboard = #"[{"href":"https://c.example/","description":"C","extended":"","shared":"no"}]"#
    #expect(try Reading.of(pinboard).reading.privateLinks == ["https://c.example/"])
  }

  @Test func readsLinkdingsArchivedTag() throws {
    let reading = try Reading.of(
      html(
        """
        <DT><A HREF="https://a.example/" TOREAD="0" TAGS="x,linkding:bookmarks.archived">A</A>
        <DD>Short[linkding-notes]Long[/linkding-notes]
        """)
    ).reading
    #expect(
      reading.links == [
        Link(
          url: "https://a.example/", title: "A", summary: "Short\n\nLong", tags: ["x"],
          reading: "archived")
      ])
    let json = """
      {"count": 1, "next": null, "results": [{"url": "https://b.example/", "title": "B", \
      "is_archived": true, "unread": true, "tag_names": ["one", "two"], "notes": "N", \
      "date_added": "2020-01-01T00:00:00Z"}]}
      """
    #expect(
      try Reading.of(json).reading.links == [
        Link(
          url: "https://b.example/", title: "B", summary: "N", tags: ["one", "two"],
          reading: "archived", createdAt: "2020-01-01T00:00:00Z")
      ])
  }

  @Test func readsServerLogDates() throws {
    let reading = try Reading.of(
      html(#"<DT><A HREF="https://a.example/" ADD_DATE="10/Oct/2000:13:55:36 -0700">A</A>"#)
    ).reading
    #expect(reading.links.map(\.createdAt) == ["2000-10-10T20:55:36Z"])
    #expect(reading.problems == [])
  }

  @Test func readsSafarisReadingList() throws {
    let page = html(
      """
      <DT><H3 FOLDED>Work</H3>
      <DL><p><DT><A HREF="https://a.example/">A</A></DL><p>
      <DT><H3 FOLDED id="com.apple.ReadingList">Reading List</H3>
      <DL><p><DT><A HREF="https://b.example/">B</A></DL><p>
      """)
    #expect(
      try Reading.of(page).reading.links == [
        Link(url: "https://a.example/", title: "A", tags: ["Work"]),
        Link(url: "https://b.example/", title: "B", reading: "unread"),
      ])
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>Children</key><array>
      <dict><key>Title</key><string>History</string><key>WebBookmarkType</key>
      <string>WebBookmarkTypeProxy</string></dict>
      <dict><key>Title</key><string>BookmarksBar</string><key>Children</key><array>
      <dict><key>URLString</key><string>https://a.example/?x=1&amp;y</string>
      <key>URIDictionary</key><dict><key>title</key><string>A</string></dict></dict>
      <dict><key>Title</key><string>Work</string><key>Children</key><array>
      <dict><key>URLString</key><string>https://b.example/</string></dict></array></dict></array></dict>
      <dict><key>Title</key><string>com.apple.ReadingList</string><key>Children</key><array>
      <dict><key>ReadingList</key><dict><key>DateAdded</key><date>2020-01-01T00:00:00Z</date>
      <key>PreviewText</key><string>What it says</string></dict>
      <key>URLString</key><string>https://c.example/</string></dict></array></dict>
      </array></dict></plist>
      """
    let (format, reading) = try Reading.of(list)
    #expect(format == .safari)
    #expect(
      reading
        == Reading(links: [
          Link(url: "https://a.example/?x=1&y", title: "A"),
          Link(url: "https://b.example/", tags: ["Work"]),
          Link(
            url: "https://c.example/", summary: "What it says", reading: "unread",
            createdAt: "2020-01-01T00:00:00Z"),
        ]))
    let end = try #require(list.firstRange(of: "https://c.example"))
    let cut = try Reading.of(String(list[..<end.lowerBound])).reading
    #expect(cut.links.count == 2)
    #expect(cut.problems == ["2: the file ends early"])
  }

  /// `{"Children": [{"URLString": "https://a.example/"}]}` as a binary property list.
  @Test func readsBinaryPropertyLists() throws {
    let url = Array("https://a.example/".utf8)
    let objects: [[UInt8]] = [
      [0xD1, 1, 2], [0x58] + Array("Children".utf8), [0xA1, 3], [0xD1, 4, 5],
      [0x59] + Array("URLString".utf8), [0x5F, 0x10, UInt8(url.count)] + url,
    ]
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 6] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, 0, table]
    let (format, reading) = try Reading.of(bytes)
    #expect(format == .safari)
    #expect(reading == Reading(links: [Link(url: "https://a.example/")]))
    #expect(try Reading.of(Array(bytes.dropLast(9))).reading.problems.count == 1)
  }

  @Test func readsXBEL() throws {
    let (format, reading) = try Reading.of(
      """
      <?xml version="1.0"?><!DOCTYPE xbel PUBLIC "x" "y">
      <xbel version="1.0"><title>All</title>
      <folder><title>Work</title><desc>About it</desc>
      <bookmark href="https://a.example/?a&amp;b" added="2020-01-01T00:00:00Z" TAGS="x,two words">
      <title>A &lt;1&gt;</title><desc>Note</desc></bookmark></folder>
      <bookmark href="https://b.example/"/></xbel>
      """)
    #expect(format == .xbel)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://a.example/?a&b", title: "A <1>", summary: "Note",
              tags: ["x", "two words", "Work"], createdAt: "2020-01-01T00:00:00Z"),
            Link(url: "https://b.example/"),
          ], leftOut: ["3: left out: the note of the folder “Work”"]))
  }

  @Test func readsFeeds() throws {
    let (format, atom) = try Reading.of(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Bookmarks</title><entry><title>A</title>
      <link href="https://a.example/" rel="alternate"/><id>1</id><category term="x"/>
      <content type="html"> <![CDATA[ <p>Note</p> ]]> </content></entry></feed>
      """)
    #expect(format == .feed)
    #expect(
      atom
        == Reading(links: [
          Link(url: "https://a.example/", title: "A", summary: "Note", tags: ["x"])
        ]))
    let long = String(repeating: "long ", count: 500)
    let rss = try Reading.of(
      """
      <rss><channel><title>T</title><link>https://t.example/</link><item><title>B</title>
      <link>https://b.example/</link><description>\(long)</description><category>y</category>
      <pubDate>Wed, 01 Jan 2020 00:00:00 GMT</pubDate></item><item><title>Cut
      """
    ).reading
    #expect(
      rss.links == [
        Link(
          url: "https://b.example/", title: "B", summary: String(long.dropLast()), tags: ["y"],
          createdAt: "2020-01-01T00:00:00Z")
      ])
    #expect(rss.problems.first == "3: the file ends within an item")
  }

  @Test func readsOrg() throws {
    let (format, reading) = try Reading.of(
      """
      #+TITLE: Links
      * Work                                   :job:
      ** TODO [[https://a.example/][The A]] :one:two:
      :PROPERTIES:
      :CREATED: [2020-01-01 Wed 10:00]
      :END:
      Its note
      - more of it
      ** Notes
      - [[https://b.example/][B]] words behind
        and below
      - <https://c.example/>
      * Read
      :PROPERTIES:
      :URL: https://d.example/
      :COLOUR: red
      :END:
      """)
    #expect(format == .org)
    #expect(
      reading.links == [
        Link(
          url: "https://a.example/", title: "The A", summary: "Its note\n- more of it",
          tags: ["job", "one", "two", "Work"], reading: "unread", createdAt: "2020-01-01T10:00:00"),
        Link(
          url: "https://b.example/", title: "B", summary: "words behind\nand below",
          tags: ["job", "Work", "Notes"]),
        Link(url: "https://c.example/", tags: ["job", "Work", "Notes"]),
        Link(url: "https://d.example/", title: "Read"),
      ])
    #expect(reading.leftOut == ["16: left out: the property `COLOUR`"])
  }

  @Test func readsBukuMarkdown() throws {
    let reading = try Reading.of(
      "- [A (1)](https://a.example/) <!-- TAGS: one,two words -->\n- <https://b.example/>\n"
    ).reading
    #expect(
      reading.links == [
        Link(url: "https://a.example/", title: "A (1)", tags: ["one", "two words"]),
        Link(url: "https://b.example/"),
      ])
  }

  @Test func readsBukuDatabases() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).db"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let content = """
      CREATE TABLE if not exists bookmarks (id integer PRIMARY KEY, URL text NOT NULL UNIQUE, \
      metadata text default '', tags text default ',', desc text default '', flags integer);
      INSERT INTO bookmarks VALUES (1, 'https://a.example/', 'A', ',one,two words,', 'Note', 0);
      """
    #expect(sqlite3_exec(database, content, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let data = try Array(Data(contentsOf: URL(filePath: path)))
    let (format, reading) = try Reading.of(data, name: path)
    #expect(format == .buku)
    #expect(
      reading
        == Reading(links: [
          Link(
            url: "https://a.example/", title: "A", summary: "Note", tags: ["one", "two words"])
        ]))
  }

  @Test func readsOPMLCategoriesAsPaths() throws {
    let reading = try Reading.of(
      #"<opml><body><outline text="A" url="https://a.example/" category="/news,/tech/swift,x"/></body></opml>"#
    ).reading
    #expect(reading.links.map(\.tags) == [["news", "tech/swift", "x"]])
  }

  @Test(arguments: [
    "<?xml version=\"1.0\"?><svg><g/></svg>", "<root>\n<x>1</x></root>",
    "{\n\"a\": {\"b\": 1}\n}",
  ])
  func reportsFilesWithoutBookmarks(_ text: String) throws {
    let reading = try Reading.of(text, name: "x").reading
    #expect(reading.links.isEmpty)
    #expect(
      reading.problems.first?.hasSuffix("nothing in the file was understood") == true)
    #expect(try Reading.of("<DL><p></DL>").reading == Reading())
  }

  @Test func writesMarkdownThatBukuReads() throws {
    // Its pattern is greedy: the address ends at the last bracket of the line, and the tags at the last end of a
    // comment.
    let line = "- [A](https://a.example/a_(b)) <!-- TAGS: x,two words -->"
    let links = InlineLinks.links(in: line)
    #expect(links.map(\.address) == ["https://a.example/a_(b)"])
    #expect(links.map(\.tags) == [["x", "two words"]])
  }

  @Test func readsAllItemsOfKarakeep() throws {
    let reading = try Reading.of(
      """
      {"bookmarks": [
      {"createdAt": 1717236000, "title": "A", "tags": ["x"], "lists": ["l2"], "note": "N",
       "content": {"type": "link", "url": "https://a.example/", "description": "D"},
       "archived": true, "favourited": true},
      {"createdAt": 1717236000, "title": null, "tags": ["y"],
       "content": {"type": "text", "text": "Words"}, "archived": false},
      {"createdAt": 1717236000, "title": "A file", "tags": [],
       "content": {"type": "asset", "assetId": "1"}}],
      "lists": [{"id": "l2", "name": "Bread", "parentId": "l1", "description": "Of lists"},
      {"id": "l1", "name": "Baking", "parentId": null}]}
      """
    ).reading
    #expect(
      reading.links == [
        Link(
          url: "https://a.example/", title: "A", summary: "N\n\nD", tags: ["x", "Baking", "Bread"],
          reading: "archived", favourite: true, createdAt: "2024-06-01T10:00:00Z")
      ])
    #expect(reading.notes == ["Words [y] 2024-06-01T10:00:00Z"])
    #expect(reading.problems == ["7: left out: a bookmark “A file” without an address"])
    #expect(
      reading.leftOut == [
        "8: left out: the member `content.assetId`",
        "9: left out: the note of the folder “Bread”",
      ])
  }

  /// The states of services, as each writes them, and the reading state they mean.
  @Test(
    arguments: [
      (#"[{"url":"U","is_archived":1}]"#, "archived"),
      (#"[{"url":"U","is_archived":0}]"#, "unread"),
      (#"[{"url":"U","is_archived":false,"unread":false}]"#, nil),
      (#"[{"url":"U","is_archived":false,"unread":true}]"#, "unread"),
      (#"[{"given_url":"U","status":"1"}]"#, "archived"),
      (#"[{"given_url":"U","status":"0"}]"#, "unread"), (#"[{"url":"U","status":1}]"#, nil),
      (#"[{"url":"U","state":"Archived"}]"#, "archived"), (#"[{"url":"U","state":"Active"}]"#, nil),
      (#"[{"href":"U","extended":"","toread":"yes"}]"#, "unread"),
      (#"[{"href":"U","extended":"","toread":"no"}]"#, nil),
      (#"{"bookmarks":[{"url":"U","archived":true}]}"#, "archived"),
      ("url,folder\nU,Archive\n", "archived"), ("url,folder\nU,unread\n", "unread"),
      ("url,status\nU,archive\n", "archived"), ("url,status\nU,2\n", nil),
      ("url,location\nU,later\n", "unread"), ("url,is_archived\nU,unread\n", "unread"),
    ] as [(String, String?)])
  func readsStates(_ text: String, _ state: String?) throws {
    let reading = try Reading.of(text.replacing("U", with: "https://a.example/")).reading
    #expect(reading.links.map(\.reading) == [state])
  }

  @Test(arguments: ["<!-- begins", "<![CDATA[ begins", "<b class=", "<b class=\"x"])
  func bookmarksAfterUnclosedMarkupAreRead(_ markup: String) throws {
    let reading = try Reading.of(
      html(
        """
        <DT><A HREF="https://a.example/">A</A>
        <DD>the mark \(markup)
        <DT><A HREF="https://b.example/">B</A>
        <DT><A HREF="https://c.example/">C</A>
        """)
    ).reading
    #expect(
      reading.links.map(\.url) == [
        "https://a.example/", "https://b.example/", "https://c.example/",
      ])
    #expect(reading.links.first?.summary?.hasPrefix("the mark") == true)
  }
}
