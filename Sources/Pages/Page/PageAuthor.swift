/// Finds who wrote a page.
struct PageAuthor {
  private let facts: PageFacts
  private var tree: HTMLTree { facts.tree }

  init(_ facts: PageFacts) {
    self.facts = facts
  }

  /// The names of the authors, with commas between them; nil where none is told.
  var name: String? {
    let told = [
      "$author", "$creator", "=author", "=creator", "author", "citation_author", "dc.creator",
      "dcterms.creator", "dc.creator.author", "parsely-author", "sailthru.author", "byl",
    ].lazy.map(facts.all)
    return Self.joined(facts.all("article:author") + facts.all("og:article:author"))
      ?? told.compactMap(Self.joined).first ?? Self.joined(links) ?? Self.joined(bylines)
      ?? Self.joined(facts.all("twitter:creator"))
  }

  /// What links to the author say (HTML Standard §4.6.7.2).
  private var links: [String] {
    tree.nodes.indices.filter { index in
      let node = tree.nodes[index]
      return node.name == "a" && PageFacts.words(node["rel"]).contains("author")
    }.map { tree.text(of: $0, limit: 500) }
  }

  /// What elements say whose class is that of an author's name.
  private var bylines: [String] {
    for name in ["author-name", "byline-name", "p-author", "author__name", "byline", "author"] {
      for (index, node) in tree.nodes.enumerated() {
        guard node.end - index < 40,
          PageFacts.words(node["class"]).contains(name[...]) || node["id"]?.lowercased() == name
        else { continue }
        let text = CleanText.collapsed(tree.text(of: index, limit: 500))
        if (3...80).contains(text.count) { return [text] }
      }
    }
    return []
  }

  private static func joined(_ names: [String]) -> String? {
    var result: [String] = []
    for name in names.prefix(20) {
      guard let line = CleanText.line(name, limit: 200).flatMap(cleaned) else { continue }
      if !result.contains(where: { $0.lowercased() == line.lowercased() }) { result.append(line) }
    }
    return result.isEmpty ? nil : result.joined(separator: ", ")
  }

  /// A name without what stands before it; nil for an address, which is no name.
  private static func cleaned(_ name: String) -> String? {
    var name = name
    for word in ["by ", "written by ", "posted by ", "von ", "par ", "por "] {
      if name.lowercased().hasPrefix(word), name.count > word.count {
        name = CleanText.collapsed(String(name.dropFirst(word.count)))
      }
    }
    if name.contains("://") || name.hasPrefix("www.") || name.hasPrefix("/") { return nil }
    return name.isEmpty || name.lowercased() == "admin" ? nil : name
  }
}
