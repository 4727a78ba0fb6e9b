import ForeignText

/// Hints about the content of elements, from their names, classes and ids.
struct NameClues {
  /// A set of hints.
  typealias Mask = UInt64

  /// An element that contains the text.
  static let within: Mask = 1 << 63
  /// A date, usually that of the text.
  static let date: Mask = 1 << 62
  /// Readers' comments.
  static let comments: Mask = 1 << 61
  /// An element named as the body of an article, as in `article-body` or `entry-content`.
  static let body: Mask = 1 << 60
  /// An element declared as the body of an article (schema.org).
  static let declaredBody: Mask = 1 << 58
  /// Data that belongs to the text, such as the ingredients of a recipe.
  static let data: Mask = 1 << 59
  /// All hints at elements around the text.
  static let around: Mask = comments | (declaredBody - 1)

  /// Elements that are never part of the text, even if they are long.
  static let never = comments | bit(of: "related") | bit(of: "cookie")

  /// Elements about other pages or by readers.
  static let elsewhere =
    never | bit(of: "sidebar") | bit(of: "nav") | bit(of: "newsletter") | bit(of: "ads")
    | bit(of: "pagination") | bit(of: "toc") | bit(of: "search")
    | bit(of: "breadcrumb")
  /// Elements beside or below the part of a page that has the headline and the text.
  static let beside = bit(of: "sidebar") | bit(of: "aside") | footer | bit(of: "nav")
  /// Buttons for sharing the text.
  static let sharing = bit(of: "share") | bit(of: "social")
  /// The footer of the text or the site.
  static let footer = bit(of: "footer")
  /// The authors of the text.
  static let author = bit(of: "author") | bit(of: "byline")
  /// Elements with metadata of the text.
  static let facts = bit(of: "meta") | footer | author | date

  /// A cache of hints by attribute value, since pages repeat their classes.
  private var known: [String: Mask] = [:]

  /// Returns the hints for an element.
  mutating func mask(_ node: HTMLTree.Node) -> Mask {
    var mask = Self.byName(node)
    guard !node.attributes.isEmpty else { return mask }
    // The id of a heading is derived from its text.
    let isHeading = node.name.utf8.count == 2 && node.name.utf8.first == UInt8(ascii: "h")
    for (name, value) in node.attributes where value.utf8.count < 500 {
      switch name {
      case "class": mask |= hints(value)
      case "id": if !isHeading { mask |= hints(value) }
      case "itemprop", "property": mask |= Self.property(value)
      default: break
      }
    }
    return mask
  }

  private static func byName(_ node: HTMLTree.Node) -> Mask {
    switch node.name {
    case "nav", "menu": bit(of: "nav")
    case "aside": bit(of: "aside")
    case "footer": bit(of: "footer")
    case "figcaption": bit(of: "caption")
    case "article", "main": within
    default: 0
    }
  }

  /// The hints of a schema.org property.
  private static func property(_ name: String) -> Mask {
    switch name.split(separator: ":").last {
    case "articleBody": within | declaredBody
    case "datePublished", "dateCreated", "datePosted": date
    case "recipeIngredient", "ingredients": data
    default: 0
    }
  }

  private static func bit(of word: String) -> Mask { bits[word] ?? 0 }

  private mutating func hints(_ names: String) -> Mask {
    if let mask = known[names] { return mask }
    var mask: Mask = 0
    for token in names.utf8.split(whereSeparator: \.isBlank) { mask |= Self.hints(of: token) }
    known[names] = mask
    return mask
  }

  /// The hints for one class, with words in forms such as `relatedPosts` and `site-footer`.
  private static func hints(of token: Substring.UTF8View) -> Mask {
    let lower = String(decoding: token.map(\.loweredASCII), as: UTF8.self)
    switch lower {
    case "hidden", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "noprint",
      "no-print", "d-print-none", "hidden-print", "dontprint", "print-only", "printonly",
      "visible-print", "visible-print-block", "d-print-block":
      return bit(of: "unseen")
    default: break
    }
    // These classes name the categories and tags of the text.
    for prefix in ["category-", "tag-"] where lower.hasPrefix(prefix) { return 0 }
    var mask: Mask = isBodyName(lower) ? body : 0
    var word: [UInt8] = []
    var isFirst = true
    var isModified = false
    func flush() {
      guard word.count > 1 else { return word.removeAll() }
      let name = String(decoding: word, as: UTF8.self)
      // `section--has-ads` and `no-sidebar` describe the element but do not name it.
      let hint = isModified ? 0 : hint(name)
      isModified = modifiers.contains(name)
      // A `HeaderComment` is an opinion; readers' comments are in a `comment-list` or in the
      // plural.
      if hint != comments || isFirst || word.last == UInt8(ascii: "s") { mask |= hint }
      isFirst = false
      word.removeAll()
    }
    var isAfterSmall = false
    for byte in token {
      let isLarge = (0x41...0x5A).contains(byte)
      if isLarge && isAfterSmall || !byte.isLetter { flush() }
      if byte.isLetter { word.append(byte | 0x20) }
      isAfterSmall = (0x61...0x7A).contains(byte)
    }
    flush()
    return mask
  }

  private static func hint(_ word: String) -> Mask {
    if let bit = bits[word] { return bit }
    guard word.utf8.count > 6 else { return 0 }
    for stem in stems where word.hasPrefix(stem) || word.hasSuffix(stem) { return bit(of: stem) }
    return 0
  }

  private static let modifiers: Set<String> = ["has", "with", "no", "without", "not", "non"]

  private static func isBodyName(_ name: String) -> Bool {
    switch name.utf8.last {
    case UInt8(ascii: "y"), UInt8(ascii: "t"), UInt8(ascii: "n"): break
    default: return false
    }
    let letters = name.filter { $0 != "-" && $0 != "_" }
    return bodyNames.contains { letters.hasSuffix($0) }
  }

  /// The endings of classes for the body of an article, without dashes.
  private static let bodyNames = [
    "articlebody", "articlecontent", "articletext", "articlecopy", "postbody", "postcontent",
    "posttext", "entrycontent", "entrybody", "entrytext", "storybody", "storycontent", "storytext",
    "newsbody", "newscontent", "newstext", "bodytext", "fieldnamebody",
    "bodycopy", "textbody", "articlemain", "artikeltext", "artikelinhalt",
  ]

  /// Words that can be part of others, as in `entryfooter` and `sharedaddy`.
  private static let stems = [
    "related", "share", "comment", "footer", "sidebar", "newsletter", "breadcrumb", "cookie",
    "navigation", "sponsor", "pagination", "social", "popup", "paywall",
  ]

  private static let bits: [String: Mask] = {
    var bits: [String: Mask] = [:]
    for (number, words) in groups.enumerated() {
      for word in words.split(separator: " ") { bits[String(word)] = 1 << Mask(number) }
    }
    for word in commentWords.split(separator: " ") { bits[String(word)] = comments }
    for word in dateWords.split(separator: " ") { bits[String(word)] = date }
    for word in textWords.split(separator: " ") { bits[String(word)] = within }
    for word in dataWords.split(separator: " ") { bits[String(word)] = data }
    return bits
  }()

  private static let commentWords = """
    comment comments commentlist respond reply replies disqus pingback trackback kommentar \
    kommentare shoutbox
    """

  private static let dateWords = """
    date datum fecha time datetime published publish publication pubdate posted postdate created \
    submitted timestamp dateline publishdate
    """

  private static let textWords = """
    article body blog content entry hentry main post prose story text markdown
    """

  private static let dataWords = """
    ingredient ingredients zutat zutaten zutatenliste ingredientes ingredienti
    """

  /// Words for elements around the text; each line is one hint.
  private static let groups: [String] = [
    "ad ads advert advertisement advertising anzeige anzeigen werbung adsense", "sponsor sponsored",
    "banner", "breadcrumb breadcrumbs", "byline", "author authors authorbox authorinfo bio",
    "community remark",
    "cookie cookies consent gdpr", "footer", "masthead", "login signin signup register",
    "nav menu navbar navigation", "meta metadata", "newsletter subscribe subscription", "paywall",
    "outbrain taboola", "overlay modal popup tooltip", "pager pagination", "promo promotion cta",
    "related similar recommended recommendation recommendations recirc recirculation verwandt",
    "rss",
    "popular trending mostread mostviewed readmore morenews empfehlung empfehlungen lesetipps",
    "playlist carousel", "breaking", "forum", "instagram tiktok", "donate donation spenden",
    "share sharing sharer addthis addtoany", "sidebar", "aside", "skip", "social", "tags taglist",
    "teaser teasers", "toc", "toolbar toolbox", "widget", "extra", "disclaimer", "unseen",
    "rating ratings vote voting poll polls survey umfrage", "copyright", "caption captions",
    "search", "combx",
  ]
}
