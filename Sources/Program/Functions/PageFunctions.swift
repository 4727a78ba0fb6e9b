import CEL
import Pages

/// Functions on web pages and feeds.
enum PageFunctions {
  /// Metadata of a page; absent fields are null.
  private static var pageType: CELType {
    let text = CELType.nullable(.string)
    return .record(
      RecordType(
        "the result of `page`",
        [
          .init("kind", .string), .init("title", text), .init("description", text),
          .init("site", text), .init("author", text), .init("date", .nullable(.timestamp)),
          .init("modified", .nullable(.timestamp)), .init("language", text),
          .init("image", text), .init("canonical", text), .init("feed", text),
          .init("readingTime", .nullable(.duration)), .init("words", .int),
          .init("width", .nullable(.int)), .init("height", .nullable(.int)),
          .init("pages", .nullable(.int)), .init("place", .nullable(.map(.string, .double))),
          .init("text", .string),
        ]))
  }

  /// A link in a page.
  private static var linkType: CELType {
    .record(
      RecordType(
        "a link of a page",
        [.init("url", .string), .init("text", .string), .init("rel", .list(.string))]))
  }

  /// A feed with its items; absent fields are null.
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
        "the result of `feed`",
        [
          .init("kind", .string), .init("title", text), .init("description", text),
          .init("url", text), .init("author", text), .init("language", text),
          .init("image", text), .init("updated", .nullable(.timestamp)),
          .init("items", .list(.record(item))),
        ]))
  }

  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "page") {
      reading($0, [.string, .string], pageType, context: $1, body: page)
      reading($0, [.bytes], pageType, context: $1, body: page)
      reading($0, [.bytes, .string], pageType, context: $1, body: page)
      reading($0, [.dyn, .string, .nullable(.string)], pageType, context: $1, body: page)
    },
    FunctionRow("robotsAllow") {
      Function($0) { (robots: String, url: String) in
        RobotsRules(robots, agent: "errand").allows(url)
      }
    },
    FunctionRow(in: "readable") {
      reading($0, [.string], .string, context: $1) { parser, values, budget in
        .string(parser.readable(text(values[0]), budget))
      }
      reading($0, [.bytes], .string, context: $1) { parser, values, budget in
        .string(parser.readable(bytes(values[0]), budget))
      }
    },
    FunctionRow(in: "links") {
      reading($0, [.string], .list(linkType), context: $1, body: links)
      reading($0, [.string, .string], .list(linkType), context: $1, body: links)
    },
    FunctionRow(in: "feed") {
      reading($0, [.string], feedType, context: $1, body: feed)
      reading($0, [.string, .string], feedType, context: $1, body: feed)
      reading($0, [.bytes], feedType, context: $1, body: feed)
      reading($0, [.bytes, .string], feedType, context: $1, body: feed)
      reading($0, [.bytes, .string, .nullable(.string)], feedType, context: $1, body: feed)
    },
  ]

  /// A function that parses a document and is cancelled with its evaluation.
  private static func reading(
    _ name: String, _ types: [CELType], _ result: CELType, context: FunctionContext,
    body:
      @escaping @Sendable (PageParser, [Value], ReadingBudget) throws(EvaluationError) ->
      Value
  ) -> Function {
    let parser = PageParser(
      dates: PageDate { context.clock.moment(of: $0) }, large: context.largeReads)
    return Function(name, watched: types, returns: result) {
      values, mustStop throws(EvaluationError) in
      try body(parser, values, ReadingBudget(mustStop: mustStop))
    }
  }

  private static func links(
    _ parser: PageParser, _ values: [Value], _ budget: ReadingBudget
  ) -> Value {
    .list(parser.links(text(values[0]), url: values.count > 1 ? text(values[1]) : "", budget))
  }

  /// Parses a page, given its URL and possibly its media type.
  private static func page(
    _ parser: PageParser, _ values: [Value], _ budget: ReadingBudget
  ) -> Value {
    let url = values.count > 1 ? text(values[1]) : ""
    switch values[0] {
    case .string(let text): return parser.page(text, url: url, budget).value
    case .bytes(let bytes):
      let type = values.count > 2 ? text(values[2]) : ""
      return parser.page(bytes, url: url, mediaType: type, budget).value
    case .null: return parser.page("", url: url, budget).value
    // JSON has been parsed already; it may be a feed.
    default:
      let text = try? DataFormat.jsonText(values[0])
      return parser.page(text ?? "", url: url, budget).value
    }
  }

  private static func feed(
    _ parser: PageParser, _ values: [Value], _ budget: ReadingBudget
  ) throws(EvaluationError) -> Value {
    let url = values.count > 1 ? text(values[1]) : ""
    let type = values.count > 2 ? text(values[2]) : ""
    let feed =
      if case .bytes(let bytes) = values[0] {
        parser.feed(bytes, url: url, mediaType: type, budget)
      } else {
        parser.feed(text(values[0]), url: url, budget)
      }
    if let feed { return feed.value }
    // The parser was cancelled before its end.
    if budget.end == .interrupted { return .null }
    throw EvaluationError("the text is not a feed: neither RSS nor Atom nor JSON Feed")
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { text } else { "" }
  }

  private static func bytes(_ value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { bytes } else { [] }
  }
}
