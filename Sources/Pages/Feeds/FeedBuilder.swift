import CEL
import ForeignText

/// Makes a feed of the tags and texts of its XML.
struct FeedBuilder {
  private let dates: PageDate
  private let address: PageAddress
  private var feed = Feed()
  /// The names of the elements around, the innermost last.
  private var open: [String] = []
  private var item: Feed.Item?
  private var text = ""
  /// How deep the element stands whose content is itself markup; nil outside of one.
  private var markupDepth: Int?
  private var isPermanent = true

  /// How deep elements are followed.
  private static let maxDepth = 100
  /// How much text of one element is kept, in bytes.
  private static let maxText = 4 << 20

  init(url: String, dates: PageDate) {
    self.dates = dates
    address = PageAddress(nil, page: url)
  }

  /// The kind of feed that an element at the top begins; nil for none.
  static func kind(ofRoot name: String) -> String? {
    switch name.lowercased() {
    case "rss", "rdf:rdf", "rdf": "rss"
    case "feed", "atom:feed": "atom"
    default: nil
    }
  }

  /// The feed; nil where there was none.
  var finished: Feed? {
    guard !feed.kind.isEmpty else { return nil }
    var feed = feed
    if let item { feed.items.append(item) }
    return feed
  }

  /// Takes the next token; false when no more are wanted.
  mutating func take(_ token: MarkupScanner.Token) -> Bool {
    switch token {
    case .text(let piece): write(piece)
    case .start(let tag): begin(tag)
    case .end(let name): end(name)
    case .cutOff: break
    }
    return feed.items.count < Feed.maxItems && (!open.isEmpty || feed.kind.isEmpty || item != nil)
  }

  private mutating func begin(_ tag: MarkupScanner.Tag) {
    let name = tag.name
    if markupDepth != nil {
      if open.count < Self.maxDepth { open.append(name) }
      write("<\(name)>")
      return
    }
    if open.isEmpty, feed.kind.isEmpty { feed.kind = Self.kind(ofRoot: name) ?? "" }
    guard open.count < Self.maxDepth else { return }
    open.append(name)
    text = ""
    switch name {
    case "item", "entry", "atom:entry": item = item ?? Feed.Item()
    case "link", "atom:link", "a10:link": link(tag)
    case "enclosure": if let url = tag["url"] { fill(\.media, address.resolved(url)) }
    case "media:content", "media:thumbnail", "itunes:image": media(tag)
    case "guid": isPermanent = tag["isPermaLink"]?.lowercased() != "false"
    case "category": if let term = tag["term"] { addTag(tag["label"] ?? term) }
    case "content", "summary", "title", "description":
      if tag["type"] == "xhtml" { markupDepth = open.count }
    default: break
    }
    if open.count == 1, let language = tag["xml:lang"] {
      feed.language = LanguageTag.normalized(language)
    }
  }

  private mutating func write(_ piece: String) {
    if text.utf8.count < Self.maxText { text += piece }
  }

  private mutating func media(_ tag: MarkupScanner.Tag) {
    guard let url = address.resolved(tag["url"] ?? tag["href"]) else { return }
    let type = tag["type"] ?? tag["medium"] ?? ""
    if tag.name == "media:content", !type.hasPrefix("image") {
      if type.hasPrefix("video") || type.hasPrefix("audio") { fill(\.media, url) }
      return
    }
    if item != nil { fill(\.image, url) } else { feed.image = feed.image ?? url }
  }

  private mutating func link(_ tag: MarkupScanner.Tag) {
    guard let target = tag["href"] else { return }
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

  private mutating func end(_ name: String) {
    guard let index = open.lastIndex(of: name) else { return }
    if let depth = markupDepth {
      guard index + 1 == depth else {
        write("</\(name)>")
        open.removeSubrange(index...)
        return
      }
      markupDepth = nil
    }
    let parent = index > 0 ? open[index - 1] : ""
    open.removeSubrange(index...)
    let content = text
    text = ""
    if name == "item" || name == "entry" || name == "atom:entry" {
      if let item { feed.items.append(item) }
      item = nil
    } else if item != nil {
      property(name, content, parent)
    } else {
      header(name, content, parent)
    }
  }

  // MARK: What the elements say

  private mutating func property(_ name: String, _ content: String, _ parent: String) {
    switch name {
    case "title", "atom:title", "media:title":
      if parent == "item" || parent.hasSuffix("entry") || item?.title == nil {
        item?.title = CleanText.lineOfMarkup(content)
      }
    case "link": fill(\.url, address.resolved(content))
    case "id", "atom:id": item?.id = CleanText.line(content)
    case "guid":
      item?.id = CleanText.line(content)
      if isPermanent { fill(\.url, address.resolved(content)) }
    case "pubDate", "published", "issued", "dc:date", "atom:published":
      if item?.date == nil { item?.date = dates.timestamp(content) }
    case "updated", "modified", "atom:updated":
      let moment = dates.timestamp(content)
      item?.updated = moment
      if item?.date == nil { item?.date = moment }
    case "author", "dc:creator", "itunes:author": addAuthor(content)
    case "name": if parent == "author" || parent == "atom:author" { addAuthor(content) }
    case "description", "summary", "itunes:summary", "media:description", "atom:summary":
      fill(\.summary, CleanText.lineOfMarkup(content))
    case "content:encoded", "content", "atom:content":
      if !content.isEmpty { item?.content = content }
    case "category", "dc:subject": addTag(content)
    default: break
    }
  }

  private mutating func header(_ name: String, _ content: String, _ parent: String) {
    let isTop = parent == "channel" || parent == "feed" || parent == "atom:feed"
    switch name {
    case "title" where isTop: feed.title = CleanText.lineOfMarkup(content)
    case "description" where isTop, "subtitle" where isTop, "tagline" where isTop:
      feed.description = feed.description ?? CleanText.lineOfMarkup(content)
    case "link" where isTop: if feed.url == nil { feed.url = address.resolved(content) }
    case "language" where isTop, "dc:language" where isTop:
      feed.language = feed.language ?? LanguageTag.normalized(content)
    case "lastBuildDate", "updated", "pubDate", "dc:date", "modified":
      if isTop { feed.updated = feed.updated ?? dates.timestamp(content) }
    case "managingEditor", "dc:creator", "itunes:author":
      feed.author = feed.author ?? Self.author(content)
    case "name": if parent == "author" { feed.author = feed.author ?? Self.author(content) }
    case "url" where parent == "image", "logo", "icon":
      feed.image = feed.image ?? address.resolved(content)
    default: break
    }
  }

  /// Sets what is not known yet.
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

  /// The name in `ada@example.com (Ada Lovelace)`, as RSS has it.
  private static func author(_ content: String) -> String? {
    guard let line = CleanText.line(content, limit: 200) else { return nil }
    if let start = line.firstIndex(of: "("), line.hasSuffix(")"), line[..<start].contains("@") {
      return CleanText.line(String(line[line.index(after: start)...].dropLast()))
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
