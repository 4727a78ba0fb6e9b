import ForeignText
import Links

/// Finds the name of a page's site.
struct PageSite {
  let facts: PageFacts
  let url: String

  /// The name; nil if unknown.
  var name: String? {
    facts.text("og:site_name") ?? facts.thing?.inner("isPartOf")?.siteName ?? facts.data.siteName
      ?? facts.text(
        """
        $publisher =publisher application-name apple-mobile-web-app-title dc.publisher publisher \
        citation_journal_title
        """) ?? ofTitle
  }

  /// The first or last part of the page's title, if it resembles the host name or is missing in the
  /// headline.
  private var ofTitle: String? {
    guard let title = facts.title else { return nil }
    let host = Self.label(of: url) ?? facts.link("canonical").flatMap(Self.label)
    let own = [facts.text("og:title twitter:title $headline =headline"), headline].compactMap { $0 }
    var names: [String] = []
    for separator in PageTitle.separators {
      let parts = title.components(separatedBy: separator)
      guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
      names += [last, first].filter { Self.isName($0, of: host) }
    }
    if let name = names.min(by: { $0.count < $1.count }) { return name }
    for separator in PageTitle.separators {
      let parts = title.components(separatedBy: separator)
      guard parts.count > 1, let last = parts.last else { continue }
      let rest = Self.key(parts.dropLast().joined(separator: separator))
      if last.count <= 40, own.contains(where: { Self.key($0) == rest }) { return last }
    }
    return nil
  }

  private var headline: String? {
    facts.layout.headline.flatMap { CleanText.line(facts.tree.text(of: $0, limit: 1_000)) }
  }

  /// Whether a name contains the label of a host, or vice versa.
  private static func isName(_ name: String, of host: String?) -> Bool {
    let name = key(name)
    guard let host, host.utf8.count > 2, name.utf8.count > 2, name.utf8.count <= 40 else {
      return false
    }
    return name.contains(host) || host.contains(name)
  }

  /// The letters and digits of a name, for comparisons.
  static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The label of a host that names the site, such as `tales` in `www.tales.co.uk`.
  static func label(of url: String) -> String? {
    guard let host = (try? WebURL(url))?.host else { return nil }
    return host.split(separator: ".").filter { $0 != "www" }.dropLast()
      .max { $0.utf8.count < $1.utf8.count }.map { key(String($0)) }
  }
}

/// The format of `title` elements.
enum PageTitle {
  /// The separators between a title and the name of a site.
  static let separators = [
    " | ", " - ", " – ", " — ", " · ", " • ", " » ", " « ", " › ", " ‹ ", " ~ ", " :: ",
    " : ", " / ", "|",
  ]
}

extension LinkedData.Thing {
  /// The name of this object if it is a site.
  fileprivate var siteName: String? {
    LinkedData.types(of: map).contains("WebSite") ? text("name") : nil
  }
}

extension String {
  /// Splits a string at each occurrence of a separator.
  func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
