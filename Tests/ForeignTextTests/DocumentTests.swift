import CEL
import ForeignText
import TestSupport
import Testing

/// Markdown, XML and calendars.
@Suite struct DocumentTests {
  @Test(arguments: [
    ("# A *b*\n\ntext", "<h1>A <em>b</em></h1>\n<p>text</p>\n"),
    ("A\n===\nb\n---", "<h1>A</h1>\n<h2>b</h2>\n"),
    ("a  \nb\\\nc", "<p>a  <br>\nb<br>\nc</p>\n"),
    (
      "**a** __b__ *c* _d_ snake_case_x 2*3",
      "<p><strong>a</strong> <strong>b</strong> <em>c</em> <em>d</em> snake_case_x 2*3</p>\n"
    ),
    ("`a < b` ``c`d``", "<p><code>a &lt; b</code> <code>c`d</code></p>\n"),
    (
      "[a *b*](https://x.example/a_(b) \"T\") ![p](/p.png)",
      "<p><a href=\"https://x.example/a_(b)\" title=\"T\">a <em>b</em></a> <img src=\"/p.png\" alt=\"p\"></p>\n"
    ),
    (
      "<https://x.example> <b>x</b> &amp; &copy;",
      "<p><a href=\"https://x.example\">https://x.example</a> &lt;b&gt;x&lt;/b&gt; &amp; ©</p>\n"
    ),
    ("- a\n- b\n  - c\n", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul>\n"),
    ("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"),
    ("> a\n> b\n\nc", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<p>c</p>\n"),
    ("```swift\nlet a = 1 < 2\n```", "<pre><code>let a = 1 &lt; 2\n</code></pre>\n"),
    ("    code\n\ntext\n***\n", "<pre><code>code\n</code></pre>\n<p>text</p>\n<hr>\n"),
    (
      "| a | b |\n|---|:-:|\n| 1 | *2* |",
      "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><em>2</em></td></tr>\n</table>\n"
    ),
    ("[x](javascript:alert(1))", "<p><a>x</a></p>\n"),
    ("*a **b", "<p>*a **b</p>\n"),
  ])
  func convertsMarkdown(_ text: String, _ html: String) {
    #expect(MarkdownText.html(of: text) == html)
  }

  @Test func parsesXML() throws {
    let value = try XMLTree.value(
      of: "<?xml version='1.0'?><!-- c --><a x='1 &amp; 2'>t<b/>u<![CDATA[<v>]]></a>")
    guard case .map(let map) = value, case .list(let children)? = map["children"] else {
      Issue.record("no element")
      return
    }
    #expect(map["name"] == "a")
    #expect(map["text"] == "tu<v>")
    #expect(children.count == 1)
    for bad in [
      "", "text", "<a>", "<a></b>", "</a>", "x<a/>", String(repeating: "<a>", count: 999),
    ] {
      #expect(throws: XMLTree.Failure.self, "\(bad.prefix(20))") { try XMLTree.value(of: bad) }
    }
  }

  @Test func parsesCalendars() throws {
    let text = """
      BEGIN:VCALENDAR\r
      BEGIN:VTIMEZONE\r
      TZID:W. Europe Standard Time\r
      BEGIN:STANDARD\r
      TZOFFSETTO:+0100\r
      END:STANDARD\r
      END:VTIMEZONE\r
      BEGIN:VEVENT\r
      UID:1\r
      SUMMARY:Tea\\, and\r
        cake\r
      DTSTART:20261120T140000Z\r
      DURATION:PT1H30M\r
      CATEGORIES:a,b\r
      ORGANIZER;CN="Lee: Ann":mailto:ann@a.example\r
      ATTENDEE:mailto:bo@a.example\r
      BEGIN:VALARM\r
      DESCRIPTION:Ring\r
      END:VALARM\r
      END:VEVENT\r
      BEGIN:VEVENT\r
      DTSTART;TZID=W. Europe Standard Time:20261120T150000\r
      END:VEVENT\r
      BEGIN:VTODO\r
      SUMMARY:Pay\r
      DUE;VALUE=DATE:20261224\r
      END:VTODO\r
      END:VCALENDAR\r
      """
    let entries = try #require(CalendarFile.entries(in: text) { $0.timestamp() })
    func field(_ index: Int, _ name: String) -> Value? {
      if case .map(let map) = entries[index] { map[name] } else { nil }
    }
    func moment(_ text: String) -> Value {
      .timestamp(Timestamp(rfc3339: text) ?? Timestamp(seconds: 0))
    }
    #expect(entries.count == 3)
    #expect(field(0, "title") == "Tea, and cake")
    #expect(field(0, "end") == moment("2026-11-20T15:30:00Z"))
    #expect(field(0, "organizer") == "Lee: Ann")
    #expect(field(0, "attendees") == .list(["bo@a.example"]))
    #expect(field(0, "tags") == .list(["a", "b"]))
    #expect(field(0, "description") == .null)
    #expect(field(1, "start") == moment("2026-11-20T14:00:00Z"))
    #expect(field(2, "kind") == "task")
    #expect(field(2, "end") == moment("2026-12-24T00:00:00Z"))
    func first(_ lines: String) throws -> MapValue? {
      let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR"
      let entries = try #require(CalendarFile.entries(in: text) { $0.timestamp() })
      guard case .map(let map)? = entries.first else { return nil }
      return map
    }
    let zones: [(name: String, zone: Value)] = [
      ("Europe/Berlin", "Europe/Berlin"), ("W. Europe Standard Time", "Europe/Berlin"),
      ("/mozilla.org/20050126_1/Europe/Berlin", "Europe/Berlin"),
      ("\"(UTC+01:00) Amsterdam, Berlin, Bern\"", "Europe/Amsterdam"),
      ("\"Eastern Time (US & Canada)\"", "America/New_York"),
      ("america/new_york", "America/New_York"),
      ("\"GMT+0100\"", "+01:00"), ("\"(GMT-03:30) X\"", "-03:30"), ("UTC+2", "+02:00"),
      ("\"(UTC) Coordinated\"", "UTC"),
      ("\"tzone://Microsoft/Utc\"", "UTC"),
      ("nowhere", .null),
    ]
    for (name, zone) in zones {
      let entry = try first("DTSTART;TZID=\(name):20260110T100000 ")
      #expect(entry?["zone"] == zone, "\(name)")
      if zone == "Europe/Berlin" {
        #expect(entry?["start"] == .timestamp(Timestamp(seconds: 1_768_035_600)), "\(name)")
      }
    }
    let series = try first(
      "DTSTART:20260110T100000Z\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY\nEXDATE:20260111T100000Z,20260112T100000Z\nEXDATE:20260113T100000Z\nRDATE;VALUE=PERIOD:20260201T100000Z/PT1H"
    )
    #expect(series?["repeats"] == "FREQ=DAILY")
    #expect(series?["rules"] == ["FREQ=DAILY", "FREQ=WEEKLY"])
    let day = 86_400
    let start = 1_768_039_200
    #expect(
      series?["except"]
        == .list((1...3).map { .timestamp(Timestamp(seconds: Int64(start + $0 * day))) }))
    #expect(series?["also"] == .list([.timestamp(Timestamp(seconds: Int64(start + 22 * day)))]))
    #expect(CalendarFile.entries(in: "no calendar") { $0.timestamp() } == nil)
  }

  @Test(
    arguments: [
      ("cp437", [0x80], "Ç"), ("IBM850", [0xD5], "ı"), ("windows_1251", [0xC0], "А"),
      ("mac_greek", [0xB0], "Α"), ("kz1048", [0x8D], "Қ"), ("koi8-t", [0x80], "қ"),
      ("utf-32", [0x41, 0, 0, 0], "A"), ("utf_32_be", [0, 1, 0xF6, 0], "😀"),
      ("hp-roman8", [0xA2], "Â"),
      ("mac-latin2", [0x80], "Ä"), ("ISO_8859_5", [0xB0], "А"),
    ] as [(String, [UInt8], String)])
  func decodesNamedEncodings(_ name: String, _ bytes: [UInt8], _ text: String) {
    #expect(DecodedText(bytes, mediaType: "text/plain; charset=\(name)").text == text)
  }

  // MARK: Mutations

  /// A seeded generator, so that failures can be reproduced.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private static let list: [UInt8] =
    Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xA2, 3, 3, 0x33] + [65, 0, 0, 0, 0, 0, 0, 0]
    + [8, 11, 13, 16] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4]
    + [UInt8](repeating: 0, count: 15) + [25]

  /// Random mutations of inputs for each reader; ERRAND_MUTATIONS sets their number.
  @Test(
    arguments: [
      ("Markdown", Array("# A\n\n- *b* `c`\n  > [d](e)\n\n| a | b |\n|--|--|\n1. x ![y](z)".utf8)),
      ("XML", Array("<a x='1'><b>t</b><![CDATA[u]]>&amp;<c/></a>".utf8)),
      (
        "calendar",
        Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;TZID=CET:20261120T140000\nEND:VEVENT".utf8)
      ),
      (
        "list",
        Array(
          "<plist><dict><key>a</key><array><date>2026-11-20T00:00:00Z</date></array></dict></plist>"
            .utf8)
      ),
      ("bytes", list), ("date", Array("Fri, 20 Nov 2026 14:00:00 +0100 (CET) 2003-335".utf8)),
      ("HTML", Array("<p on=x><a href='javascript:x'>a</a><script>b</script>&#151;".utf8)),
    ] as [(String, [UInt8])])
  func mutationsDoNotTrap(_ name: String, _ sample: [UInt8]) {
    var dice = Dice(state: 25)
    let count = Mutations.count
    for _ in 0..<count {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        let place = Int.random(in: 0..<bytes.count, using: &dice)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
        case 3: bytes.insert(contentsOf: Array("<*_[`|>-\n".utf8).shuffled(using: &dice), at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { bytes = [0x3C] }
      }
      let text = DecodedText(bytes).text
      switch name {
      case "Markdown": #expect(!MarkdownText.html(of: text).contains("<script>"))
      case "XML": _ = try? XMLTree.value(of: text)
      case "calendar": _ = CalendarFile.entries(in: text) { $0.timestamp() }
      case "date": _ = ForeignDate(feed: text)?.moment { $0.timestamp() }
      case "HTML": #expect(!SafeHTML.markup(text).contains("<script>"))
      default: _ = try? PropertyList.value(of: bytes)
      }
    }
  }

  /// Inputs that would take quadratic time without bounds.
  @Test(arguments: [
    "*", "[", "`a ``", "> ", "- ", "_a", "[a](", "<a", "|", "![", "a*b_", "1. ", "***a", "&", "<a>",
    "\\", "~~~\n", "[]", "  - a\n", "> - ",
  ])
  func readsRepetitiveInputInLinearTime(_ piece: String) {
    let growth = ThreadTime.growth(from: 2_000, by: 8) { size in
      let text = String(repeating: piece, count: size / piece.utf8.count)
      _ = MarkdownText.html(of: text)
      _ = try? XMLTree.value(of: text)
      _ = SafeHTML.markup(text)
    }
    #expect(growth <= 24)
  }
}
