import CEL
import Testing

@testable import Exchange

/// Notes, highlights, files that are one link, and tabs of other programs.
@Suite struct NoteFormatTests {
  private let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
  private let pictureItem =
    #"{"entity":"File","hash":"0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543","path":".files/0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543","name":"pic.png","size":4,"source":"Kitchen","mediaType":"image/png"}"#

  private func expect(
    _ text: String, name: String, is format: ImportFormat, _ items: [String],
    problems: [String] = [], beside: [String: [UInt8]] = [:]
  ) throws {
    let read = try ForeignItems.of(text, name: name, beside: beside)
    #expect(read == ForeignItems(format: format, items: items, problems: problems))
  }

  @Test func keepsNotesHaveListsLinksAndFilesBeside() throws {
    try expect(
      #"""
      {"color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":true,"textContent":"Buy\nsalt","title":"Kitchen","userEditedTimestampUsec":1767308400000000,"createdTimestampUsec":1767000000000000,"labels":[{"name":"home"}],"listContent":[{"text":"eggs","isChecked":true},{"text":"milk","isChecked":false}],"annotations":[{"source":"WEBLINK","title":"Salt","url":"https://example.org/salt"}],"attachments":[{"filePath":"pic.png","mimetype":"image/png"},{"filePath":"../x.png"},{"filePath":"no.png"}]}
      """#, name: "k.json", is: .keep,
      [
        pictureItem,
        #"{"entity":"Note","text":"Kitchen\n\nBuy\nsalt\n\n- [x] eggs\n- [ ] milk\n\nSalt\nhttps://example.org/salt\n\n[pic.png]","tags":["home"],"pinned":true,"createdAt":"2025-12-29T09:20:00Z","updatedAt":"2026-01-01T23:00:00Z"}"#,
      ],
      problems: [
        "1: its file “../x.png” is not there", "1: its file “no.png” is not there",
        "1: a note cannot be archived",
      ], beside: ["pic.png": picture, "../x.png": picture])
  }

  @Test func evernotesNotesHaveMarkdownLinksAndFiles() throws {
    try expect(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <en-export application="Evernote">
      <note><title>Kitchen</title><created>20250102T030405Z</created><updated>20250202T030405Z</updated><tag>food</tag>
      <note-attributes><source-url>https://example.org/r</source-url><author>Ada</author></note-attributes>
      <content><![CDATA[<en-note><div>Mix <b>flour</b></div><div><en-todo checked="true"/>salt</div><div><en-todo/>milk</div><en-media type="image/png"/></en-note>]]></content>
      <resource><data encoding="base64">iVBO
      Rw==</data><mime>image/png</mime><resource-attributes><file-name>pic.png</file-name></resource-attributes></resource></note>
      <note><title>Two</title><created>soon</created><content><![CDATA[<en-note>x]]></content></note>
      <note><title>Cut</title>
      """, name: "n.enex", is: .evernote,
      [
        #"{"url":"https://example.org/r","title":"Kitchen"}"#, pictureItem,
        #"{"entity":"Note","text":"Kitchen\n\nMix **flour**\n- [x] salt\n- [ ] milk\n\n[pic.png]","tags":["food"],"createdAt":"2025-01-02T03:04:05Z","updatedAt":"2025-02-02T03:04:05Z","link":"https://example.org/r"}"#,
        #"{"entity":"Note","text":"Two\n\nx"}"#,
      ],
      problems: [
        "8: “soon” is not a date and was left out", "9: the file ends within a note",
        "4: left out: `<author>`",
      ])
  }

  @Test func propertiesWithAnAddressAreALink() throws {
    try expect(
      "---\ntitle: A page\nurl: https://example.org/a\ntags: [x, y]\ncolor: red\n---\nSome text\n",
      name: "n.md", is: .note,
      [
        #"{"url":"https://example.org/a","title":"A page","summary":"Some text","tags":["x","y"]}"#
      ], problems: ["1: left out: the member `color`"])
  }

  @Test func obsidiansNotesKeepWikiLinksAndTheirTags() throws {
    try expect(
      """
      ---
      tags:
        - one
        - people/ada
      created: 2026-01-02
      ---
      See [[Other note]] and #inline/tag, not #12 or
      ```
      #code
      ```
      """, name: "vault/My note.md", is: .note,
      [
        #"{"entity":"Note","text":"My note\n\nSee [[Other note]] and #inline/tag, not #12 or\n```\n#code\n```","tags":["one","people/ada","inline/tag"],"createdAt":"2026-01-02"}"#
      ])
  }

  @Test func propertiesThatAreNotYAMLStayText() throws {
    let read = try ForeignItems.of("---\na: [b\n---\nText\n", name: "n.md")
    #expect(read.items == [#"{"entity":"Note","text":"n\n\n---\na: [b\n---\nText"}"#])
    #expect(read.problems == ["1: its properties are not valid YAML and are kept as text"])
  }

  @Test func notionsPropertiesAreBelowTheTitle() throws {
    try expect(
      "# Meeting\n\nTags: work, plan\nCreated: January 2, 2026 10:00 AM\n\nTalked: a lot\n",
      name: "Meeting 0123456789abcdef0123456789abcdef.md", is: .note,
      [
        #"{"entity":"Note","text":"Meeting\n\nTalked: a lot","tags":["work","plan"],"createdAt":"2026-01-02T10:00:00"}"#
      ])
  }

  @Test func readwisesHighlightsNameTheirBook() throws {
    try expect(
      """
      Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags
      "A quote, long",The Book,Ada L.,,my note,yellow,"t1,t2",page,12,2024-01-02 03:04:05+00:00,d1
      """, name: "r.csv", is: .highlights,
      [
        #"{"entity":"Note","text":"A quote, long\n\nmy note\n\n— The Book, Ada L., page 12","tags":["t1","t2","d1"],"createdAt":"2024-01-02T03:04:05Z"}"#
      ], problems: ["2: left out: the member `color`"])
  }

  @Test(arguments: [
    (
      "Your Highlight on page 12 | Location 170-172",
      "Added on Tuesday, January 2, 2024 10:00:00 PM"
    ),
    (
      "Ihre Markierung auf Seite 12 | bei Position 170",
      "Hinzugefügt am Dienstag, 2. Januar 2024 22:00:00"
    ),
    ("Votre surlignement sur la page 12", "Ajouté le mardi 2 janvier 2024 22:00:00"),
    ("Tu subrayado en la página 12", "Añadido el martes, 2 de enero de 2024 22:00:00"),
    ("La tua evidenziazione a pagina 12", "Aggiunto in data martedì 2 gennaio 2024 22:00:00"),
    ("12ページ|位置No. 170のハイライト", "作成日: 2024年1月2日火曜日 22:00:00"),
  ])
  func kindlesClippings(_ place: String, _ date: String) throws {
    let parts = place.split(separator: "|").map { $0.trimmingPrefix(" ") }.map {
      $0.hasSuffix(" ") ? $0.dropLast() : $0
    }
    try expect(
      "\u{FEFF}Book (Ada)\r\n- \(place) | \(date)\r\n\r\nA quote\r\n==========\r\n",
      name: "My Clippings.txt", is: .kindle,
      [
        #"{"entity":"Note","text":"A quote\n\n— Book (Ada), \#(parts.joined(separator: ", "))","createdAt":"2024-01-02T22:00:00"}"#
      ])
  }

  @Test func kindlesBookmarksHaveNoText() throws {
    try expect(
      "Book\n- Ihr Lesezeichen auf Seite 3 | Hinzugefügt am Dienstag, 2. Januar 2024 22:00:00\n\n\n==========\nBook\n\nx\n==========\n",
      name: "My Clippings.txt", is: .kindle, [],
      problems: [
        "1: left out: a bookmark without a text in “Book”",
        "6: neither a highlight nor a note: “Book”",
      ])
  }

  @Test(arguments: [
    ("A site.url", "[InternetShortcut]\r\nURL=https://example.org/u\r\nIconIndex=0\r\n", "A site"),
    ("s.desktop", "[Desktop Entry]\nType=Link\nName=Site\nURL=https://example.org/u\n", "Site"),
    (
      "Page.webloc",
      "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>URL</key><string>https://example.org/u</string></dict></plist>",
      "Page"
    ),
  ])
  func filesThatAreOneLink(_ name: String, _ text: String, _ title: String) throws {
    try expect(
      text, name: name, is: .link, [#"{"url":"https://example.org/u","title":"\#(title)"}"#])
  }

  @Test func binaryWeblocIsALink() throws {
    let bytes =
      Array("bplist00".utf8) + [0xD1, 1, 2, 0x53] + Array("URL".utf8) + [0x5F, 0x10, 21]
      + Array("https://example.org/u".utf8) + [8, 11, 15] + [UInt8](repeating: 0, count: 6)
      + [1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8)
      + [0, 0, 0, 0, 0, 0, 0, 39]
    let read = try ForeignItems.of(bytes, name: "Page.webloc")
    #expect(
      read
        == ForeignItems(
          format: .link, items: [#"{"url":"https://example.org/u","title":"Page"}"#]))
  }

  @Test func deliciousPostsHaveTagsAndStates() throws {
    try expect(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <posts user="ada">
      <post href="https://example.org/1" description="One" extended="note" hash="aa" tag="a b" time="2010-01-01T00:00:00Z" shared="no" others="12"/>
      </posts>
      """, name: "d.xml", is: .posts,
      [
        #"{"url":"https://example.org/1","title":"One","summary":"note","tags":["a","b"],"private":true,"createdAt":"2010-01-01T00:00:00Z"}"#
      ], problems: ["3: left out: the attribute `others` of `<post>`"])
  }

  private static let loss =
    "1: of tabs, the addresses, titles and dates are read; their pages before and their state are left out"

  @Test func tabsOfFirefoxAndSessionBuddy() throws {
    try expect(
      #"{"version":["sessionrestore",1],"windows":[{"tabs":[{"entries":[{"url":"https://example.org/1","title":"One"},{"url":"https://example.org/2","title":"Two"}],"index":1,"lastAccessed":1767308400000},{"entries":[{"url":"about:newtab"}],"index":1}]}]}"#,
      name: "sessionstore.js", is: .tabs,
      [
        #"{"url":"https://example.org/1","title":"One","createdAt":"2026-01-01T23:00:00Z"}"#
      ], problems: [Self.loss])
    let item = #"{"url":"https://example.org/1","title":"One","tags":["Saved","Inner"]}"#
    try expect(
      #"{"sessions":[{"name":"Saved","windows":[{"title":"Inner","tabs":[{"url":"https://example.org/1","title":"One"}]}]}]}"#,
      name: "s.json", is: .tabs, [item], problems: [Self.loss])
    try expect(
      #"{"format":"nxs.json.v2","collections":[{"title":"Saved","folders":[{"title":"Inner","links":[{"url":"https://example.org/1","title":"One"}]}]}]}"#,
      name: "s.json", is: .tabs, [item], problems: [Self.loss])
  }

  @Test func tabsOfChromeAreThoseShown() throws {
    func number(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
    func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    func page(_ tab: Int32, _ place: Int32, _ url: String, _ title: String) -> [UInt8] {
      let units = title.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let body =
        number(tab) + number(place) + number(Int32(url.utf8.count)) + padded(Array(url.utf8))
        + number(Int32(title.utf16.count)) + padded(units)
      return command(6, number(Int32(body.count)) + body)
    }
    func command(_ id: UInt8, _ body: [UInt8]) -> [UInt8] {
      [UInt8((body.count + 1) & 0xFF), UInt8((body.count + 1) >> 8), id] + body
    }
    let log =
      page(1, 0, "https://example.org/old", "Old") + page(1, 1, "https://example.org/new", "Neü")
      + page(1, 2, "https://example.org/next", "Next") + command(7, number(1) + number(1))
      + page(2, 0, "https://example.org/closed", "Closed")
      + command(16, number(2) + number(0) + number(0) + number(0))
    let read = try ForeignItems.of(Array("SNSS".utf8) + number(3) + log, name: "Session_1")
    #expect(
      read
        == ForeignItems(
          format: .tabs, items: [#"{"url":"https://example.org/new","title":"Neü"}"#],
          problems: [Self.loss]))
    let hidden = try ForeignItems.of(Array("SNSS".utf8) + number(4) + log, name: "Session_1")
    #expect(hidden.problems == ["1: the session is encrypted"])
  }
}
