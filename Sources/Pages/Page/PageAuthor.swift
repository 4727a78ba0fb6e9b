import ForeignText

/// Finds the authors of a page.
///
/// Declared names take precedence over displayed ones, except for the site's name, a URL or an
/// account name, which pages declare if they lack an author.
struct PageAuthor {
  private let facts: PageFacts
  /// The keys of names that are not persons: the site, its publisher and its host.
  private let others: Set<String>
  private var tree: HTMLTree { facts.tree }

  init(_ facts: PageFacts, site: String?, url: String) {
    self.facts = facts
    let names = [site, facts.text("$publisher =publisher publisher"), PageSite.label(of: url)]
    others = Set(names.compactMap { $0.map(PageSite.key) })
  }

  private static let places = [
    "$author", "$creator", "=author", "=creator", "author", "citation_author", "dc.creator",
    "dcterms.creator", "dc.creator.author", "parsely-author", "sailthru.author", "byl",
  ]

  /// The names of the authors, separated by commas; nil if unknown.
  var name: String? {
    let declared =
      ([facts.all("article:author") + facts.all("og:article:author")]
      + Self.places.map(facts.all) + [links]).map(Self.cleaned)
    let handle = Self.joined(Self.cleaned(facts.all("twitter:creator")))
    return declared.lazy.compactMap { Self.joined($0.filter(isPerson)) }.first
      ?? Self.joined(bylines) ?? declared.lazy.compactMap(Self.joined).first ?? handle
  }

  private func isPerson(_ name: String) -> Bool {
    // A single lower-case word is an account name.
    let isAccount = name.hasPrefix("@") || !name.contains(where: { $0.isUppercase || $0 == " " })
    return !(isAccount && name.utf8.allSatisfy { $0 < 0x80 }) && !isOther(PageSite.key(name))
  }

  /// Whether a name's key equals the site's name or host name.
  private func isOther(_ key: String) -> Bool {
    others.contains { key == $0 || key.hasPrefix($0) && key.utf8.count - $0.utf8.count <= 4 }
  }

  /// The texts of links to the author (HTML Standard §4.6.7.2).
  private var links: [String] {
    tree.nodes.indices.filter { index in
      let node = tree.nodes[index]
      return node.name == "a" && PageFacts.words(node["rel"]).contains("author")
        && facts.layout.clues[index] & NameClues.comments == 0
    }.map { tree.text(of: $0, limit: 500) }
  }

  /// The names in the byline nearest to the headline, or in a line below it that begins with “By”.
  private var bylines: [String] {
    let layout = facts.layout
    var best: (distance: Int, names: [String])?
    var index = 0
    while index < tree.nodes.count {
      let node = tree.nodes[index]
      let isElsewhere = layout.clues[index] & NameClues.elsewhere != 0 && !layout.hasHeadline(index)
      guard !node.isText, !layout.isHidden[index], !isElsewhere else {
        index = node.isText ? index + 1 : max(node.end, index + 1)
        continue
      }
      defer { index += 1 }
      let isNamed = layout.clues[index] & NameClues.author != 0 || node["itemprop"] == "author"
      let distance = layout.headline.map { layout.characters(from: $0, to: index) } ?? 0
      guard isNamed || HTMLElement.isBlock(node.name) && distance < 800 && layout.headline != nil,
        (3...100).contains(layout.characters(of: index)), distance < best?.distance ?? 3_000
      else { continue }
      let line = layout.line(of: index)
      guard isNamed || Self.hasIntroduction(line) else { continue }
      let names = linkedNames(index) ?? [Self.first(of: line)].compactMap { $0 }
      let persons = Self.cleaned(names).filter { isPerson($0) && Self.isName($0) }
      if !persons.isEmpty { best = (distance, persons) }
    }
    return best?.names ?? []
  }

  /// The names in a byline that are links.
  private func linkedNames(_ index: Int) -> [String]? {
    let inner = index..<min(tree.nodes[index].end, index + 60)
    let links = inner.filter { index in
      tree.nodes[index].name == "a" && facts.layout.clues[index] & NameClues.sharing == 0
    }
    let names = links.map { facts.layout.line(of: $0) }.filter { Self.isName($0) }
    return names.isEmpty ? nil : names
  }

  // MARK: Names

  private static let introductions = [
    "by ", "by: ", "written by ", "posted by ", "published by ", "text by ", "words by ", "von ",
    "geschrieben von ", "autor: ", "text: ", "par ", "écrit par ", "por ", "escrito por ", "di ",
    "door ", "av ", "author: ", "by:", "from ",
  ]

  private static func hasIntroduction(_ line: String) -> Bool {
    introductions.contains { line.lowercased().hasPrefix($0) }
  }

  /// The name at the beginning of a line, before dates, roles and other text.
  private static func first(of line: String) -> String? {
    var line = withoutIntroduction(line)
    for mark in ["|", "•", "·", " – ", " — ", " - ", "(", " @ ", " on ", " am ", " le ", " el "] {
      if let range = line.firstRange(of: mark) { line = String(line[..<range.lowerBound]) }
    }
    if let digit = line.firstIndex(where: \.isNumber) { line = String(line[..<digit]) }
    while let last = line.last, last == "," || last == " " || last == ":" { line.removeLast() }
    return line.isEmpty ? nil : line
  }

  /// Whether a text can be a person's name: a few words, with a capital, without digits.
  private static func isName(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return (3...60).contains(text.count) && words.count <= 6
      && text.contains(where: \.isUppercase) && !text.contains(where: \.isNumber)
      && !text.contains(where: { ":?!/".contains($0) }) && !OtherHeading.isOne(text)
  }

  private static func withoutIntroduction(_ name: String) -> String {
    var name = name
    for word in introductions {
      if name.lowercased().hasPrefix(word), name.count > word.count {
        name = CleanText.collapsed(String(name.dropFirst(word.count)))
      }
    }
    return name
  }

  private static func joined(_ names: [String]) -> String? {
    var result: [String] = []
    for name in names where !result.contains(where: { $0.lowercased() == name.lowercased() }) {
      result.append(name)
    }
    return result.isEmpty ? nil : result.joined(separator: ", ")
  }

  /// Names without introductions; URLs are removed.
  private static func cleaned(_ names: [String]) -> [String] {
    names.prefix(20).compactMap { CleanText.line($0, limit: 200) }.compactMap { line in
      let name = withoutIntroduction(line)
      if name.contains("://") || name.contains("www.") || name.hasPrefix("/") { return nil }
      return name.isEmpty || ["admin", "administrator"].contains(name.lowercased()) ? nil : name
    }
  }
}
