import CEL
import Pages

/// Functions on pages and feeds of the web.
enum PageFunctions {
  /// Their names.
  static let names = ["page", "readable", "links", "feed", "robotsAllow"]

  /// What a page tells, null where it does not.
  private static var pageType: CELType {
    let text = CELType.nullable(.string)
    return .record(
      RecordType(
        "what `page` gives",
        [
          .init("kind", .string), .init("title", text), .init("description", text),
          .init("site", text), .init("author", text), .init("date", .nullable(.timestamp)),
          .init("modified", .nullable(.timestamp)), .init("language", text),
          .init("image", text), .init("canonical", text), .init("feed", text),
          .init("readingTime", .nullable(.duration)), .init("words", .int),
          .init("width", .nullable(.int)), .init("height", .nullable(.int)),
          .init("pages", .nullable(.int)), .init("text", .string),
        ]))
  }

  /// A link of a page.
  private static var linkType: CELType {
    .record(
      RecordType(
        "a link of a page",
        [.init("url", .string), .init("text", .string), .init("rel", .list(.string))]))
  }

  /// A feed with its items, null where it does not tell.
  private static var feedType: CELType {
    let text = CELType.nullable(.string)
    let item = RecordType(
      "an item of a feed",
      [
        .init("id", text), .init("title", text), .init("url", text), .init("author", text),
        .init("date", .nullable(.timestamp)), .init("updated", .nullable(.timestamp)),
        .init("summary", text), .init("content", text), .init("image", text),
        .init("media", text), .init("tags", .list(.string)),
      ])
    return .record(
      RecordType(
        "what `feed` gives",
        [
          .init("kind", .string), .init("title", text), .init("description", text),
          .init("url", text), .init("author", text), .init("language", text),
          .init("image", text), .init("updated", .nullable(.timestamp)),
          .init("items", .list(.record(item))),
        ]))
  }

  /// All of them.
  static func all(_ clock: LocalClock) -> [Function] {
    let parser = PageParser(dates: PageDate { clock.moment(of: $0) })
    return [
      Function("page", .global, [.string, .string], returns: pageType) {
        (html: String, url: String) in parser.page(html, url: url).value
      },
      Function("page", .global, [.bytes, .string], returns: pageType) {
        (content: Value, url: String) in
        parser.page(bytes(of: content), url: url, mediaType: "").value
      },
      Function("page", .global, [.dyn, .string, .nullable(.string)], returns: pageType) {
        (content: Value, url: String, mediaType: Value) -> Value in
        let type = if case .string(let type) = mediaType { type } else { "" }
        switch content {
        case .string(let text): return parser.page(text, url: url).value
        case .bytes(let bytes): return parser.page(bytes, url: url, mediaType: type).value
        case .null: return parser.page("", url: url).value
        // What came as JSON was made a value already; it may be a feed.
        default:
          let text = try? DataFormat.jsonText(content)
          return parser.page(text ?? "", url: url).value
        }
      },
      Function("robotsAllow") { (robots: String, url: String) in
        RobotsRules(robots, agent: "errand").allows(url)
      },
      Function("readable") { (html: String) in parser.readable(html) },
      Function("links", .global, [.string], returns: .list(linkType)) { (html: String) in
        Value.list(parser.links(html, url: ""))
      },
      Function("links", .global, [.string, .string], returns: .list(linkType)) {
        (html: String, url: String) in Value.list(parser.links(html, url: url))
      },
      Function("feed", .global, [.string], returns: feedType) {
        (text: String) throws(EvaluationError) -> Value in try feed(parser, text, "")
      },
      Function("feed", .global, [.string, .string], returns: feedType) {
        (text: String, url: String) throws(EvaluationError) -> Value in
        try feed(parser, text, url)
      },
    ]
  }

  private static func feed(
    _ parser: PageParser, _ text: String, _ url: String
  ) throws(EvaluationError) -> Value {
    guard let feed = parser.feed(text, url: url) else {
      throw EvaluationError("the text is not a feed: neither RSS nor Atom nor JSON Feed")
    }
    return feed.value
  }

  private static func bytes(of value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return []
  }
}
