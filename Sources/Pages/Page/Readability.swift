import ForeignText

/// Finds what a person reads in a page, among what stands around it.
///
/// Paragraphs score by their length and their commas for the elements around them, and what is
/// mostly links scores less. All counts are sums over the nodes in their order, so that the time is
/// linear in the size of the page.
struct Readability {
  private let tree: HTMLTree
  /// Whether a node is left out, with all in it.
  private var isOut: [Bool]
  /// Characters of text, of text in links, and commas, before each node.
  private var characters: [Int]
  private var linked: [Int]
  private var commas: [Int]
  /// How many links begin before each node.
  private var links: [Int]
  private var scores: [Double]

  /// Texts shorter than this are taken for a failure to find them.
  private static let enough = 140

  init(_ tree: HTMLTree) {
    self.tree = tree
    let count = tree.nodes.count
    isOut = Array(repeating: false, count: count)
    characters = Array(repeating: 0, count: count + 1)
    linked = characters
    commas = characters
    links = characters
    scores = Array(repeating: 0, count: count)
  }

  /// What there is to read; empty where there is nothing.
  var text: String {
    let strict = found(isStrict: true)
    if strict.utf8.count >= Self.enough { return strict }
    let loose = found(isStrict: false)
    // What little there is on a short page is all of it.
    let isMuchMore = loose.utf8.count > strict.utf8.count + Self.enough
    return strict.isEmpty || isMuchMore ? loose : strict
  }

  private func found(isStrict: Bool) -> String {
    var copy = self
    return copy.find(isStrict: isStrict)
  }

  private mutating func find(isStrict: Bool) -> String {
    markOut(isStrict: isStrict)
    count()
    guard let best = best() else { return "" }
    var writer = ReadableText(tree)
    for part in parts(around: best) {
      writer.write(part) { index in
        isOut[index] || isStrict && index > part && isClutter(index)
      }
    }
    return writer.finished
  }

  // MARK: What is left out

  private mutating func markOut(isStrict: Bool) {
    var index = 0
    while index < tree.nodes.count {
      let node = tree.nodes[index]
      guard !node.isText, isHidden(node) || isStrict && isUnlikely(node, at: index) else {
        index += 1
        continue
      }
      for inner in index..<node.end { isOut[inner] = true }
      index = max(node.end, index + 1)
    }
  }

  private func isHidden(_ node: HTMLTree.Node) -> Bool {
    if HTMLTree.isNoContent(node.name) || node["hidden"] != nil { return true }
    switch node.name {
    case "button", "input", "select", "textarea", "title", "dialog": return true
    default: break
    }
    if node["aria-hidden"] == "true", node.name != "img" { return true }
    guard let style = node["style"]?.lowercased().filter({ !$0.isWhitespace }) else { return false }
    return style.contains("display:none") || style.contains("visibility:hidden")
  }

  private func isUnlikely(_ node: HTMLTree.Node, at index: Int) -> Bool {
    switch node.name {
    case "nav", "aside", "footer", "menu": return true
    case "html", "body", "article", "main", "a", "h1": return false
    case "header": return !isWithinArticle(index)
    default: break
    }
    switch node["role"]?.lowercased() {
    case "navigation", "complementary", "banner", "contentinfo", "search", "dialog", "alertdialog",
      "menu", "menubar":
      return true
    case "main", "article": return false
    default: return NameClues.isUnlikely(node)
    }
  }

  private func isWithinArticle(_ index: Int) -> Bool {
    var parent = tree.nodes[index].parent
    while parent >= 0 {
      if tree.nodes[parent].name == "article" || tree.nodes[parent].name == "main" { return true }
      parent = tree.nodes[parent].parent
    }
    return false
  }

  /// Whether an element within the text is rather a list of links, or what invites to something.
  private func isClutter(_ index: Int) -> Bool {
    let node = tree.nodes[index]
    switch node.name {
    case "ul", "ol", "div", "section", "table", "dl", "form", "p": break
    default: return false
    }
    let length = characters(of: index)
    guard length > 0 else { return false }
    let density = linkDensity(of: index)
    if node.name == "form" { return length < 500 }
    if node.name == "p" { return density > 0.9 && length < 60 && hasSeveralLinks(index) }
    // A list of sources at the end is long; one of other pages has only titles.
    let isMostlyLinks = density > 0.6 && length < 1_500 && hasSeveralLinks(index)
    return isMostlyLinks || NameClues.weight(node) < 0 && density > 0.33
  }

  private func hasSeveralLinks(_ index: Int) -> Bool {
    links[tree.nodes[index].end] - links[index] > 1
  }

  // MARK: The counts

  private mutating func count() {
    var linkEnd = 0
    for (index, node) in tree.nodes.enumerated() {
      if node.name == "a", node["href"] != nil { linkEnd = max(linkEnd, node.end) }
      var length = 0
      var found = 0
      if node.isText, !isOut[index] { (length, found) = Self.measure(node.text) }
      characters[index + 1] = characters[index] + length
      linked[index + 1] = linked[index] + (index < linkEnd ? length : 0)
      commas[index + 1] = commas[index] + found
      links[index + 1] = links[index] + (node.name == "a" ? 1 : 0)
    }
  }

  /// The characters of a text, a run of white space being one, and its commas.
  private static func measure(_ text: String) -> (length: Int, commas: Int) {
    var length = 0
    var commas = 0
    var isAfterSpace = true
    for scalar in text.unicodeScalars {
      if CleanText.isSpace(scalar) {
        if !isAfterSpace { length += 1 }
        isAfterSpace = true
        continue
      }
      isAfterSpace = false
      length += 1
      switch scalar {
      case ",", "،", "、", "，", "。", "﹐", "؛": commas += 1
      default: break
      }
    }
    return (length, commas)
  }

  private func characters(of index: Int) -> Int {
    characters[tree.nodes[index].end] - characters[index]
  }

  private func linkDensity(of index: Int) -> Double {
    let length = characters(of: index)
    return length == 0 ? 0 : Double(linked[tree.nodes[index].end] - linked[index]) / Double(length)
  }

  // MARK: The scores

  /// The element that holds the text; nil for a page without any.
  private mutating func best() -> Int? {
    for (index, node) in tree.nodes.enumerated() where !isOut[index] && isParagraph(node, index) {
      let length = characters(of: index)
      guard length >= 25 else { continue }
      let score =
        1 + Double(commas[node.end] - commas[index]) + min(Double(length / 100), 3)
      var parent = node.parent
      for level in 0..<5 where parent >= 0 {
        scores[parent] += level == 0 ? score : level == 1 ? score / 2 : score / Double(level * 3)
        parent = tree.nodes[parent].parent
      }
    }
    var best: (score: Double, index: Int)?
    for (index, node) in tree.nodes.enumerated() where scores[index] > 0 && !isOut[index] {
      guard node.name != "html" else { continue }
      let score =
        (scores[index] + Self.start(node) + NameClues.weight(node))
        * (1 - linkDensity(of: index))
      if score > (best?.score ?? -.infinity) { best = (score, index) }
    }
    return best?.index
      ?? tree.nodes.indices.first { tree.nodes[$0].name == "body" && characters(of: $0) > 0 }
  }

  private static func start(_ node: HTMLTree.Node) -> Double {
    switch node.name {
    case "article", "main": 25
    case "div", "section": 5
    case "pre", "td", "blockquote": 3
    case "address", "ol", "ul", "dl", "dd", "dt", "li", "form": -3
    case "h1", "h2", "h3", "h4", "h5", "h6", "th": -5
    default: 0
    }
  }

  /// Whether an element is a paragraph: by its name, or as a block with texts and no blocks in it.
  private func isParagraph(_ node: HTMLTree.Node, _ index: Int) -> Bool {
    switch node.name {
    case "p", "pre", "blockquote": return true
    case "div", "section", "td", "article", "main", "li", "body", "dd": break
    default: return false
    }
    var child = index + 1
    var hasText = false
    var breaks = 0
    while child < node.end {
      let inner = tree.nodes[child]
      if inner.isText { hasText = hasText || inner.text.utf8.contains { !$0.isBlank } }
      if inner.name == "br" { breaks += 1 }
      if inner.name != "br", HTMLElement.isBlock(inner.name) { return hasText && breaks > 1 }
      child = inner.end
    }
    return true
  }

  /// The best element, with those beside it that go on with the text.
  private func parts(around best: Int) -> [Int] {
    let parent = tree.nodes[best].parent
    guard parent >= 0, tree.nodes[best].name != "body" else { return [best] }
    let threshold = max(10, scores[best] * 0.2)
    var parts: [Int] = []
    var index = parent + 1
    while index < tree.nodes[parent].end {
      let node = tree.nodes[index]
      defer { index = node.end }
      if index == best {
        parts.append(index)
        continue
      }
      guard !node.isText, !isOut[index] else { continue }
      let sameClass = node["class"] != nil && node["class"] == tree.nodes[best]["class"]
      let bonus = sameClass ? scores[best] * 0.2 : 0
      let length = characters(of: index)
      if scores[index] + bonus >= threshold && linkDensity(of: index) < 0.5
        || node.name == "p" && length > 80 && linkDensity(of: index) < 0.25
      {
        parts.append(index)
      }
    }
    return parts
  }
}
