import CEL
import Links

/// Finds when a page was published.
struct PageDates {
  let facts: PageFacts
  let url: String
  let dates: PageDate

  private static let places = """
    article:published_time og:article:published_time og:published_time $datePublished $uploadDate \
    $dateCreated =datePublished =dateCreated =uploadDate article:published article.published \
    publish-date publish_date publication_date published_at pubdate parsely-pub-date \
    sailthru.date article_date_original cxenseparse:recs:publishtime citation_publication_date \
    citation_online_date citation_date dcterms.created dcterms.issued dc.date.issued dc.date \
    dcterms.date date ptime created
    """

  /// When it was published; nil where nothing tells.
  var published: Timestamp? {
    facts.texts(Self.places).lazy.compactMap { dates.timestamp($0) }.first ?? element ?? address
  }

  /// What a `time` says, or another element that is named for it.
  private var element: Timestamp? {
    var inArticle: Timestamp?
    var articleEnd = 0
    var anywhere: [Timestamp] = []
    let tree = facts.tree
    for (index, node) in tree.nodes.enumerated() {
      if node.name == "article" || node.name == "main" { articleEnd = max(articleEnd, node.end) }
      let isTime = node.name == "time"
      let isNamed = Self.isNamed(node)
      guard isTime || isNamed else { continue }
      let written = node["datetime"] ?? node["title"]
      let moment =
        dates.timestamp(written)
        ?? (node.end - index < 20
          ? dates.timestamp(CleanText.collapsed(tree.text(of: index, limit: 300))) : nil)
      guard let moment else { continue }
      if node["pubdate"] != nil || isNamed { return moment }
      if index < articleEnd, inArticle == nil { inArticle = moment }
      anywhere.append(moment)
    }
    // Several times outside of an article are those of a list.
    return inArticle ?? (anywhere.count == 1 ? anywhere[0] : nil)
  }

  private static let names: Set<Substring> = [
    "published", "entry-date", "dt-published", "post-date", "publish-date", "pubdate",
    "article-date", "date-published", "post__date", "article__date", "dateline", "byline-date",
  ]

  private static func isNamed(_ node: HTMLTree.Node) -> Bool {
    node["class"] != nil && PageFacts.words(node["class"]).contains { names.contains($0) }
  }

  /// The day in an address such as `/2026/11/20/title`.
  private var address: Timestamp? {
    guard let path = (try? WebURL(url))?.path else { return nil }
    let parts = path.split(separator: "/")
    for index in parts.indices.dropLast(2) {
      let numbers = parts[index...(index + 2)].map { Int($0) }
      guard let year = numbers[0], let month = numbers[1], let day = numbers[2],
        parts[index].utf8.count == 4, (1990...2100).contains(year)
      else { continue }
      return dates.timestamp("\(year)-\(month)-\(day)")
    }
    return nil
  }
}
