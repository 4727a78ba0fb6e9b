import CEL
import Pages

/// Functions on pages and feeds of the web.
enum PageFunctions {
  /// Their names.
  static let names = ["page", "readable", "links", "feed", "robotsAllow"]

  private static let map = CELType.map(.string, .dyn)

  /// All of them.
  static func all(_ clock: LocalClock) -> [Function] {
    let parser = PageParser(dates: PageDate { clock.moment(of: $0) })
    return [
      Function("page", .global, [.string, .string], returns: map) {
        (html: String, url: String) in parser.page(html, url: url).value
      },
      Function("page", .global, [.bytes, .string], returns: map) { (content: Value, url: String) in
        parser.page(bytes(of: content), url: url, mediaType: "").value
      },
      Function("page", .global, [.dyn, .string, .nullable(.string)], returns: map) {
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
      Function("links", .global, [.string], returns: .list(map)) { (html: String) in
        Value.list(parser.links(html, url: ""))
      },
      Function("links", .global, [.string, .string], returns: .list(map)) {
        (html: String, url: String) in Value.list(parser.links(html, url: url))
      },
      Function("feed", .global, [.string], returns: map) {
        (text: String) throws(EvaluationError) -> Value in try feed(parser, text, "")
      },
      Function("feed", .global, [.string, .string], returns: map) {
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
