import Links

/// Finds out what a page of HTML tells of itself.
struct PageReader {
  private let facts: PageFacts
  private let address: PageAddress
  private let url: String
  private let dates: PageDate
  private var tree: HTMLTree { facts.tree }

  init(_ tree: HTMLTree, url: String, dates: PageDate) {
    self.url = url
    self.dates = dates
    facts = PageFacts(tree)
    address = PageAddress(tree, page: url)
  }

  /// All that it tells.
  func page() -> Page {
    var page = Page()
    page.kind = kind
    page.site =
      facts.text("og:site_name") ?? facts.thing?.inner("isPartOf")?.siteName ?? facts.data.siteName
      ?? facts.text(
        """
        $publisher =publisher application-name apple-mobile-web-app-title dc.publisher \
        citation_journal_title
        """)
    page.title = title(site: page.site)
    page.description = facts.text(
      """
      og:description twitter:description $description $abstract =description description \
      dc.description dcterms.abstract citation_abstract sailthru.description
      """)
    page.language = language
    page.image =
      resolved(
        """
        og:image:secure_url og:image og:image:url twitter:image twitter:image:src $image \
        $thumbnailUrl $thumbnail =image =thumbnailUrl thumbnail sailthru.image.full \
        parsely-image-url msapplication-tileimage
        """) ?? address.resolved(facts.link("image_src"))
    page.canonical =
      address.resolved(facts.link("canonical"))
      ?? resolved("og:url twitter:url $url $mainEntityOfPage")
    page.feed = feed
    page.date = PageDates(facts: facts, url: url, dates: dates).published
    page.modified = dates.timestamp(
      facts.text(
        """
        article:modified_time og:updated_time $dateModified =dateModified last-modified \
        dcterms.modified
        """))
    page.author = PageAuthor(facts).name
    page.text = Readability(tree).text
    return page
  }

  /// The first of the addresses that can be followed.
  private func resolved(_ places: PageFacts.Places) -> String? {
    facts.addresses(places).lazy.compactMap { address.resolved($0) }.first
  }

  private var kind: String {
    if let kind = SchemaType.kind(openGraph: facts.text("og:type")) { return kind }
    let types = facts.thing.map { LinkedData.types(of: $0.map) } ?? []
    for type in types + [facts.items.type].compactMap({ $0 }) {
      if let kind = SchemaType.kind(type), kind != "page" { return kind }
    }
    return facts.text("article:published_time citation_title") == nil ? "page" : "article"
  }

  private func title(site: String?) -> String? {
    let told = facts.text(
      """
      og:title twitter:title $headline $name =headline =name citation_title dc.title \
      dcterms.title parsely-title
      """)
    if let told { return told }
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

  private var language: String? {
    let html = facts.element("html")
    let said = [html?["lang"], html?["xml:lang"]].compactMap { $0 }
    let places = "content-language og:locale $inLanguage =inLanguage dc.language language"
    return said.lazy.compactMap(LanguageTag.normalized).first
      ?? facts.texts(places).lazy.compactMap(LanguageTag.normalized).first
      ?? facts.element("body")?["lang"].flatMap(LanguageTag.normalized)
  }

  private var feed: String? {
    for node in tree.nodes where node.name == "link" || node.name == "a" {
      guard PageFacts.words(node["rel"]).contains("alternate"),
        let type = node["type"]?.lowercased()
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
