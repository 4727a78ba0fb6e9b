import CEL
import JSON
import Links

/// Reads feeds of any kind, by what is in them and not by what they are called.
struct FeedReader {
  private let dates: PageDate
  private let url: String

  init(url: String, dates: PageDate) {
    self.url = url
    self.dates = dates
  }

  /// The feed in a text; nil where there is none.
  func feed(_ text: String, _ budget: ReadingBudget) -> Feed? {
    let start = text.utf8.first { !$0.isHTMLSpace && $0 < 0x80 }
    if start == UInt8(ascii: "{") { return JSONFeedReader(url: url, dates: dates).feed(text) }
    var scanner = XMLScanner(text, budget)
    var builder = FeedBuilder(url: url, dates: dates)
    while let token = scanner.next() {
      guard builder.take(token) else { break }
    }
    return builder.finished
  }

  /// Whether a text seems to be a feed of XML.
  static func isFeed(_ text: String) -> Bool {
    var scanner = XMLScanner(String(text.prefix(4_000)))
    while let token = scanner.next() {
      if case .start(let name, _) = token { return FeedBuilder.kind(ofRoot: name) != nil }
    }
    return false
  }
}
