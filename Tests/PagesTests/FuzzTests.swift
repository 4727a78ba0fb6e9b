import CEL
import Testing

@testable import Pages

/// No input traps, hangs, or costs more than its size.
@Suite struct FuzzTests {
  /// A small generator of its own, so that a failure can be had again.
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

  private static func mutated(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
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

  @Test func mutationsOfAllSamplesAreRead() {
    var dice = Dice(state: 18)
    for sample in SamplePage.all where sample.bytes.count < 40_000 {
      for _ in 0..<25 {
        let bytes = Self.mutated(sample.bytes, &dice)
        let page = PageParser.inUTC.page(bytes, url: sample.value("url"), mediaType: "")
        #expect(!page.kind.isEmpty)
        let text = String(decoding: bytes, as: UTF8.self)
        _ = PageParser.inUTC.feed(text, url: "")
        _ = PageParser.inUTC.links(text, url: "https://a.example/")
      }
    }
  }

  /// Tags that make the parser's work grow with the square of their number, if nothing bounds it.
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
    while html.utf8.count < 100_000 {
      html += piece.replacing("%", with: "\(number)")
      number += 1
    }
    html += "The end."
    let tree = HTMLTree(html)
    #expect(tree.nodes.count < 100_000)
    _ = PageParser.inUTC.page(html, url: "https://a.example/")
  }

  @Test func manyAttributesAreReadInTime() {
    let attributes = (0..<50_000).map { "a\($0)=1" }.joined(separator: " ")
    let tree = HTMLTree("<p \(attributes)>text</p><p>more")
    #expect(tree.nodes.allSatisfy { $0.attributes.count <= HTMLBounds.attributes })
    #expect(tree.nodes.contains { $0.text == "more" })
  }

  @Test func depthIsBoundedAndTextKept() {
    let html = String(repeating: "<div>", count: 100_000) + "deep"
    let tree = HTMLTree(html)
    #expect(tree.nodes.count < 1_000)
    #expect(tree.nodes.contains { $0.text.contains("deep") })
  }
}
