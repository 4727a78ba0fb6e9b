package import CEL

/// The metadata and text of a page or another document on the web.
package struct Page {
  /// The kind: `page article video audio product profile book recipe event feed pdf image text`.
  package var kind = "page"
  package var title: String?
  package var description: String?
  /// The name of the site.
  package var site: String?
  package var author: String?
  /// The date of publication.
  package var date: Timestamp?
  /// The date of the last change.
  package var modified: Timestamp?
  /// The language tag (BCP 47), such as `en-GB`.
  package var language: String?
  /// The URL of a representative picture.
  package var image: String?
  /// The canonical URL according to the page.
  package var canonical: String?
  /// The URL of a feed.
  package var feed: String?
  /// The readable text, without navigation and the like.
  package var text = ""
  /// The size of an image in pixels, and the number of pages of a PDF.
  package var width: Int64?
  package var height: Int64?
  package var pages: Int64?
  /// The location where a picture was taken, in degrees.
  package var place: (latitude: Double, longitude: Double)?

  package init() {}

  /// The number of words; in scripts without spaces, two characters count as one.
  package var words: Int { WordCount.count(text) }

  /// The reading time; nil if there is no text.
  package var readingTime: DurationValue? { WordCount.readingTime(words) }

  /// The page as a map with all fields; unknown ones are null.
  package var value: Value {
    .map(
      MapValue([
        ("kind", .string(kind)), ("title", Value(title)),
        ("description", Value(description)), ("site", Value(site)),
        ("author", Value(author)), ("date", Value(date)),
        ("modified", Value(modified)),
        ("language", Value(language)), ("image", Value(image)),
        ("canonical", Value(canonical)), ("feed", Value(feed)),
        ("readingTime", readingTime.map { .duration($0) } ?? .null),
        ("words", .int(Int64(words))), ("width", width.map { .int($0) } ?? .null),
        ("height", height.map { .int($0) } ?? .null), ("pages", pages.map { .int($0) } ?? .null),
        ("place", placeValue), ("text", .string(text)),
      ]))
  }

  private var placeValue: Value {
    guard let place else { return .null }
    return .map(
      MapValue([
        ("latitude", .double(place.latitude)), ("longitude", .double(place.longitude)),
      ]))
  }
}

extension Value {
  /// A string, or null for nil.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A timestamp, or null for nil.
  init(_ moment: Timestamp?) { self = moment.map { .timestamp($0) } ?? .null }
}
