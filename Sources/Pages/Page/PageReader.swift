import Links

/// Finds out what a page of HTML tells of itself.
///
/// Of the many places where a page says a thing, the first of these counts that says anything: Open
/// Graph, Twitter's cards, JSON-LD, microdata, other `meta` elements, and the elements themselves.
struct PageReader {
  private let tree: HTMLTree
  private let meta: MetaTags
  private let data: LinkedData
  private let thing: LinkedData.Thing?
  private let items: Microdata
  private let address: PageAddress
  private let url: String
  private let dates: PageDate

  init(_ tree: HTMLTree, url: String, dates: PageDate) {
    self.tree = tree
    self.url = url
    self.dates = dates
    meta = MetaTags(tree)
    data = LinkedData(tree)
    thing = data.main
    items = Microdata(tree)
    address = PageAddress(tree, page: url)
  }

  /// All that it tells.
  func page() -> Page {
    var page = Page()
    page.kind = kind
    page.site = site
    page.title = title(site: page.site)
    page.description = description
    page.language = language
    page.image = image
    page.canonical = canonical
    page.feed = feed
    page.date = PageDates(tree, meta, thing, items, url: url, dates: dates).published
    page.modified = dates.timestamp(
      meta.first("article:modified_time", "og:updated_time") ?? thing?.text("dateModified")
        ?? items.text("dateModified") ?? meta.first("last-modified", "dcterms.modified"))
    page.author = PageAuthor(tree, meta, thing, items).name
    page.text = Readability(tree).text
    return page
  }

  private var kind: String {
    if let kind = SchemaType.kind(openGraph: meta.first("og:type")) { return kind }
    let types = thing.map { LinkedData.types(of: $0.map) } ?? []
    for type in types + [items.type].compactMap({ $0 }) {
      if let kind = SchemaType.kind(type), kind != "page" { return kind }
    }
    return meta.first("article:published_time", "citation_title") == nil ? "page" : "article"
  }

  // MARK: Texts

  private func title(site: String?) -> String? {
    if let title = meta.first("og:title", "twitter:title") { return title }
    if let title = thing?.text("headline", "name") ?? items.text("headline", "name") {
      return title
    }
    if let title = meta.first("citation_title", "dc.title", "dcterms.title", "parsely-title") {
      return title
    }
    // The title of a picture within is no title of the page.
    let index = tree.nodes.indices.first { index in
      tree.nodes[index].name == "title" && !isWithin(index, ["svg", "math"])
    }
    if let index, let title = CleanText.line(raw(index)) {
      return withoutSite(title, site)
    }
    return tree.nodes.indices.lazy.filter { tree.nodes[$0].name == "h1" }
      .compactMap { CleanText.line(tree.text(of: $0)) }.first
  }

  /// The text of a `title`, whatever stands in it.
  private func raw(_ index: Int) -> String {
    tree.nodes[index..<tree.nodes[index].end].map(\.text).joined()
  }

  private func isWithin(_ index: Int, _ names: [String]) -> Bool {
    var parent = tree.nodes[index].parent
    while parent >= 0 {
      if names.contains(tree.nodes[parent].name) { return true }
      parent = tree.nodes[parent].parent
    }
    return false
  }

  /// A title without the name of the site before or after it.
  private func withoutSite(_ title: String, _ site: String?) -> String {
    guard let site = site?.lowercased() else { return title }
    for separator in [" | ", " - ", " – ", " — ", " · ", " • ", " » ", " « ", " :: ", " : "] {
      let parts = title.components(separatedBy: separator)
      guard parts.count > 1 else { continue }
      if parts[parts.count - 1].lowercased() == site {
        return parts.dropLast().joined(separator: separator)
      }
      if parts[0].lowercased() == site { return parts.dropFirst().joined(separator: separator) }
    }
    return title
  }

  private var description: String? {
    if let text = meta.first("og:description", "twitter:description") { return text }
    return thing?.text("description", "abstract") ?? items.text("description")
      ?? meta.first(
        "description", "dc.description", "dcterms.abstract", "citation_abstract",
        "sailthru.description")
  }

  private var site: String? {
    meta.first("og:site_name") ?? thing?.inner("isPartOf")?.siteName ?? data.siteName
      ?? thing?.text("publisher") ?? items.text("publisher")
      ?? meta.first(
        "application-name", "apple-mobile-web-app-title", "dc.publisher", "citation_journal_title")
  }

  private var language: String? {
    let html = tree.nodes.first { $0.name == "html" }
    let body = tree.nodes.first { $0.name == "body" }
    let candidates = [
      html?["lang"], html?["xml:lang"], meta.first("content-language"), meta.first("og:locale"),
      thing?.text("inLanguage"), items.text("inLanguage"), meta.first("dc.language", "language"),
      body?["lang"],
    ]
    return candidates.lazy.compactMap { $0.flatMap(LanguageTag.normalized) }.first
  }

  // MARK: Addresses

  private var image: String? {
    let named = [
      meta.address("og:image:secure_url", "og:image", "og:image:url"),
      meta.address("twitter:image", "twitter:image:src"),
      thing?.address("image", "thumbnailUrl", "thumbnail"), items.text("image", "thumbnailUrl"),
      meta.address(
        "thumbnail", "sailthru.image.full", "parsely-image-url", "msapplication-tileimage"),
      link("image_src")?["href"],
    ]
    return named.lazy.compactMap { address.resolved($0) }.first
  }

  private var canonical: String? {
    let named = [
      link("canonical")?["href"], meta.address("og:url"), meta.address("twitter:url"),
      thing?.address("url", "mainEntityOfPage"),
    ]
    return named.lazy.compactMap { address.resolved($0) }.first
  }

  private var feed: String? {
    for node in tree.nodes where node.name == "link" || node.name == "a" {
      guard Self.words(node["rel"]).contains("alternate"), let type = node["type"]?.lowercased()
      else { continue }
      switch type.prefix(while: { $0 != ";" }) {
      case "application/rss+xml", "application/atom+xml", "application/feed+json",
        "application/rdf+xml", "text/xml":
        if let feed = address.resolved(node["href"]) { return feed }
      default: break
      }
    }
    return nil
  }

  private func link(_ relation: String) -> HTMLTree.Node? {
    tree.nodes.first {
      $0.name == "link" && $0["href"] != nil && Self.words($0["rel"]).contains(relation)
    }
  }

  private static func words(_ text: String?) -> [String] {
    (text ?? "").lowercased().split(whereSeparator: \.isWhitespace).map { String($0) }
  }
}

extension LinkedData.Thing {
  /// The name of a site, where this is one.
  fileprivate var siteName: String? {
    LinkedData.types(of: map).contains("WebSite") ? text("name") : nil
  }
}

extension String {
  /// The parts of a text between those that are a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
