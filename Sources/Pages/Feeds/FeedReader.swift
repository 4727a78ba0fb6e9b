import ForeignText

/// Reads feeds of all formats, detected from their content.
struct FeedReader {
  private let dates: PageDate
  private let url: String

  init(url: String, dates: PageDate) {
    self.url = url
    self.dates = dates
  }

  /// Reads a feed; nil if the text is not one.
  func feed(_ text: String, _ budget: ReadingBudget) -> Feed? {
    let start = text.utf8.first { !$0.isBlank && $0 < 0x80 }
    if start == UInt8(ascii: "{") { return JSONFeedReader(url: url, dates: dates).feed(text) }
    var scanner = MarkupScanner(text, .xml)
    var builder = FeedBuilder(url: url, dates: dates)
    var charged = 0
    while budget.spend(scanner.window.start - charged + 1) {
      charged = scanner.window.start
      guard let token = scanner.next(), builder.take(token) else { break }
    }
    return builder.finished
  }

  /// Whether a text looks like an XML feed.
  static func isFeed(_ text: String) -> Bool {
    var scanner = MarkupScanner(String(text.prefix(4_000)), .xml)
    while let token = scanner.next(wantsText: false) {
      if case .start(let tag) = token { return FeedBuilder.kind(ofRoot: tag.name) != nil }
    }
    return false
  }
}
