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
        ("kind", .string(kind)), ("title", Self.value(title)),
        ("description", Self.value(description)), ("url", Self.value(url)),
        ("author", Self.value(author)), ("language", Self.value(language)),
        ("image", Self.value(image)), ("updated", Self.value(updated)),
        ("items", .list(items.map(\.value))),
      ]))
  }

  fileprivate static func value(_ text: String?) -> Value { text.map { .string($0) } ?? .null }
  fileprivate static func value(_ moment: Timestamp?) -> Value {
    moment.map { .timestamp($0) } ?? .null
  }
}

extension Feed.Item {
  /// All of it as a map.
  fileprivate var value: Value {
    .map(
      MapValue([
        ("id", Feed.value(id)), ("title", Feed.value(title)), ("url", Feed.value(url)),
        ("author", Feed.value(author)), ("date", Feed.value(date)),
        ("updated", Feed.value(updated)), ("summary", Feed.value(summary)),
        ("content", Feed.value(content)), ("image", Feed.value(image)),
        ("media", Feed.value(media)), ("tags", .list(tags.map { .string($0) })),
      ]))
  }
}
