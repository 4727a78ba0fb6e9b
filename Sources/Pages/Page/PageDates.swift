import CEL
import ForeignText
import Links

/// Finds the publication date of a page.
struct PageDates {
  let facts: PageFacts
  let url: String
  let dates: PageDate
  let language: String?

  private static let places = """
    article:published_time og:article:published_time og:published_time $datePublished $uploadDate \
    $dateCreated =datePublished =dateCreated =uploadDate article:published article.published \
    publish-date publish_date publication_date published_at pubdate parsely-pub-date \
    sailthru.date article_date_original cxenseparse:recs:publishtime citation_publication_date \
    citation_online_date citation_date dcterms.created dcterms.issued dc.date.issued dc.date \
    dcterms.date date ptime created
    """

  /// Names of `meta` elements in other vocabularies and of properties in scripts.
  private static let names: Set<String> = [
    "published", "publishedtime", "publishedat", "publisheddate", "publishdate", "publishtime",
    "publicationdate", "pubdate", "datepublished", "firstpublished", "issued", "uploaded",
    "uploaddate", "created", "createdat", "creationdate", "datecreated", "posted", "displaydate",
    "originaltime", "articledate", "postdate", "releasedate", "dateissued", "dateposted",
    "firstpublishedat", "publisheddatetime", "publishdatetime", "postedon",
  ]

  /// The publication date; nil if unknown.
  var published: Timestamp? {
    let declared =
      facts.texts(Self.places).lazy.compactMap { dates.timestamp($0) }.first
      ?? facts.meta.all(named: Self.names).lazy.compactMap { dates.timestamp($0) }.first
    // The date in a URL is that of the first publication.
    if let address, let found = declared ?? shown {
      return abs(found.seconds - address.seconds) < 2 * 86_400 ? found : address
    }
    return declared ?? address ?? shown ?? ofScript ?? picture ?? modified
  }

  /// The declared date of the last change, for a page that declares no other.
  var modified: Timestamp? {
    dates.timestamp(
      facts.text(
        """
        article:modified_time og:updated_time $dateModified =dateModified last-modified \
        dcterms.modified
        """))
  }

  private var shown: Timestamp? {
    ShownDates(facts.layout, dates: dates, isDayFirst: isDayFirst).published
  }

  /// Whether `3/4/2026` is in April: in all languages except English, if nothing else decides.
  private var isDayFirst: Bool { !(language ?? "en").hasPrefix("en") }

  private var address: Timestamp? {
    let own = facts.link("canonical").map { [$0] } ?? []
    return ([url] + own + facts.all("og:url")).lazy.compactMap(day).first
  }

  /// The maximum number of bytes read of scripts.
  private static let maxScripts = 1 << 20

  /// A publication date in the data of a script.
  private var ofScript: Timestamp? {
    var left = Self.maxScripts
    for node in facts.tree.nodes where node.isText && node.parent >= 0 {
      guard facts.tree.nodes[node.parent].name == "script", node.text.contains("ublish") else {
        continue
      }
      var isNext = false
      for piece in node.text.utf8.prefix(left).split(separator: UInt8(ascii: "\"")) {
        guard piece.count < 40, piece.first(where: { !$0.isBlank }) != UInt8(ascii: ":") else {
          continue
        }
        let text = String(decoding: piece.filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
        if isNext, let date = dates.timestamp(text) { return date }
        isNext =
          text.hasPrefix("published") || text.hasPrefix("datePub") || text.hasPrefix("publica")
          ? Self.names.contains(text.lowercased().filter { $0 != "_" && $0 != "-" }) : false
      }
      left -= min(left, node.text.utf8.count)
    }
    return nil
  }

  /// The date in the URL of the representative picture.
  private var picture: Timestamp? { facts.all("og:image").lazy.compactMap(day).first }

  /// The date in a URL such as `/2026/11/20/title`, `/2026-11-20-title` or `/20261120.html`.
  private func day(_ address: String) -> Timestamp? {
    guard let path = (try? WebURL(address))?.path else { return nil }
    let runs = path.utf8.split { !$0.isDigit }.prefix(50)
    for (index, run) in runs.enumerated() {
      var digits = String(run) ?? ""
      var lengths = [run.count]
      var end = run.endIndex
      // The numbers that follow, each after one separator.
      for next in runs.dropFirst(index + 1).prefix(2) {
        guard path.utf8.index(after: end) == next.startIndex else { break }
        digits += (next.count == 1 ? "0" : "") + (String(next) ?? "")
        lengths.append(next.count)
        end = next.endIndex
      }
      let isDay =
        lengths[0] == 8 || lengths.starts(with: [4, 4])
        || lengths[0] == 4 && lengths.count == 3 && lengths[1] < 3 && lengths[2] < 3
      let day = String(digits.prefix(8))
      guard isDay, let number = Int(day), (1990_00_00...2100_00_00).contains(number) else {
        continue
      }
      if let moment = dates.timestamp(day) { return moment }
    }
    return nil
  }
}
