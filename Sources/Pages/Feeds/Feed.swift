package import CEL

/// A news feed (RSS 0.9 to 2.0, Atom, JSON Feed).
package struct Feed {
  /// `rss`, `atom` or `json`.
  package var kind = ""
  package var title: String?
  package var description: String?
  /// The URL of the site.
  package var url: String?
  package var author: String?
  package var language: String?
  package var image: String?
  package var updated: Timestamp?
  package var items: [Item] = []

  /// An entry of a feed.
  package struct Item {
    /// The identifier; nil if the feed has none.
    package var id: String?
    package var title: String?
    package var url: String?
    package var author: String?
    package var date: Timestamp?
    package var updated: Timestamp?
    /// The summary as text.
    package var summary: String?
    /// The content as HTML.
    package var content: String?
    package var image: String?
    /// The URL of audio or video.
    package var media: String?
    package var tags: [String] = []
    /// The date as written in the feed.
    package var writtenDate: String?

    /// The content as text.
    package var contentText: String? { CleanText.lineOfMarkup(content, limit: 1 << 20) }
  }

  /// The maximum number of items.
  static let maxItems = 10_000

  /// The feed as a map with all fields; unknown ones are null.
  package var value: Value {
    .map(
      MapValue([
        ("kind", .string(kind)), ("title", Value(title)),
        ("description", Value(description)), ("url", Value(url)),
        ("author", Value(author)), ("language", Value(language)),
        ("image", Value(image)), ("updated", Value(updated)),
        ("items", .list(items.map(\.value))),
      ]))
  }
}

extension Feed.Item {
  /// The item as a map.
  fileprivate var value: Value {
    .map(
      MapValue([
        ("id", Value(id)), ("title", Value(title)), ("url", Value(url)),
        ("author", Value(author)), ("date", Value(date)),
        ("updated", Value(updated)), ("summary", Value(summary)),
        ("content", Value(content)), ("image", Value(image)),
        ("media", Value(media)), ("tags", .list(tags.map { .string($0) })),
      ]))
  }
}
