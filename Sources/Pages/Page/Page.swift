package import CEL

/// What a page, or another document of the web, tells of itself.
package struct Page {
  /// What it is: `page article video audio product profile book recipe event feed pdf image text`.
  package var kind = "page"
  package var title: String?
  package var description: String?
  /// The name of the site that it is part of.
  package var site: String?
  package var author: String?
  /// When it was published.
  package var date: Timestamp?
  /// When it was last changed.
  package var modified: Timestamp?
  /// The language as BCP 47 has it, such as `en-GB`.
  package var language: String?
  /// The address of a picture that stands for it.
  package var image: String?
  /// The address that it calls its own.
  package var canonical: String?
  /// The address of a feed with what is new there.
  package var feed: String?
  /// What a person reads there, without what stands around it.
  package var text = ""
  /// The pixels of an image, the pages of a PDF.
  package var width: Int64?
  package var height: Int64?
  package var pages: Int64?

  package init() {}

  /// The number of words; two characters of a text without spaces are one.
  package var words: Int { WordCount.count(text) }

  /// How long it takes to read; nil where there is nothing to read.
  package var readingTime: Duration? { WordCount.readingTime(words) }

  /// All of it as a map, in which nothing is missing: what is not known is null.
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
        ("text", .string(text)),
      ]))
  }
}

extension Value {
  /// A text, or null.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A moment, or null.
  init(_ moment: Timestamp?) { self = moment.map { .timestamp($0) } ?? .null }
}
