/// The layout of a page: hidden elements, elements around the text, and the amount of text in each.
///
/// All counts are prefix sums over the nodes in document order, so that those of an element are a
/// difference.
struct PageLayout {
  let tree: HTMLTree
  /// The index of the page's headline.
  let headline: Int?
  /// Whether a node is hidden, including its descendants.
  private(set) var isHidden: [Bool]
  /// The hints for each element, without those that are not significant on this page.
  private(set) var clues: [NameClues.Mask]
  /// The value of each node's own text.
  private(set) var values: [Int] = []
  /// Prefix sums: characters of text, characters in links, links, headings that are links, and
  /// characters of sentences.
  private var characters: [Int]
  private var linked: [Int]
  private var links: [Int]
  private var cards: [Int]
  private var prose: [Int]

  init(_ tree: HTMLTree) {
    self.tree = tree
    headline = Headline.index(tree)
    let count = tree.nodes.count
    isHidden = Array(repeating: false, count: count)
    clues = Array(repeating: 0, count: count)
    characters = Array(repeating: 0, count: count + 1)
    linked = characters
    links = characters
    cards = characters
    prose = characters
    markHidden()
    countUp(TextBlocks(tree, isHidden))
    findClues()
  }

  private mutating func markHidden() {
    mark(&isHidden) { index in
      let node = tree.nodes[index]
      if HTMLTree.isNoContent(node.name) { return true }
      switch node.name {
      case "button", "input", "select", "textarea", "title", "dialog": return true
      default: break
      }
      guard !node.attributes.isEmpty else { return false }
      if node["hidden"] != nil { return true }
      if node["aria-hidden"] == "true", node.name != "img" { return true }
      guard let style = node["style"] else { return false }
      let lower = style.lowercased().filter { !$0.isWhitespace }
      return lower.contains("display:none") || lower.contains("visibility:hidden")
    }
  }

  /// Marks each matching element and its descendants.
  func mark(_ marks: inout [Bool], _ isOne: (Int) -> Bool) {
    var index = 0
    while index < tree.nodes.count {
      let node = tree.nodes[index]
      guard !node.isText, marks[index] || isOne(index) else {
        index += 1
        continue
      }
      for inner in index..<node.end { marks[inner] = true }
      index = max(node.end, index + 1)
    }
  }

  /// Whether a length is a large part of the page's prose, and thus of its text.
  func isMostOfAll(_ length: Int) -> Bool { length * 5 > (prose.last ?? 0) * 2 }

  /// Finds the hints for all elements, and removes those that are not significant: a hint for a
  /// large part of the page, such as `paywall` or `widget`, does not indicate clutter.
  private mutating func findClues() {
    var names = NameClues()
    var ends = [Int](repeating: 0, count: 64)
    var marked = ends
    let own = ownPart
    for (index, node) in tree.nodes.enumerated() where !node.isText && !isHidden[index] {
      let mask = names.mask(node)
      clues[index] = mask
      var rest = mask & NameClues.around & ~NameClues.never
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest - 1
        guard index >= ends[bit], node.name != "body", node.name != "html" else { continue }
        if NameClues.beside & 1 << NameClues.Mask(bit) != 0, let own, !own.contains(index) {
          continue
        }
        ends[bit] = node.end
        marked[bit] += prose(of: index)
      }
    }
    var meaningless: NameClues.Mask = 0
    for bit in 0..<64 where isMostOfAll(marked[bit]) { meaningless |= 1 << NameClues.Mask(bit) }
    for index in clues.indices { clues[index] &= ~meaningless }
  }

  /// The innermost element with the headline and some sentences; nil if there is none.
  private var ownPart: Range<Int>? {
    guard var index = headline else { return nil }
    let lead = prose(of: index)
    while index >= 0, tree.nodes[index].name != "body" {
      if prose(of: index) - lead >= 280 { return index..<tree.nodes[index].end }
      index = tree.nodes[index].parent
    }
    return nil
  }

  private mutating func countUp(_ blocks: TextBlocks) {
    values = blocks.values
    var linkEnd = 0
    for (index, node) in tree.nodes.enumerated() {
      if node.name == "a", node["href"] != nil { linkEnd = max(linkEnd, node.end) }
      let length = blocks.lengths[index]
      characters[index + 1] = characters[index] + length
      linked[index + 1] = linked[index] + (index < linkEnd ? length : 0)
      links[index + 1] = links[index] + (node.name == "a" ? 1 : 0)
      prose[index + 1] = prose[index] + max(0, blocks.values[index])
    }
    var sum = 0
    for (index, node) in tree.nodes.enumerated() {
      switch node.name {
      case "h2", "h3", "h4", "h5": if linkDensity(of: index) > 0.8 { sum += 1 }
      case "li": if isTeaser(index) { sum += 1 }
      default: break
      }
      cards[index + 1] = sum
    }
  }

  /// Whether an entry of a list is a separate link with a few sentences below it.
  private func isTeaser(_ index: Int) -> Bool {
    let end = tree.nodes[index].end
    let inner = index + 1..<min(end, index + 12)
    guard (40...400).contains(characters(of: index)),
      let first = inner.first(where: { characters[$0 + 1] > characters[$0] }),
      linked[first + 1] > linked[first],
      let block = inner.first(where: { $0 > first && tree.nodes[$0].name == "p" })
    else { return false }
    return linked[block] - linked[index] == characters[block] - characters[index]
      && prose(of: block) > 0
  }

  /// The number of characters of text in a node.
  func characters(of index: Int) -> Int {
    characters[tree.nodes[index].end] - characters[index]
  }

  /// The number of characters of sentences in a node.
  func prose(of index: Int) -> Int { prose[tree.nodes[index].end] - prose[index] }

  /// The fraction of a node's characters that is in links.
  func linkDensity(of index: Int) -> Double {
    let length = characters(of: index)
    return length == 0 ? 0 : Double(linked[tree.nodes[index].end] - linked[index]) / Double(length)
  }

  /// Whether a node contains more than one link.
  func hasSeveralLinks(_ index: Int) -> Bool {
    links[tree.nodes[index].end] - links[index] > 1
  }

  /// The number of characters of sentences in a range of nodes.
  func prose(in range: Range<Int>) -> Int { prose[range.upperBound] - prose[range.lowerBound] }

  /// The number of headings in a node that are links.
  func cards(of index: Int) -> Int { cards[tree.nodes[index].end] - cards[index] }

  /// Whether a table has data: most rows have several cells, and not all of them are links.
  func isData(_ table: Int) -> Bool {
    var rows = 0
    var data = 0
    var cells = 0
    var isPlain = false
    for index in table + 1..<min(tree.nodes[table].end, table + 2_000) {
      switch tree.nodes[index].name {
      case "tr":
        if cells > 1, isPlain { data += 1 }
        rows += 1
        (cells, isPlain) = (0, false)
      case "td", "th":
        guard characters(of: index) > 0 else { continue }
        cells += 1
        if linkDensity(of: index) < 0.5, characters(of: index) < 100 { isPlain = true }
      case "table", "form": return false
      default: break
      }
    }
    if cells > 1, isPlain { data += 1 }
    return rows > 2 && data * 2 > rows
  }

  /// The number of characters of text between two nodes.
  func characters(from first: Int, to second: Int) -> Int {
    characters[max(first, second)] - characters[min(first, second)]
  }

  /// The text of a node on one line, with spaces between text nodes.
  func line(of index: Int) -> String {
    var line = ""
    // A line has few elements; the limit prevents quadratic time for nested ones.
    for node in tree.nodes[index..<min(tree.nodes[index].end, index + 60)] where node.isText {
      line += node.text + " "
    }
    return CleanText.collapsed(line)
  }

  /// Whether an element is inside of `article` or `main`.
  func isWithinArticle(_ index: Int) -> Bool {
    var parent = tree.nodes[index].parent
    while parent >= 0 {
      if tree.nodes[parent].name == "article" || tree.nodes[parent].name == "main" { return true }
      parent = tree.nodes[parent].parent
    }
    return false
  }

  /// Whether an element is the footer of the site rather than of an article.
  func isSiteFooter(_ index: Int) -> Bool {
    clues[index] & NameClues.footer != 0 && clues[index] & NameClues.within == 0
      && !isWithinArticle(index) && !hasHeadline(index)
  }

  /// Whether an element lists other pages: several of its headings are links.
  func isOfOthers(_ index: Int) -> Bool {
    let others = cards(of: index)
    return others > 1 && characters(of: index) < others * 400 && !isMostOfAll(prose(of: index))
  }

  /// Whether an element contains the headline.
  func hasHeadline(_ index: Int) -> Bool {
    headline.map { index <= $0 && $0 < tree.nodes[index].end } ?? false
  }
}
