package import CEL

/// What pages, feeds and other documents of the web tell of themselves.
package struct PageParser {
  let dates: PageDate

  package init(dates: PageDate) {
    self.dates = dates
  }

  /// What a text of HTML tells, or a feed, or plain text, by the look of it.
  ///
  /// - Parameters:
  ///   - url: The address that it came from; empty where that is not known.
  ///   - budget: Is spent on the way; where it ends, what was read until then counts.
  package func page(
    _ text: String, url: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Page {
    switch TextKind(text) {
    case .html: PageReader(HTMLTree(text, budget), url: url, dates: dates).page()
    case .feed: feed(text, url: url, budget).map(Self.page) ?? PlainPage.page(text)
    case .plain: PlainPage.page(text)
    }
  }

  /// What a person reads in a page.
  package func readable(_ html: String, _ budget: ReadingBudget = ReadingBudget()) -> String {
    TextKind(html) == .plain
      ? PlainPage.page(html).text : Readability(HTMLTree(html, budget)).text
  }

  /// The links of a page.
  package func links(
    _ html: String, url: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> [Value] {
    LinkList.links(HTMLTree(html, budget), url: url)
  }

  /// The feed in a text; nil where there is none.
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
