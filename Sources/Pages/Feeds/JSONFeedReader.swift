import CEL
import JSON

/// Reads JSON Feed (https://www.jsonfeed.org/version/1.1/).
struct JSONFeedReader {
  private let dates: PageDate
  private let address: PageAddress

  init(url: String, dates: PageDate) {
    self.dates = dates
    address = PageAddress(nil, page: url)
  }

  /// Reads a feed; nil if the text is not one.
  func feed(_ text: String) -> Feed? {
    let parser = JSONParser(maxDepth: 64, maxBytes: 32 << 20, acceptsDuplicates: true)
    guard case .map(let map)? = try? parser.parse(text), case .list(let items)? = map["items"],
      Self.text(map["version"])?.contains("jsonfeed") == true || map["title"] != nil
    else { return nil }
    var feed = Feed()
    feed.kind = "json"
    feed.title = CleanText.line(Self.text(map["title"]))
    feed.description = CleanText.line(Self.text(map["description"]))
    feed.url = address.resolved(Self.text(map["home_page_url"]))
    feed.author = authors(map)
    feed.language = Self.text(map["language"]).flatMap(LanguageTag.normalized)
    feed.image = address.resolved(Self.text(map["icon"]) ?? Self.text(map["favicon"]))
    for case .map(let item) in items.prefix(Feed.maxItems) { feed.items.append(self.item(item)) }
    feed.updated = feed.items.compactMap { $0.updated ?? $0.date }.max()
    return feed
  }

  private func item(_ map: MapValue) -> Feed.Item {
    var item = Feed.Item()
    item.id = Self.text(map["id"])
    item.url = address.resolved(Self.text(map["url"]) ?? Self.text(map["external_url"]))
    item.title = CleanText.line(Self.text(map["title"]))
    item.author = authors(map)
    item.updated = dates.timestamp(ofFeed: Self.text(map["date_modified"]))
    item.date = dates.timestamp(ofFeed: Self.text(map["date_published"])) ?? item.updated
    item.content = Self.text(map["content_html"]) ?? Self.text(map["content_text"])
    item.summary = CleanText.line(Self.text(map["summary"]))
    item.image = address.resolved(Self.text(map["image"]) ?? Self.text(map["banner_image"]))
    if case .list(let attachments)? = map["attachments"] {
      for case .map(let attachment) in attachments {
        item.media = item.media ?? address.resolved(Self.text(attachment["url"]))
      }
    }
    if case .list(let tags)? = map["tags"] {
      item.tags = tags.prefix(100).compactMap { CleanText.line(Self.text($0), limit: 100) }
    }
    return item
  }

  /// The authors of version 1.1, or the author of version 1.
  private func authors(_ map: MapValue) -> String? {
    var names: [String] = []
    if case .list(let authors)? = map["authors"] {
      for case .map(let author) in authors.prefix(20) {
        if let name = CleanText.line(Self.text(author["name"])) { names.append(name) }
      }
    } else if case .map(let author)? = map["author"] {
      names = [CleanText.line(Self.text(author["name"]))].compactMap { $0 }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// A string, or a number as a string.
  private static func text(_ value: Value?) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): String(number)
    default: nil
    }
  }
}
