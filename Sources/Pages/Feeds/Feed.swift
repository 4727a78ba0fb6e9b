package import CEL

/// A feed: what is new at a site (RSS 0.9 to 2.0, Atom, JSON Feed).
package struct Feed {
  /// `rss`, `atom` or `json`.
  package var kind = ""
  package var title: String?
  package var description: String?
  /// The address of the site.
  package var url: String?
  package var author: String?
  package var language: String?
  package var image: String?
  package var updated: Timestamp?
  package var items: [Item] = []

  /// One thing that is new.
  package struct Item {
    /// What tells it from others; nil where the feed does not say.
    package var id: String?
    package var title: String?
    package var url: String?
    package var author: String?
    package var date: Timestamp?
    package var updated: Timestamp?
    /// What is said of it, as text.
    package var summary: String?
    /// All of it, as HTML.
    package var content: String?
    package var image: String?
    /// The address of a sound or a film.
    package var media: String?
    package var tags: [String] = []
  }

  /// How many items are read.
  static let maxItems = 10_000

  /// All of it as a map, in which nothing is missing: what is not known is null.
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
  /// All of it as a map.
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
