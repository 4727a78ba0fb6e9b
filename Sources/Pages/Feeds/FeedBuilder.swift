package import ForeignText

/// Builds a feed from the tokens of its XML.
package struct FeedBuilder {
  /// An open element.
  private struct Element {
    let name: String
    /// The base URL outside of the element, if the element changes it.
    var outerAddress: PageAddress?
    var isBase64 = false
  }

  private let dates: PageDate
  private var address: PageAddress
  /// The maximum length of a single-line text, in characters.
  private let lineLimit: Int
  private var names = FeedNames()
  private var feed = Feed()
  /// The open elements, innermost last.
  private var open: [Element] = []
  private var item: Feed.Item?
  private var text = ""
  /// The depth of the element whose content is markup; nil outside of one.
  private var markupDepth: Int?
  /// Whether text within that markup must be escaped.
  private var isEscaping = false
  private var isPermanent = true
  /// The identifier of an item if it is a URL.
  private var permalink: String?
  /// The mail address of an author without a name.
  private var mail: String?

  /// The maximum nesting depth.
  private static let maxDepth = 100
  /// The maximum size of an element's text in bytes.
  private static let maxText = 4 << 20

  package init(url: String, dates: PageDate, lineLimit: Int = 1_000) {
    self.dates = dates
    self.lineLimit = lineLimit
    address = PageAddress(nil, page: url)
  }

  /// The kind of feed that a root element indicates; nil for none.
  static func kind(ofRoot name: String) -> String? {
    switch name.lowercased().split(separator: ":").last {
    case "rss", "rdf", "channel": "rss"
    case "feed": "atom"
    default: nil
    }
  }

  /// The feed; nil if there was none.
  var finished: Feed? {
    guard !feed.kind.isEmpty else { return nil }
    var builder = self
    builder.finishItem()
    return builder.feed
  }

  /// Ends an incomplete item; false if there was none.
  package mutating func endItem() -> Bool {
    defer { finishItem() }
    return item != nil
  }

  /// Removes and returns the complete items.
  package mutating func removeItems() -> [Feed.Item] {
    if feed.items.isEmpty { return [] }
    defer { feed.items = [] }
    return feed.items
  }

  /// Processes a token; returns whether to continue.
  package mutating func take(_ token: MarkupScanner.Token) -> Bool {
    switch token {
    case .text(let piece): write(isEscaping ? SafeHTML.escaped(piece) : piece)
    case .start(let tag): begin(tag)
    case .end(let name): end(names.name(name))
    case .cutOff: break
    }
    return feed.items.count < Feed.maxItems && (!open.isEmpty || feed.kind.isEmpty || item != nil)
  }

  // MARK: Elements

  private mutating func begin(_ tag: MarkupScanner.Tag) {
    names.take(tag)
    let name = names.name(tag.name)
    if markupDepth == nil, let last = open.last, Self.isText(last.name) {
      if Self.isOfFeed(name) {
        // The previous element was never closed.
        end(last.name)
      } else {
        markupDepth = open.count
      }
    }
    guard open.count < Self.maxDepth else { return }
    if markupDepth != nil {
      open.append(Element(name: name))
      let plain = name.hasPrefix("xhtml:") ? String(name.dropFirst(6)) : name
      return write(SafeHTML.tag(tag, named: plain))
    }
    if open.isEmpty, feed.kind.isEmpty { feed.kind = Self.kind(ofRoot: name) ?? "" }
    var element = Element(name: name)
    if let base = tag["xml:base"], let target = address.resolved(base) {
      element.outerAddress = address
      address = PageAddress(nil, page: target)
    }
    element.isBase64 = tag["mode"] == "base64" || Self.isText(name) && Self.isBytes(tag["type"])
    open.append(element)
    text = ""
    attributes(tag, name)
    if Self.isText(name) { beginText(tag, name) }
  }

  /// Determines the kind of content of a text element.
  private mutating func beginText(_ tag: MarkupScanner.Tag, _ name: String) {
    let type = tag["type"]?.lowercased() ?? ""
    let isMarkup = type == "xhtml" || type.hasSuffix("+xml") || tag["mode"] == "xml"
    if isMarkup || name.hasPrefix("xhtml:") || name == "body" || name == "div" {
      markupDepth = open.count
      isEscaping = true
    }
  }

  /// Whether a media type means base64 content: neither text nor XML (RFC 4287 §4.1.3.3).
  private static func isBytes(_ type: String?) -> Bool {
    guard let type = type?.lowercased(), type.contains("/") else { return false }
    return !type.hasPrefix("text/") && !type.hasSuffix("xml")
  }

  /// Whether an element contains text that may be markup.
  private static func isText(_ name: String) -> Bool {
    switch name {
    case "title", "description", "subtitle", "tagline", "info", "summary", "content",
      "content:encoded", "dc:title", "dc:description", "dcterms:title", "media:title",
      "media:description", "itunes:summary", "itunes:subtitle", "xhtml:body", "xhtml:div", "body",
      "div", "rights", "copyright", "abstract", "fullitem":
      true
    default: false
    }
  }

  /// Whether an element belongs to the feed rather than to markup in a text.
  private static func isOfFeed(_ name: String) -> Bool {
    switch name {
    case "item", "entry", "guid", "pubdate", "category", "author", "enclosure", "description",
      "lastbuilddate", "updated", "published", "content:encoded", "id", "link":
      true
    default: name.hasPrefix("dc:") || name.hasPrefix("itunes:") || name.hasPrefix("media:")
    }
  }

  /// Reads the attributes of an element.
  private mutating func attributes(_ tag: MarkupScanner.Tag, _ name: String) {
    switch name {
    case "item", "entry":
      if item == nil {
        item = Feed.Item()
        permalink = nil
        mail = nil
      }
      if let about = tag["rdf:about"] ?? tag["about"] {
        item?.id = CleanText.line(about)
        permalink = address.resolved(about)
      }
      cdf(tag)
    case "link": link(tag)
    case "itunes:link": if tag["rel"] == "image" { media(tag, name) }
    case "channel": cdf(tag)
    case "enclosure":
      if let url = tag["url"] ?? tag["href"] { fill(\.media, address.resolved(url)) }
    case "media:content", "media:thumbnail", "itunes:image": media(tag, name)
    case "guid": isPermanent = (tag["isPermaLink"] ?? tag["ispermalink"])?.lowercased() != "false"
    case "category", "itunes:category":
      if let term = tag["term"] ?? tag["text"] { addTag(tag["label"] ?? term) }
    default: break
    }
    if open.count == 1 || name == "channel" || name == "feed", let language = tag["xml:lang"] {
      feed.language = feed.language ?? LanguageTag.normalized(language)
    }
  }

  private mutating func write(_ piece: String) {
    if text.utf8.count < Self.maxText { text += piece }
  }

  /// Reads attributes of the Channel Definition Format.
  private mutating func cdf(_ tag: MarkupScanner.Tag) {
    let moment = dates.timestamp(ofFeed: tag["LASTMOD"] ?? tag["lastmod"])
    let target = address.resolved(tag["HREF"] ?? tag["href"])
    if item != nil {
      item?.updated = moment
      fill(\.url, target)
    } else {
      feed.updated = feed.updated ?? moment
      feed.url = feed.url ?? target
    }
  }

  private mutating func media(_ tag: MarkupScanner.Tag, _ name: String) {
    guard let url = address.resolved(tag["url"] ?? tag["href"]) else { return }
    let type = tag["type"] ?? tag["medium"] ?? ""
    if name == "media:content", !type.hasPrefix("image") {
      if type.hasPrefix("video") || type.hasPrefix("audio") { fill(\.media, url) }
      return
    }
    if item != nil { fill(\.image, url) } else { feed.image = feed.image ?? url }
  }

  private mutating func link(_ tag: MarkupScanner.Tag) {
    guard let target = tag["href"], !isInSource else { return }
    switch tag["rel"] ?? "alternate" {
    case "alternate":
      if item != nil {
        fill(\.url, address.resolved(target))
      } else {
        feed.url = feed.url ?? address.resolved(target)
      }
    case "enclosure": fill(\.media, address.resolved(target))
    default: break
    }
  }

  /// Whether the current element describes another feed, from which the entry was taken, or a
  /// picture.
  private var isInSource: Bool {
    open.contains {
      $0.name == "source" || $0.name == "image" || $0.name == "textinput"
    }
  }

  private mutating func end(_ name: String) {
    guard let index = open.lastIndex(where: { $0.name == name }) else { return }
    if let depth = markupDepth {
      if index + 1 > depth {
        let plain = name.hasPrefix("xhtml:") ? String(name.dropFirst(6)) : name
        write("</\(plain)>")
        open.removeSubrange(index...)
        return
      }
      open.removeSubrange(depth...)
      markupDepth = nil
      isEscaping = false
      // An element around the text ends before it.
      if index + 1 < depth { end(open[depth - 1].name) }
    }
    let parent = index > 0 ? open[index - 1].name : ""
    let element = open[index]
    var content = text
    if element.isBase64 {
      content = DecodedText(MailText.base64(content.utf8)).text
    }
    text = ""
    if name == "item" || name == "entry" {
      finishItem()
    } else if !isInSource || parent == "image" {
      if item != nil { property(name, content, parent) } else { header(name, content, parent) }
    }
    for element in open[index...].reversed() {
      if let outer = element.outerAddress { address = outer }
    }
    open.removeSubrange(index...)
  }

  private mutating func finishItem() {
    guard var item else { return }
    item.url = item.url ?? permalink
    item.author = item.author ?? mail
    // A summary is derived from the content if there is none.
    if item.summary == nil, let content = item.content { item.summary = line(content) }
    item.date = item.date ?? item.updated
    feed.items.append(item)
    self.item = nil
  }

  // MARK: Contents of elements

  private func line(_ content: String) -> String? {
    // Fallback content of elements that readers do not support is part of the text.
    let hidesText = ["<object", "<iframe", "<noscript"].contains { content.contains($0) }
    return CleanText.lineOfMarkup(
      hidesText ? SafeHTML.markup(content) : content, limit: lineLimit)
  }

  private mutating func property(_ name: String, _ content: String, _ parent: String) {
    switch name {
    case "title": if let title = line(content) { item?.title = title }
    case "dc:title", "dcterms:title", "media:title": fill(\.title, line(content))
    case "link": fill(\.url, address.resolved(content))
    case "id": item?.id = CleanText.line(content)
    case "guid":
      item?.id = CleanText.line(content)
      if isPermanent, content.contains(":") { permalink = address.resolved(content) ?? permalink }
    case "pubdate", "published", "issued", "dc:date", "dcterms:issued", "created",
      "dcterms:created", "dcterms:date":
      date(content)
    case "updated", "modified", "dcterms:modified":
      if item?.updated == nil { item?.updated = dates.timestamp(ofFeed: content) }
      if item?.writtenDate == nil { item?.writtenDate = content }
    case "author", "dc:creator", "dc:author", "itunes:author": addAuthor(content)
    case "name": if parent == "author" { addAuthor(content) }
    case "email": if parent == "author" { mail = mail ?? CleanText.line(content) }
    case "description", "summary", "abstract", "itunes:summary", "media:description",
      "dc:description",
      "dcterms:abstract":
      fill(\.summary, line(content))
    case "content:encoded", "content", "xhtml:body", "xhtml:div", "body", "fullitem":
      if !content.isEmpty { item?.content = SafeHTML.markup(content) }
    case "category", "dc:subject", "dcterms:subject", "media:category": addTag(content)
    case "itunes:keywords", "media:keywords":
      for tag in content.split(separator: ",") { addTag(String(tag)) }
    default: break
    }
  }

  private mutating func header(_ name: String, _ content: String, _ parent: String) {
    let isTop = parent == "channel" || parent == "feed" || open.count <= 2
    switch name {
    case "title" where isTop: feed.title = line(content) ?? feed.title
    case "dc:title" where isTop: feed.title = feed.title ?? line(content)
    case "description" where isTop, "subtitle" where isTop, "tagline" where isTop,
      "info" where isTop, "dc:description" where isTop, "itunes:summary" where isTop,
      "itunes:subtitle" where isTop, "abstract" where isTop:
      feed.description = feed.description ?? line(content)
    case "link" where isTop: if feed.url == nil { feed.url = address.resolved(content) }
    case "language" where isTop, "dc:language" where isTop:
      feed.language = LanguageTag.normalized(content) ?? feed.language
    case "lastbuilddate", "updated", "pubdate", "dc:date", "modified", "dcterms:modified":
      if isTop { feed.updated = feed.updated ?? dates.timestamp(ofFeed: content) }
    case "managingeditor", "dc:creator", "itunes:author", "dc:author":
      feed.author = feed.author ?? Self.author(content)
    case "author": feed.author = feed.author ?? Self.author(content) ?? mail
    case "name": if parent == "author" { feed.author = feed.author ?? Self.author(content) }
    case "email": if parent == "author" { mail = mail ?? CleanText.line(content) }
    case "url" where parent == "image", "logo", "icon":
      feed.image = feed.image ?? address.resolved(content)
    default: break
    }
  }

  private mutating func date(_ content: String) {
    guard item?.date == nil else { return }
    item?.date = dates.timestamp(ofFeed: content)
    item?.writtenDate = content
  }

  /// Sets a property that is still nil.
  private mutating func fill(_ property: WritableKeyPath<Feed.Item, String?>, _ value: String?) {
    guard let value, item?[keyPath: property] == nil else { return }
    item?[keyPath: property] = value
  }

  private mutating func addAuthor(_ content: String) {
    guard let name = Self.author(content) else { return }
    guard let known = item?.author else {
      item?.author = name
      return
    }
    if !known.contains(name), known.utf8.count < 500 { item?.author = known + ", " + name }
  }

  /// Extracts the name from `ada@example.com (Ada Lovelace)`, as in RSS, and similar forms.
  private static func author(_ content: String) -> String? {
    guard let line = CleanText.line(content, limit: 200) else { return nil }
    for (start, end) in [("(", ")"), ("<", ">")] where line.contains("@") {
      guard let open = line.firstRange(of: start), line.hasSuffix(end) else { continue }
      let outer = String(line[..<open.lowerBound])
      let inner = String(line[open.upperBound...].dropLast())
      let name = CleanText.line(outer.contains("@") ? inner : outer)
      if let name { return name }
    }
    return line
  }

  private mutating func addTag(_ text: String) {
    guard let tag = CleanText.line(text, limit: 100), let tags = item?.tags, tags.count < 100,
      !tags.contains(tag)
    else { return }
    item?.tags.append(tag)
  }
}
