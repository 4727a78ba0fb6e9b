import CEL
import TestSupport
import Testing

@testable import Pages

/// Malicious documents: no arithmetic overflow, and no more than linear time.
@Suite struct HostileDocumentTests {
  // MARK: Sizes

  /// 28 bytes of HEIC with a width and height whose product exceeds 63 bits.
  private static let heic =
    Array("\0\0\0\u{0C}ftypheic\0\0\0\u{10}ispe".utf8) + [UInt8](repeating: 0xFF, count: 12)

  @Test func imageSizesDoNotOverflow() {
    let page = PageParser.inUTC.page(Self.heic, url: "", mediaType: "")
    #expect(page.kind == "image")
    #expect(page.width == 4_294_967_295)
    #expect(page.height == 4_294_967_295)
  }

  /// The first bytes of documents that contain numbers.
  private static let heads: [[UInt8]] = [
    heic,
    [0x89] + Array("PNG\r\n\u{1A}\n\0\0\0\rIHDR\0\0\0\u{10}\0\0\0\u{10}\u{8}\0\0\0\0....eXIf".utf8),
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 40] + Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{2}\u{1}\u{E}\0\u{2}".utf8)
      + [UInt8](repeating: 0, count: 40),
    Array("GIF89a\u{10}\0\u{10}\0".utf8), Array("II*\0\u{8}\0\0\0\u{2}\0\0\u{1}\u{4}\0".utf8),
    Array("RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\u{1}\0\0\u{1}\0\0EXIF\u{8}\0\0\0II*\0".utf8),
    [0x42, 0x4D] + [UInt8](repeating: 0, count: 12) + [40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
    Array("%PDF-1.5 1 0 obj<</Type/ObjStm/N 1/First 4/Length 9>>stream\n2 0 <<>>endstream".utf8),
  ]

  @Test func numbersInDocumentsDoNotOverflow() {
    let values: [[UInt8]] = [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 0],
      [0xFF, 0xFF, 0xFF, 0x7F], Array("9999".utf8), Array("-999".utf8),
    ]
    for head in Self.heads {
      for place in 0..<head.count {
        for value in values {
          var bytes = head
          bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: value)
          _ = PageParser.inUTC.page(bytes, url: "", mediaType: "")
          _ = PageParser.inUTC.page(bytes + value + value, url: "", mediaType: "")
        }
        _ = PageParser.inUTC.page(Array(head[..<place]), url: "", mediaType: "")
      }
    }
  }

  @Test(arguments: ["99999999999", "-1", "9223372036854775807", "99999999999999999999", "1e999"])
  func numbersInPDFsDoNotOverflow(number: String) {
    let text = """
      %PDF-1.5
      1 0 obj<</Type/ObjStm/N \(number)/First \(number)/Length \(number)>>stream
      \(number) \(number) <<>>
      endstream
      \(number) 0 obj<</Count \(number)>>
      2 0 obj<</Pages \(number) 0 R/Count \(number)>>
      trailer<</Root 2 0 R/Info \(number) 0 R/Size \(number)>>
      """
    #expect(PageParser.inUTC.page(Array(text.utf8), url: "", mediaType: "").kind == "pdf")
  }

  // MARK: Time

  /// Documents made of a given number of pieces.
  struct Shape: CustomTestStringConvertible {
    let testDescription: String
    let text: @Sendable (Int) -> String

    /// A repeated piece with a prefix and a suffix.
    init(_ start: String, _ piece: String, _ end: String = "") {
      testDescription = start + piece
      text = { count in
        start + String(repeating: piece, count: count / piece.utf8.count) + end
      }
    }

    /// Two pieces, each repeated the same number of times.
    init(_ start: String, _ first: String, then second: String) {
      testDescription = start + first + second
      text = { count in
        let count = count / (first.utf8.count + second.utf8.count)
        return start + String(repeating: first, count: count)
          + String(repeating: second, count: count)
      }
    }
  }

  static let shapes: [Shape] = [
    Shape("%PDF-1.4 ", "trailer<<"), Shape("%PDF-1.4 ", "stream "), Shape("%PDF-1.4 ", "trailer%"),
    Shape("%PDF-1.4 ", "1 0 obj<</Type/ObjStm/N 1/First 4/Length 9 0 R>>stream\n"),
    Shape("%PDF-1.4 ", "1 0 obj<</Type/ObjStm/N 1/First 4/Length 99999999>>stream\nendstream "),
    Shape("%PDF-1.4 ", "1 0 obj<</Type/XRef "), Shape("%PDF-1.4 ", "trailer[(", "\n"),
    Shape("%PDF-1.4 ", "1 0 obj<</Type/XRef/A(", " endobj"), Shape("%PDF-1.4 ", "1 0 obj%/XRef"),
    Shape("%PDF-1.4 ", "endstream "), Shape("%PDF-1.4 <x:xmpmeta>", "<rdf:li>", "</x:xmpmeta>"),
    Shape("<rss><channel><item>", "<category>a</category>"), Shape("<feed>", "<entry>"),
    Shape("<feed><entry><title type='xhtml'>", "<a>", then: "</b>"),
    Shape("<feed><entry><content type='xhtml'>", "<a>", then: "</a>"),
    Shape("<feed><entry>", "<![CDATA["), Shape("<feed><entry>", "<!-- "),
    Shape("<feed><entry><title>", "&amp;"), Shape("<feed><entry ", "a='"),
    Shape("<script type='application/ld+json'>", "<!--", "</script><p>"),
    Shape("<script type='application/ld+json'>{", ";", "</script><p>"),
    Shape("<script type='application/ld+json'>[", "{\"@type\":\"Article\"},", "{}]</script>"),
    Shape("<p>", "&amp;"), Shape("<p itemscope itemtype='x/Article'>", "<i itemprop=a>"),
    Shape("<p>", "<a href=x>a"), Shape("<p>", "<x>", then: "</y>"), Shape("<title>", "a | b - "),
    Shape("", "a\r\n\r\n"), Shape("<title>" + "ab" + "</title>", "<h2>abababab"),
    Shape("<h1>x</h1>", "<h3>Related</h3>"),
    Shape("<h1>x</h1>", "<div><h3>Related", then: "</h3></div>"),
    Shape("<h1>x</h1>", "<div class=date>1 May 2020", then: "</div>"),
    Shape("<h1>x</h1>", "<div class=date>", then: "<i></i>"),
    Shape("<h1>x</h1>", "<p class=byline>By Jo Vik"),
    Shape("<h1>x</h1>", "<time>1 May 2020</time>"),
    Shape("<h1>x</h1>", "<div><a href=x>a</a>:", then: "</div>"),
    Shape("<h1>x</h1>", "<article><h2><a href=x>a</a></h2>A sentence, with commas, of a story."),
    Shape("<pre>", "<b> </b>"), Shape("<h1>x</h1>", "<h2>x</h2><form>x</form>"),
    Shape("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":", "[{"),
  ]

  private static func read(_ text: String) {
    let parser = PageParser.inUTC
    _ = parser.page(Array(text.utf8), url: "https://a.example/", mediaType: "text/html")
    _ = parser.feed(text, url: "https://a.example/")
    _ = parser.links(text, url: "https://a.example/")
    _ = parser.readable(text)
  }

  /// With quadratic time, eight times the size would take 64 times as long.
  @Test(arguments: shapes)
  func timeIsLinearInTheSize(shape: Shape) {
    let size = Amount.of("ERRAND_SHAPE", quick: 4, whole: 12) << 10
    #expect(ThreadTime.growth(from: size, by: 8) { Self.read(shape.text($0)) } <= 24)
  }

  /// Many properties that reference one long text cost no more than as many short ones.
  @Test func referencesToOneTextAreBounded() {
    func page(_ count: Int) -> String {
      let name = "<b>" + String(repeating: "&shy;", count: count / 5)
      let references = Array(repeating: "{\"@id\":\"n\"}", count: count / 12).joined(separator: ",")
      return "<script type='application/ld+json'>[{\"@type\":\"Person\",\"@id\":\"n\","
        + "\"name\":\"\(name)\"},{\"@type\":\"Article\",\"author\":[\(references)]}]</script><p>"
    }
    #expect(ThreadTime.growth(from: 8 << 10, by: 8) { Self.read(page($0)) } <= 24)
  }

  // MARK: The end of reading

  /// Reading checks for cancellation, and then ends early.
  @Test(arguments: [
    "%PDF-1.4 " + String(repeating: "1 0 obj<<>>endobj\n", count: 40_000),
    "<rss><channel>" + String(repeating: "<item><title>a</title></item>", count: 30_000),
    "<p>" + String(repeating: "<b>a</b>", count: 80_000),
  ])
  func readingCanBeCancelled(text: String) {
    var looks = 0
    let budget = ReadingBudget {
      looks += 1
      return looks >= 2
    }
    _ = PageParser.inUTC.page(Array(text.utf8), url: "", mediaType: "text/html", budget)
    #expect(budget.end == .interrupted)
    #expect(looks == 2)
  }
}
