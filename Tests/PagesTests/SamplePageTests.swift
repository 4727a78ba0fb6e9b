import CEL
import Testing

@testable import Pages

/// The metadata and text of the pages in Tests/Samples, each with a different difficulty.
@Suite struct SamplePageTests {
  @Test func thereAreAtLeastSixtySamples() {
    #expect(SamplePage.all.count >= 60)
  }

  @Test(arguments: SamplePage.all.map(\.name))
  func matchesItsExpectations(name: String) throws {
    let sample = try #require(SamplePage.all.first { $0.name == name })
    let page = sample.page
    guard case .map(let map) = page.value else {
      Issue.record("a page is a map")
      return
    }
    for (key, expected) in sample.lines {
      switch key {
      case "url", "type": break
      case "text-has": #expect(page.text.contains(expected), "\(key): \(page.text)")
      case "text-lacks": #expect(!page.text.contains(expected), "\(key): \(page.text)")
      case "readingTime":
        let seconds = page.readingTime?.seconds
        #expect((seconds.map { "\($0 / 60)m" } ?? "null") == expected)
      default:
        let value = try #require(map[key], "there is no `\(key)`")
        #expect(Self.text(value) == expected, "\(key)")
      }
    }
  }

  private static func text(_ value: Value) -> String {
    value.isNull ? "null" : value.text
  }
}
