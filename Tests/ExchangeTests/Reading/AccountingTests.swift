import CEL
import FoundationEssentials
import JSON
import Testing

@testable import Exchange

/// Whether every part of a file becomes a part of an item, or is named in the report.
@Suite struct AccountingTests {
  /// A random file, and its texts with the name of the part that each is in.
  private struct Made {
    var text = ""
    var parts: [(name: String, text: String)] = []
    var random: SystemSeed

    init(seed: Int) { random = SystemSeed(seed) }

    /// Returns a new text for a part.
    mutating func word(_ name: String) -> String {
      let text = "w\(random.next(1 << 40))z"
      parts.append((name, text))
      return text
    }

    /// Returns a name that no format has.
    mutating func name() -> String { "x\(random.next(30))q" }
  }

  /// A small generator with a seed.
  struct SystemSeed {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 16) % limit
    }
  }

  // MARK: Files

  private static func html(_ made: inout Made) {
    made.text = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n"
    for _ in 0..<made.random.next(6) + 1 {
      let known = ["TAGS", "DESCRIPTION", "FEEDURL", "SHORTCUTURL"][made.random.next(4)]
      let other = made.name()
      made.text += """
        <DT><H3 \(other)="\(made.word(other))">\(made.word("title"))</H3>
        <DD>\(made.word("note of the folder"))
        <DL><p>
        \(made.word("text"))
        <DT><A HREF="https://\(made.word("href"))/" \(known)="\(made.word(known.lowercased()))"\
         \(other)="\(made.word(other))">\(made.word("title"))</A>
        <DD>\(made.word("note"))<\(other)>\(made.word("note"))</\(other)>
        <DT><A HREF="https://\(made.word("href"))/">\(made.word("title"))</A>
        </DL><p>

        """
    }
    made.text += "</DL><p>\n"
  }

  private static func csv(_ made: inout Made) {
    let names = ["url", "title", "note", "tags", "status", "favorite", made.name(), "Schlagworte"]
    made.text = names.joined(separator: ",") + "\n"
    for _ in 0..<made.random.next(6) + 1 {
      let cells = names.map { name in
        let text = made.word(name)
        return name == "url" ? "https://\(text)/" : made.random.next(2) == 0 ? text : "\"\(text)\""
      }
      made.text += cells.joined(separator: ",") + "\n"
    }
  }

  private static func json(_ made: inout Made) {
    var objects: [String] = []
    for _ in 0..<made.random.next(6) + 1 {
      let other = made.name()
      var members = ["title", "description", "status", "tags", "note", other, "content"].map {
        "\"\($0)\": \"\(made.word($0))\""
      }
      members.append("\"url\": \"https://\(made.word("url"))/\"")
      members.append(
        "\"highlights\": [{\"text\": \"\(made.word("highlights"))\", \"\(other)\": \"\(made.word(other))\"}]"
      )
      objects.append("{\(members.joined(separator: ", "))}")
    }
    made.text = "[\(objects.joined(separator: ",\n"))]"
  }

  private static func outline(_ made: inout Made) {
    made.text = "<opml version=\"2.0\"><head></head><body>\n"
    for _ in 0..<made.random.next(6) + 1 {
      let other = made.name()
      made.text += """
        <outline text="\(made.word("text"))" \(other)="\(made.word(other))">
        <outline text="\(made.word("text"))" title="\(made.word("title"))" category="\(made.word("category"))"\
         htmlUrl="https://\(made.word("htmlurl"))/" xmlUrl="https://\(made.word("xmlurl"))/"\
         \(other)="\(made.word(other))" description="\(made.word("description"))"/>
        <outline text="\(made.word("text"))"/>\(made.word("text"))</outline>

        """
    }
    made.text += "</body></opml>"
  }

  private static func xbel(_ made: inout Made) {
    made.text = "<xbel version=\"1.0\">\n"
    for _ in 0..<made.random.next(6) + 1 {
      let other = made.name()
      made.text += """
        <folder><title>\(made.word("title"))</title><desc>\(made.word("note of the folder"))</desc>
        <bookmark href="https://\(made.word("href"))/" \(other)="\(made.word(other))">
        <title>\(made.word("title"))</title><desc>\(made.word("desc"))</desc>
        <\(other)>\(made.word("text"))</\(other)></bookmark></folder>

        """
    }
    made.text += "</xbel>"
  }

  private static func markdown(_ made: inout Made) {
    for _ in 0..<made.random.next(6) + 1 {
      made.text += """
        ## \(made.word("heading"))
        \(made.word("text"))

        - [\(made.word("title"))](https://\(made.word("url"))/) \(made.word("remark"))
          \(made.word("note"))

        """
    }
  }

  private static func org(_ made: inout Made) {
    for _ in 0..<made.random.next(6) + 1 {
      let other = made.name()
      made.text += """
        * \(made.word("heading"))
        \(made.word("text"))
        ** [[https://\(made.word("url"))/][\(made.word("title"))]] :\(made.word("tag")):
        :PROPERTIES:
        :\(other): \(made.word(other))
        :END:
        \(made.word("note"))

        """
    }
  }

  private static let formats: [(name: String, make: @Sendable (inout Made) -> Void)] =
    [
      ("a.html", html), ("a.csv", csv), ("a.json", json), ("a.opml", outline), ("a.xbel", xbel),
      ("a.md", markdown), ("a.org", org),
    ]
    + ForeignSamples.all.map { name, sample in
      (name, { made in made.text = ForeignSamples.filled(sample) { made.word("§") } })
    }

  // MARK: Tests

  @Test(arguments: formats.map(\.name))
  func everyPartIsInAnItemOrInTheReport(_ name: String) throws {
    let make = try #require(Self.formats.first { $0.name == name }?.make)
    for seed in 1...20 {
      var made = Made(seed: seed)
      make(&made)
      let (items, report) = try Self.read(Array(made.text.utf8), name)
      for part in made.parts where !items.contains(part.text) && !report.contains(part.text) {
        #expect(report.contains(part.name), "\(name) \(seed): \(part)\n\(made.text)\n\(report)")
      }
    }
  }

  /// Changed files are read to their end, with bounded reports: `ERRAND_IMPORT_MUTATIONS` sets how many of each format.
  @Test(arguments: formats.map(\.name))
  func changedFilesAreReadToTheirEnd(_ name: String) throws {
    let make = try #require(Self.formats.first { $0.name == name }?.make)
    let count =
      ProcessInfo.processInfo.environment["ERRAND_IMPORT_MUTATIONS"].flatMap(Int.init) ?? 60
    for seed in 1...count {
      var made = Made(seed: seed)
      make(&made)
      var bytes = Array(made.text.utf8)
      for _ in 0...made.random.next(8) {
        guard !bytes.isEmpty else { break }
        let place = made.random.next(bytes.count)
        let end = min(bytes.count, place + 1 + made.random.next(20))
        switch made.random.next(4) {
        case 0: bytes[place] = UInt8(made.random.next(256))
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: made.random.next(bytes.count))
        default:
          let marks = ["<!--", "<![CDATA[", "\"", "'", "{", "[", "<DD>", "\n", "\0", "&", "<"]
          bytes.insert(contentsOf: Array(marks[made.random.next(marks.count)].utf8), at: place)
        }
      }
      do {
        let (_, report) = try Self.read(bytes, name)
        #expect(report.utf8.count <= 500 * (bytes.count + 200))
      } catch is ExchangeError {}
    }
  }

  @Test func countsAKindOnce() throws {
    let rows = (1...12).map { "https://example.org/\($0),a\($0)\n" }.joined()
    let file = "url,Schlagworte\nhttps://example.org/,\n" + rows
    let report = try Self.read(Array(file.utf8), "t.csv").report
    #expect(report == "3: left out: the column `Schlagworte` (12 times, first here)")
  }

  @Test func limitsTheKinds() throws {
    let members = (1...5000).map { "\"x\($0)\": 1" }.joined(separator: ", ")
    let report = try Self.read(Array("[{\"url\": \"https://a.org/\", \(members)}]".utf8), "t.json")
      .report
    #expect(report.split(separator: "\n").count == 201)
    #expect(report.hasSuffix("left out: further kinds of parts (4800 times, first here)"))
  }

  /// Reads a file as an import does; returns the texts of its items, and the report.
  private static func read(_ bytes: [UInt8], _ name: String) throws -> (
    items: String, report: String
  ) {
    let file = ImportFile(pieces: bytes, path: name)
    var records = try ImportSource(file, temporaryFolder: "/tmp").records
    var items = ""
    var report: [String] = []
    while let record = try records.next() {
      report += record.losses.map { "\(record.number): \($0)" }
      switch record.content {
      case .item(let value): items += try JSONWriter().text(of: value) + "\n"
      case .bad(let text), .damage(let text), .nothing(let text), .skipped(let text):
        report.append("\(record.number): \(text)")
      case .leftovers(let rest, _):
        for entry in rest.entries {
          let kind = ImportSummary.LeftOut(
            what: entry.kind.text, line: entry.line, count: entry.count)
          report.append("\(kind.line): \(kind.text)")
        }
      }
    }
    return (items, report.joined(separator: "\n"))
  }
}
