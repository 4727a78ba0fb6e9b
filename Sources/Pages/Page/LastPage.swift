import Synchronization

/// A cache of the last page, so that `page` and `readable` of the same text parse it once.
final class LastPage: Sendable {
  /// The results for a page.
  private struct Reading {
    let html: String
    let text: String
    /// Nil after it was used.
    var layout: PageLayout?
  }

  private let reading = Mutex<Reading?>(nil)

  /// The maximum size of a cached page in bytes; its tree takes about thirty times as much.
  private static let maxBytes = 256 << 10

  /// The readable text of a page.
  func text(_ html: String, _ budget: ReadingBudget) -> String {
    if let kept = removeCached(html) {
      cache(kept)
      return kept.text
    }
    let made = make(html, budget)
    if budget.end == nil { cache(made) }
    return made.text
  }

  /// The layout and the readable text of a page.
  func parts(_ html: String, _ budget: ReadingBudget) -> (layout: PageLayout, text: String) {
    var reading = removeCached(html) ?? make(html, budget)
    let layout = reading.layout ?? PageLayout(HTMLTree(html, budget))
    // Only the text is requested again.
    reading.layout = nil
    if budget.end == nil { cache(reading) }
    return (layout, reading.text)
  }

  private func make(_ html: String, _ budget: ReadingBudget) -> Reading {
    let layout = PageLayout(HTMLTree(html, budget))
    return Reading(html: html, text: Readability(layout).text, layout: layout)
  }

  /// Removes and returns the cached reading, so that two trees are never in memory.
  private func removeCached(_ html: String) -> Reading? {
    reading.withLock { kept in
      defer { kept = nil }
      return kept?.html.utf8.count == html.utf8.count && kept?.html == html ? kept : nil
    }
  }

  private func cache(_ made: Reading) {
    guard made.html.utf8.count <= Self.maxBytes else { return }
    reading.withLock { $0 = made }
  }
}
