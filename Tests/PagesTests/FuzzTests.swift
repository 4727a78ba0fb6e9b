import CEL
import TestSupport
import Testing

@testable import Pages

/// No input traps, hangs or takes more than linear time.
@Suite struct FuzzTests {
  private static func mutated(_ bytes: [UInt8], _ dice: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes.isEmpty ? [0x3C] : bytes
    for _ in 0..<Int.random(in: 1...8, using: &dice) {
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 20))
      case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 50)], at: place)
      case 3: bytes.insert(contentsOf: Array("<\"'&[{(".utf8).shuffled(using: &dice), at: place)
      default: bytes.removeSubrange(place...)
      }
      if bytes.isEmpty { bytes = [0x3C] }
    }
    return bytes
  }

  /// The number of inputs made from each sample; `ERRAND_FUZZ_PAGES` sets the total number.
  private static let rounds =
    Amount.of("ERRAND_FUZZ_PAGES", quick: 1_200, whole: 100_000) / SamplePage.all.count + 1

  @Test func mutatedSamplesDoNotTrap() {
    var dice = SeededGenerator(seed: 18)
    for sample in SamplePage.all where sample.bytes.count < 40_000 {
      for _ in 0..<Self.rounds {
        let bytes = Self.mutated(sample.bytes, &dice)
        let page = PageParser.inUTC.page(bytes, url: sample.value("url"), mediaType: "")
        #expect(!page.kind.isEmpty)
        let text = String(decoding: bytes, as: UTF8.self)
        _ = PageParser.inUTC.feed(text, url: "")
        _ = PageParser.inUTC.links(text, url: "https://a.example/")
        _ = PageParser.inUTC.readable(text)
      }
    }
  }

  /// Tags on which the parser takes quadratic time unless limited.
  @Test(arguments: [
    "<div>", "<b>", "<b id=%>", "<font size=%>", "<a href=%>", "<ul><li>", "<p>x", "<table>",
    "<table><td>", "<b><div></b>", "<span><div></span>", "<div><span></div>", "<a><p></a>", "<svg>",
    "<svg><style><div>", "<math><mi><b>", "<select><option>", "<template>", "<!--", "<![CDATA[",
    "<form>", "<button>", "<h1>", "<div><table><td></div>", "<div><b></div>",
    "<object><b>x</object>",
    "<x>", "<x-%>", "<ruby><rt>", "<dl><dd>", "</p>", "<script>", "<title>", "<textarea>", "&", "<",
    "<meta property=og:title content=x>", "<optgroup>", "<nobr>", "<td>", "<frameset>",
    "<applet><b>",
  ])
  func manyTagsAreReadInTime(piece: String) {
    var html = "<p>"
    var number = 0
    let size = Amount.of("ERRAND_TAGS", quick: 25_000, whole: 100_000)
    while html.utf8.count < size {
      html += piece.replacing("%", with: "\(number)")
      number += 1
    }
    html += "The end."
    let tree = HTMLTree(html)
    #expect(tree.nodes.count < size)
    _ = PageParser.inUTC.page(html, url: "https://a.example/")
  }

  @Test func manyAttributesAreReadInTime() {
    let attributes = (0..<50_000).map { "a\($0)=1" }.joined(separator: " ")
    let tree = HTMLTree("<p \(attributes)>text</p><p>more")
    #expect(tree.nodes.allSatisfy { $0.attributes.count <= HTMLBounds.attributes })
    #expect(tree.nodes.contains { $0.text == "more" })
  }

  @Test func depthIsLimitedAndTextKept() {
    let html = String(repeating: "<div>", count: 100_000) + "deep"
    let tree = HTMLTree(html)
    #expect(tree.nodes.count < 1_000)
    #expect(tree.nodes.contains { $0.text.contains("deep") })
  }
}
