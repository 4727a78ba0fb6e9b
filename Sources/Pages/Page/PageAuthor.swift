/// Finds who wrote a page.
struct PageAuthor {
  private let tree: HTMLTree
  private let meta: MetaTags
  private let thing: LinkedData.Thing?
  private let items: Microdata

  init(
    _ tree: HTMLTree, _ meta: MetaTags, _ thing: LinkedData.Thing?, _ items: Microdata
  ) {
    self.tree = tree
    self.meta = meta
    self.thing = thing
    self.items = items
  }

  /// The names of the authors, with commas between them; nil where none is told.
  var name: String? {
    let found: [[String]] = [
      meta.all("article:author") + meta.all("og:article:author"), thing?.texts("author") ?? [],
      thing?.texts("creator") ?? [], items.texts("author"), items.texts("creator"),
      meta.all("author"), meta.all("citation_author"), meta.all("dc.creator"),
      meta.all("dcterms.creator"), meta.all("dc.creator.author"), meta.all("parsely-author"),
      meta.all("sailthru.author"), meta.all("byl"), links, bylines, meta.all("twitter:creator"),
    ]
    for names in found {
      if let joined = Self.joined(names) { return joined }
    }
    return nil
  }

  /// What links to the author say (HTML Standard §4.6.7.2).
  private var links: [String] {
    tree.nodes.indices.filter { index in
      let node = tree.nodes[index]
      return node.name == "a"
        && (node["rel"] ?? "").lowercased().split(separator: " ").contains("author")
    }.map { tree.text(of: $0, limit: 500) }
  }

  /// What elements say whose class is that of an author's name.
  private var bylines: [String] {
    for name in ["author-name", "byline-name", "p-author", "author__name", "byline", "author"] {
      for (index, node) in tree.nodes.enumerated() {
        let classes = (node["class"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        guard classes.contains(where: { $0 == name }) || node["id"]?.lowercased() == name,
          node.end - index < 40
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
