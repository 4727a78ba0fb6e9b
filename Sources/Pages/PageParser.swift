package import CEL

/// Parses pages, feeds and other documents of the web.
///
/// `Pages` owns the extraction of metadata and readable text from HTML, PDF, images and feeds, and
/// the rules of robots.txt.
package struct PageParser {
  let dates: PageDate
  private let last = LastPage()
  let large: LargeReads

  /// Creates a parser.
  ///
  /// - Parameter large: Shared by all parsers of a process.
  package init(dates: PageDate, large: LargeReads = LargeReads()) {
    self.dates = dates
    self.large = large
  }

  /// Reads HTML, a feed or plain text, detected from its content.
  ///
  /// - Parameters:
  ///   - url: The URL of the document; empty if unknown.
  ///   - budget: Limits the work; if it runs out, the result is incomplete.
  package func page(
    _ text: String, url: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Page {
    large.read(text.utf8.count, budget) { parsed(text, url: url, budget) }
  }

  /// Reads a text whose turn it is.
  func parsed(_ text: String, url: String, _ budget: ReadingBudget) -> Page {
    switch TextKind(text) {
    case .html: read(text, url: url, budget)
    case .feed: feed(text, url: url, budget).map(Self.page) ?? PlainPage.page(text)
    case .plain: PlainPage.page(text)
    }
  }

  /// The readable text of a page.
  package func readable(_ html: String, _ budget: ReadingBudget = ReadingBudget()) -> String {
    large.read(html.utf8.count, budget) {
      TextKind(html) == .plain ? PlainPage.page(html).text : last.text(html, budget)
    }
  }

  private func read(_ html: String, url: String, _ budget: ReadingBudget) -> Page {
    let (layout, text) = last.parts(html, budget)
    var page = PageReader(layout, url: url, dates: dates).page()
    page.text = text
    return page
  }

  /// The links of a page.
  package func links(
    _ html: String, url: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> [Value] {
    large.read(html.utf8.count, budget) { LinkList.links(HTMLTree(html, budget), url: url) }
  }

  /// Reads a feed; nil if the text is not one.
  package func feed(
    _ text: String, url: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Feed? {
    FeedReader(url: url, dates: dates).feed(text, budget)
  }

  /// A feed as a page.
  private static func page(_ feed: Feed) -> Page {
    var page = Page()
    page.kind = "feed"
    page.title = feed.title
    page.description = feed.description
    page.author = feed.author
    page.language = feed.language
    page.image = feed.image
    page.canonical = feed.url
    page.modified = feed.updated
    page.date = feed.items.compactMap(\.date).max()
    page.text = feed.items.prefix(1_000).compactMap(\.title).joined(separator: "\n")
    return page
  }
}
