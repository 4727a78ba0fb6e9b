import Links

/// Reads the metadata of an HTML page.
struct PageReader {
  private let facts: PageFacts
  private let address: PageAddress
  private let url: String
  private let dates: PageDate
  private var tree: HTMLTree { facts.tree }

  init(_ layout: PageLayout, url: String, dates: PageDate) {
    self.url = url
    self.dates = dates
    facts = PageFacts(layout)
    address = PageAddress(layout.tree, page: url)
  }

  /// The metadata of the page, without its text.
  func page() -> Page {
    var page = Page()
    page.kind = kind
    page.site = PageSite(facts: facts, url: url).name
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
    let days = PageDates(facts: facts, url: url, dates: dates, language: page.language)
    page.date = days.published
    page.modified = days.modified
    page.author = PageAuthor(facts, site: page.site, url: url).name
    return page
  }

  /// The first URL of the sources that can be resolved.
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
    let declared = facts.text(
      """
      og:title twitter:title $headline $name =headline =name citation_title dc.title \
      dcterms.title parsely-title
      """)
    if let declared { return declared }
    if let title = facts.title { return withoutSite(title, site) }
    return tree.nodes.indices.lazy.filter { tree.nodes[$0].name == "h1" }
      .compactMap { CleanText.line(tree.text(of: $0)) }.first
  }

  /// A title without the site's name before or after it.
  private func withoutSite(_ title: String, _ site: String?) -> String {
    guard let site = site?.lowercased() else { return title }
    for separator in PageTitle.separators {
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
