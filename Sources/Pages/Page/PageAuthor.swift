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
      let isElsewhere =
        layout.clues[index] & NameClues.elsewhere != 0 && !layout.hasHeadline(index)
        || layout.isSiteFooter(index)
      guard !node.isText, !layout.isHidden[index], !isElsewhere else {
        index = node.isText ? index + 1 : max(node.end, index + 1)
        continue
      }
      defer { index += 1 }
      let isNamed = layout.clues[index] & NameClues.author != 0 || node["itemprop"] == "author"
      let distance = layout.headline.map { layout.characters(from: $0, to: index) } ?? 0
      guard
        isNamed
          || (HTMLElement.isBlock(node.name) || node.name == "span") && distance < 800
            && layout.headline != nil,
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
        && !isTopic(tree.nodes[index])
    }
    let names = Self.cleaned(links.map { facts.layout.line(of: $0) }).filter { Self.isName($0) }
    return names.isEmpty ? nil : names
  }

  /// Whether a link leads to a category or tag.
  private func isTopic(_ node: HTMLTree.Node) -> Bool {
    let relations = PageFacts.words(node["rel"])
    let target = (node["href"] ?? "").prefix(1_000).lowercased()
    return relations.contains("tag") || relations.contains("category")
      || Self.topics.contains { target.contains($0) }
  }

  private static let topics = [
    "/category/", "/categories/", "/tag/", "/tags/", "/topic/", "/topics/", "/kategorie/",
    "/kategorien/", "/thema/", "/rubrik/", "/section/", "?cat=", "/label/", "/search/",
  ]

  // MARK: Names

  private static let introductions = [
    "by ", "by: ", "written by ", "posted by ", "published by ", "text by ", "words by ", "von ",
    "geschrieben von ", "autor: ", "text: ", "par ", "écrit par ", "por ", "escrito por ", "di ",
    "door ", "av ", "author: ", "autor/in: ", "autorin: ", "by:", "durch ", "verfasst von ",
    "veröffentlicht von ",
    "gespeichert von ", "ein artikel von ", "ein beitrag von ", "publié par ", "rédigé par ",
    "publicado por ", "scritto da ", "pubblicato da ", "geschreven door ", "submitted by ",
    "authored by ", "story by ", "article by ", "reported by ", "contributed by ",
  ]

  /// Whether a line names its authors: “By Kim Moor”, or after a date “May 5, 2026 by Kim Moor”.
  static func hasIntroduction(_ line: String) -> Bool {
    let lower = line.lowercased()
    return introductions.contains { lower.hasPrefix($0) } || afterDate(line) != nil
  }

  /// The part of a line after a date and a word such as “by”.
  private static func afterDate(_ line: String) -> Substring? {
    for word in [" by ", " von ", " par ", " por "] {
      guard let range = line.firstRange(of: word) ?? line.firstRange(of: word.uppercased()),
        line[..<range.lowerBound].contains(where: \.isNumber),
        line[range.upperBound...].prefix(40).contains(" ")
      else { continue }
      return line[range.upperBound...]
    }
    return nil
  }

  /// The name at the beginning of a line, before dates, roles and other text.
  private static func first(of line: String) -> String? {
    var line = withoutIntroduction(afterDate(line).map(String.init) ?? line)
    for mark in [
      "|", "•", "·", " – ", " — ", " - ", "(", " @ ", " on ", " am ", " le ", " el ",
      " in ", " IN ",
    ] {
      if let range = line.firstRange(of: mark) { line = String(line[..<range.lowerBound]) }
    }
    if let digit = line.firstIndex(where: \.isNumber) {
      line = String(line[..<digit])
      // A month rather than a name.
      if line.split(separator: " ").count == 1 { return nil }
    }
    while let last = line.last, last == "," || last == " " || last == ":" { line.removeLast() }
    // Buttons may follow, such as “twitter” and “share”.
    var words = line.split(separator: " ")
    while let word = words.last?.utf8.first, (0x61...0x7A).contains(word) { words.removeLast() }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Whether a text can be a person's name: a few words, with a capital, without digits.
  private static func isName(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return (3...60).contains(text.count) && words.count <= 6
      && text.contains(where: \.isUppercase) && !text.contains(where: \.isNumber)
      && (words.first?.first?.isLowercase != true || particles.contains(String(words[0])))
      && !text.contains(where: { ":?!/".contains($0) }) && !OtherHeading.isOne(text)
  }

  /// Words in lower case that begin a name.
  private static let particles: Set<String> = [
    "von", "van", "de", "del", "della", "di", "da", "du", "dos", "der", "den", "la", "le", "el",
    "al", "bin", "ibn", "ten", "ter", "zu", "af", "av",
  ]

  /// Whether a text is the label of a link or field rather than a name.
  private static func isLabel(_ name: String) -> Bool {
    let lower = name.lowercased()
    return labels.contains(lower) || labelBeginnings.contains { lower.hasPrefix($0) }
  }

  private static let labels: Set<String> = [
    "admin", "administrator", "author", "authors", "autor", "autoren", "auteur", "webmaster",
    "root", "user", "unknown", "unknown author", "anonymous", "none", "null", "undefined", "n/a",
    "default", "by", "von", "login", "log in", "email", "e-mail", "facebook", "twitter", "website",
    "uncategorized", "profile", "bio", "comments", "guest", "contributor", "contributors",
    "published", "posted", "written", "zoom", "print", "share",
  ]
  private static let labelBeginnings = [
    "no author", "posted on", "posted in", "published on", "updated", "more posts", "more articles",
    "more by", "more from", "all articles", "all posts", "all stories", "show all", "see all",
    "see more", "view all", "view my", "view more", "view profile", "view posts", "visit ",
    "read more", "follow", "sign in", "sign up", "subscribe", "share this", "contact ", "about the",
    "about author", "leave a", "alle artikel", "alle beiträge", "mehr von", "mehr beiträge",
    "zum profil", "artikel von", "voir tous", "tous les articles", "todos los", "ver más", "@ ",
  ]

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
    names.prefix(20).compactMap { CleanText.line($0, limit: 200) }.flatMap(separated)
      .compactMap { line in
        let name = withoutIntroduction(line)
        if name.contains("://") || name.contains("www.") || name.hasPrefix("/") { return nil }
        return name.isEmpty || isLabel(line) || isLabel(name) ? nil : name
      }
  }

  /// Full names joined by “and”.
  private static func separated(_ line: String) -> [String] {
    for word in [" and ", " und ", " & ", " et "] {
      let parts = line.components(separatedBy: word)
      if parts.count == 2, parts.allSatisfy({ (2...4).contains($0.split(separator: " ").count) }) {
        return parts
      }
    }
    return [line]
  }
}
