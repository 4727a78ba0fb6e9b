/// What the class and the id of an element tell of what is in it.
enum NameClues {
  /// Words of what stands around a text; each stands between other words, or begins or ends them.
  private static let around: Set<Substring> = [
    "ad", "ads", "advert", "advertisement", "banner", "breadcrumb", "breadcrumbs", "byline",
    "combx",
    "comment", "comments", "community", "consent", "cookie", "cookies", "disqus", "disclaimer",
    "extra", "footer", "gdpr", "hidden", "login", "masthead", "menu", "meta", "modal", "nav",
    "navbar", "navigation", "newsletter", "outbrain", "overlay", "pager", "pagination", "paywall",
    "popup", "promo", "promotion", "recommended", "related", "remark", "replies", "rss", "share",
    "sharing", "shoutbox", "sidebar", "signup", "skip", "social", "sponsor", "sponsored",
    "subscribe", "subscription", "taboola", "tags", "teaser", "toc", "toolbar", "tooltip", "widget",
  ]
  /// Words of what holds a text.
  private static let within: Set<Substring> = [
    "article", "body", "blog", "column", "content", "entry", "hentry", "main", "page", "post",
    "shadow", "story", "text", "prose", "markdown",
  ]

  /// Whether an element is rather around a text than one.
  static func isUnlikely(_ node: HTMLTree.Node) -> Bool {
    let words = words(of: node)
    return words.contains { around.contains($0) } && !words.contains { within.contains($0) }
  }

  /// How much the names speak for a text, or against it.
  static func weight(_ node: HTMLTree.Node) -> Double {
    let words = words(of: node)
    guard !words.isEmpty else { return 0 }
    var weight = 0.0
    if words.contains(where: { within.contains($0) }) { weight += 25 }
    if words.contains(where: { around.contains($0) }) { weight -= 25 }
    return weight
  }

  /// The words of the names, also those of `relatedPosts` and `site-footer`.
  private static func words(of node: HTMLTree.Node) -> [Substring] {
    guard !node.attributes.isEmpty else { return [] }
    var words: [Substring] = []
    for name in [node["class"], node["id"]] {
      guard let name, name.utf8.count < 500 else { continue }
      var spaced = ""
      var isAfterSmall = false
      for scalar in name.unicodeScalars {
        let isLarge = (0x41...0x5A).contains(scalar.value)
        if isLarge, isAfterSmall { spaced += " " }
        isAfterSmall = (0x61...0x7A).contains(scalar.value)
        spaced.unicodeScalars.append(isLarge || isAfterSmall ? scalar : " ")
      }
      words += spaced.lowercased().split(separator: " ")
    }
    return words
  }
}
