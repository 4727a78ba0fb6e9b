import CEL
import Calendars
import Items
import JSON

/// An item of a list that is published: a page or a feed for other people.
struct PublishedItem {
  private let url: String
  private let title: String
  private let summary: String
  private let tags: [String]
  private let id: String
  private let created: Timestamp
  let updated: Timestamp

  init(_ item: Item) {
    func text(_ name: String) -> String {
      if case .string(let text)? = item.field(name) { text.asParagraph } else { "" }
    }
    url = BookmarkForm.address(in: item.schema).map(text) ?? ""
    let name = [text("title"), text("name"), text("pageTitle"), url].first { !$0.isEmpty }
    title = (name ?? "").oneLine
    summary = text("summary")
    tags = if case .list(let values)? = item.field("tags") { values.map(\.text) } else { [] }
    id = item.uid ?? ""
    created = item.createdAt ?? Timestamp(seconds: 0)
    updated = item.updatedAt ?? created
  }

  // MARK: Page

  /// The beginning of a page without scripts and other files.
  static let pageBeginning = """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>Links</title>
    <style>
    body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
    li { margin: 0 0 1rem } p { margin: 0; white-space: pre-wrap } small { color: #666 }
    :root { color-scheme: light dark }
    </style>
    <h1>Links</h1>
    <ul>

    """
  static let pageEnding = "</ul>\n</html>\n"

  /// The item of the page's list.
  var page: String {
    let day = String(created.text.prefix(10))
    let marks = ([day] + tags.map { "#" + $0 }).joined(separator: " ")
    let note = summary.isEmpty ? "" : "\n<p>\(summary.escapedMarkup(isAttribute: false))</p>"
    return "<li><a href=\"\(url.escapedMarkup())\" rel=\"noreferrer\">\(title.escapedMarkup())</a> "
      + "<small>\(marks.escapedMarkup())</small>\(note)</li>\n"
  }

  // MARK: Feed

  static let feedBeginning = """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom">
      <title>Links</title>
      <author><name>Errand</name></author>

    """

  /// The end of a feed: its id and the time of its last change (RFC 4287 §4.1.1), which are known then.
  ///
  /// - Parameter oldest: The item by which the feed is known, as its oldest one rarely changes.
  static func feedEnding(oldest: PublishedItem?, latest: PublishedItem?) -> String {
    let time = (latest?.updated ?? Timestamp(seconds: 0)).text
    let id = CalendarObject.globalID(of: "feed:" + (oldest?.id ?? ""))
    return "  <id>urn:uuid:\(id)</id>\n  <updated>\(time)</updated>\n</feed>\n"
  }

  /// The entry of a feed.
  var entry: String {
    let categories = tags.map { "    <category term=\"\($0.escapedMarkup())\"/>\n" }.joined()
    let note =
      summary.isEmpty
      ? "" : "    <summary>\(summary.escapedMarkup(isAttribute: false))</summary>\n"
    return """
        <entry>
          <id>urn:uuid:\(id)</id>
          <title>\(title.escapedMarkup())</title>
          <link href="\(url.escapedMarkup())"/>
          <published>\(created.text)</published>
          <updated>\(updated.text)</updated>
      \(categories)\(note)  </entry>

      """
  }
}
