import CEL
import Testing

@testable import Pages

/// The turns of large documents.
@Suite struct LargeReadsTests {
  /// A page that is large.
  private let page = "<p>" + String(repeating: "The river rose. ", count: 70_000)

  @Test func largePageWaitsForAnother() {
    let large = LargeReads()
    let parser = PageParser(dates: PageDate { $0.timestamp() }, large: large)
    var checks = 0
    let waiting = ReadingBudget {
      checks += 1
      return checks == 3
    }
    large.read(page.utf8.count, ReadingBudget()) {
      _ = parser.page(page, url: "", waiting)
      #expect(parser.page("<p>The river rose.", url: "").text == "The river rose.")
    }
    #expect(checks == 3)
    #expect(waiting.end == .interrupted)
  }

  @Test(arguments: ["readable", "links", "bytes"])
  func eachReaderWaits(name: String) {
    let large = LargeReads()
    let parser = PageParser(dates: PageDate { $0.timestamp() }, large: large)
    let waiting = ReadingBudget { true }
    large.read(page.utf8.count, ReadingBudget()) {
      switch name {
      case "readable": #expect(parser.readable(page, waiting) == "")
      case "links": #expect(parser.links(page, url: "", waiting).isEmpty)
      default: #expect(parser.page(Array(page.utf8), url: "", mediaType: "", waiting).text == "")
      }
    }
    #expect(waiting.end == .interrupted)
  }

  @Test func turnEndsWithTheRead() {
    let large = LargeReads()
    for _ in 0..<3 {
      let budget = ReadingBudget { true }
      #expect(large.read(LargeReads.size + 1, budget) { 1 } == 1)
      #expect(budget.end == nil)
    }
  }
}
