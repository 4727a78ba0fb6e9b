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
      reading("page", [.string, .string], pageType) { texts, budget in
        parser.page(texts[0], url: texts[1], budget).value
      },
      Function("page", watched: [.bytes, .string], returns: pageType) { values, mustStop in
        page(parser, values, ReadingBudget(mustStop: mustStop))
      },
      Function("page", watched: [.dyn, .string, .nullable(.string)], returns: pageType) {
        values, mustStop in page(parser, values, ReadingBudget(mustStop: mustStop))
      },
      Function("robotsAllow") { (robots: String, url: String) in
        RobotsRules(robots, agent: "errand").allows(url)
      },
      reading("readable", [.string], .string) { texts, budget in
        .string(parser.readable(texts[0], budget))
      },
      reading("links", [.string], .list(linkType)) { texts, budget in
        .list(parser.links(texts[0], url: "", budget))
      },
      reading("links", [.string, .string], .list(linkType)) { texts, budget in
        .list(parser.links(texts[0], url: texts[1], budget))
      },
      reading("feed", [.string], feedType) { texts, budget throws(EvaluationError) in
        try feed(parser, texts[0], "", budget)
      },
      reading("feed", [.string, .string], feedType) { texts, budget throws(EvaluationError) in
        try feed(parser, texts[0], texts[1], budget)
      },
    ]
  }

  /// A function of texts that reads a document, which ends where its evaluation does.
  private static func reading(
    _ name: String, _ types: [CELType], _ result: CELType,
    _ body: @escaping @Sendable ([String], ReadingBudget) throws(EvaluationError) -> Value
  ) -> Function {
    Function(name, watched: types, returns: result) { values, mustStop throws(EvaluationError) in
      try body(values.map(text), ReadingBudget(mustStop: mustStop))
    }
  }

  /// What a content tells, from an address, and maybe of a media type.
  private static func page(
    _ parser: PageParser, _ values: [Value], _ budget: ReadingBudget
  ) -> Value {
    let url = text(values[1])
    switch values[0] {
    case .string(let text): return parser.page(text, url: url, budget).value
    case .bytes(let bytes):
      let type = values.count > 2 ? text(values[2]) : ""
      return parser.page(bytes, url: url, mediaType: type, budget).value
    case .null: return parser.page("", url: url, budget).value
    // What came as JSON was made a value already; it may be a feed.
    default:
      let text = try? DataFormat.jsonText(values[0])
      return parser.page(text ?? "", url: url, budget).value
    }
  }

  private static func feed(
    _ parser: PageParser, _ text: String, _ url: String, _ budget: ReadingBudget
  ) throws(EvaluationError) -> Value {
    if let feed = parser.feed(text, url: url, budget) { return feed.value }
    // One that was to end early was not read.
    if budget.end == .interrupted { return .null }
    throw EvaluationError("the text is not a feed: neither RSS nor Atom nor JSON Feed")
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { text } else { "" }
  }
}
