import ForeignText

/// Finds the readable text of a page.
///
/// Sentences count for the elements around them, links and labels against them, and the element
/// with the highest sum contains the text: for an article in several parts that is the element
/// around them, and a side column is excluded if more clutter lies between than it has text. All
/// counts are prefix sums, so the time is linear in the size of the page.
struct Readability {
  private let layout: PageLayout
  private var tree: HTMLTree { layout.tree }
  /// Whether a node is excluded, including its descendants.
  private var isOut: [Bool] = []
  /// The prefix sums of the nodes' values.
  private var sums: [Int] = []
  /// The prefix sums of the characters of sentences that are not excluded.
  private var shown: [Int] = []
  private let isContainer: [Bool]

  /// The length in bytes below which the text is assumed to be incomplete.
  private static let enough = 140

  init(_ layout: PageLayout) {
    self.layout = layout
    isContainer = Self.containers(layout.tree)
  }

  /// The readable text; empty if there is none.
  var text: String {
    var text = ""
    // Each attempt excludes fewer elements.
    for clues in [NameClues.around, NameClues.elsewhere | NameClues.beside, 0] {
      let found = found(without: clues)
      // On a short page, a short text may be all of it.
      if text.isEmpty || found.utf8.count > text.utf8.count + Self.enough { text = found }
      if text.utf8.count >= Self.enough { break }
    }
    return text
  }

  private func found(without clues: NameClues.Mask) -> String {
    var copy = self
    return copy.find(without: clues)
  }

  private mutating func find(without clues: NameClues.Mask) -> String {
    let isStrict = clues != 0
    isOut = layout.isHidden
    if isStrict { markOut(clues) }
    addUp()
    guard var best = best() else { return "" }
    if isStrict { best = withData(best) }
    if isStrict { best = declared(best).map { core(of: $0, least: 97) } ?? core(of: best) }
    let start = tree.nodes.indices[best...].first { layout.values[$0] > 60 && !isOut[$0] } ?? best
    var writer = ReadableText(tree)
    for part in lead(before: best) + parts(around: best) {
      writer.write(part) { index -> ReadableText.Fate in
        if layout.isHidden[index] || isStrict && index == layout.headline { return .unseen }
        guard isStrict, index > part else { return isOut[index] ? .left : .shown }
        if index < start, isAboutText(index) { return .unseen }
        return isOut[index] || isClutter(index) ? .left : .shown
      }
    }
    return writer.finished
  }

  // MARK: Exclusion

  private mutating func markOut(_ clues: NameClues.Mask) {
    var marks = isOut
    let start = layout.headline ?? 0
    for index in tree.nodes.indices where !marks[index] {
      guard let range = other(from: index), !range.contains(layout.headline ?? -1),
        !layout.isMostOfAll(layout.prose(in: range))
          || index > start
            && layout.prose(in: start..<index) > 2 * Self.enough
            && OtherHeading.isOfComments(layout.line(of: index))
      else { continue }
      for inner in range { marks[inner] = true }
    }
    layout.mark(&marks) { isUnlikely($0, clues) }
    isOut = marks
  }

  /// A heading such as “Related articles”, and the content below it.
  private func other(from heading: Int) -> Range<Int>? {
    let name = tree.nodes[heading].name
    guard name.utf8.count == 2, name.utf8.first == UInt8(ascii: "h"), name != "hr", name != "h1",
      layout.characters(of: heading) < 60
    else { return nil }
    let line = layout.line(of: heading)
    guard OtherHeading.isOne(line) || OtherHeading.isOfComments(line) else { return nil }
    // Include ancestors that contain nothing but the heading.
    var top = heading
    while tree.nodes[top].parent >= 0,
      layout.characters(of: tree.nodes[top].parent) == layout.characters(of: heading)
    {
      top = tree.nodes[top].parent
    }
    guard tree.nodes[top].parent >= 0 else { return nil }
    var end = tree.nodes[top].end
    while end < tree.nodes[tree.nodes[top].parent].end {
      let next = tree.nodes[end]
      if next.name.utf8.count == 2, next.name.utf8.first == UInt8(ascii: "h"), next.name <= name {
        break
      }
      end = next.end
    }
    return top..<end
  }

  private func isUnlikely(_ index: Int, _ clues: NameClues.Mask) -> Bool {
    let node = tree.nodes[index]
    // An element with the headline is neither beside nor below the text.
    if layout.hasHeadline(index) { return false }
    switch node.name {
    case "html", "body", "article", "main", "a", "h1": return false
    case "header":
      if !layout.isWithinArticle(index), !layout.isMostOfAll(layout.prose(of: index)) {
        return true
      }
    default: break
    }
    switch node["role"]?.lowercased() {
    case "navigation", "complementary", "banner", "contentinfo", "search", "dialog", "alertdialog",
      "menu", "menubar":
      return !layout.isMostOfAll(layout.prose(of: index))
    case "main", "article": return false
    default: return layout.clues[index] & clues != 0
    }
  }

  /// Whether an element within the text is a list of links or a call to action.
  private func isClutter(_ index: Int) -> Bool {
    let node = tree.nodes[index]
    switch node.name {
    case "ul", "ol", "div", "section", "table", "dl", "form", "p": break
    default: return false
    }
    let length = layout.characters(of: index)
    guard length > 0 else { return false }
    let density = layout.linkDensity(of: index)
    if length < 200 {
      let line = layout.line(of: index)
      if OtherHeading.isClosing(line) || density > 0.3 && OtherHeading.isOne(line) { return true }
    }
    switch node.name {
    case "form": return length < 500
    case "p" where length < 60:
      return density > 0.9 && (length < 25 || layout.hasSeveralLinks(index))
    // A button, such as one to the comments.
    case "div" where length < 25 && density > 0.9: return true
    default: break
    }
    if density > 0.4, length < 150, isLabelled(index) { return true }
    if layout.isOfOthers(index) { return true }
    // A list of sources at the end is long; a list of other pages contains only titles.
    guard node.name != "p", density > 0.6, length < 1_500, layout.hasSeveralLinks(index) else {
      return false
    }
    let inner = index..<min(tree.nodes[index].end, index + 10)
    return inner.first { tree.nodes[$0].name == "table" }.map { !layout.isData($0) } ?? true
  }

  /// Whether an element before the text is a line with its date or authors.
  private func isAboutText(_ index: Int) -> Bool {
    let node = tree.nodes[index]
    guard HTMLElement.isBlock(node.name), (1...120).contains(layout.characters(of: index)),
      layout.prose(of: index) == 0, layout.clues[index] & NameClues.data == 0
    else { return false }
    switch node.name {
    case "li", "td", "th", "tr", "dt", "dd", "table", "ul", "ol", "dl", "pre", "blockquote", "h1",
      "h2", "h3", "h4", "h5", "h6":
      return false
    default: break
    }
    let line = layout.line(of: index)
    return layout.clues[index] & NameClues.date != 0 || line.utf8.count(where: \.isDigit) > 3
      || PageAuthor.hasIntroduction(line)
  }

  /// Whether the text before the links is a label that ends with a colon.
  private func isLabelled(_ index: Int) -> Bool {
    for inner in index..<min(tree.nodes[index].end, index + 60) {
      let node = tree.nodes[inner]
      if node.name == "a" { return false }
      if node.isText, let last = node.text.utf8.last(where: { !$0.isBlank }) {
        return last == UInt8(ascii: ":")
      }
    }
    return false
  }

  // MARK: Main element

  /// The maximum cost of an excluded element for the element around it.
  private static let maxCost = 100

  /// The element that contains the text; nil if there is no text.
  private func best() -> Int? {
    guard let best = best(in: 0..<tree.nodes.count) else {
      return tree.nodes.indices.first {
        tree.nodes[$0].name == "body" && layout.characters(of: $0) > 0
      }
    }
    // Of several consecutive articles, the one with the headline is the page's.
    guard let headline = layout.headline else { return best }
    var articles: [Int] = []
    var index = best + 1
    while index < tree.nodes[best].end {
      let isArticle = tree.nodes[index].name == "article" && !isOut[index]
      if isArticle, layout.prose(of: index) > 2 * Self.enough { articles.append(index) }
      index = isArticle ? tree.nodes[index].end : index + 1
    }
    guard articles.count > 1,
      let own = articles.first(where: { $0 < headline && headline < tree.nodes[$0].end })
    else { return best }
    return self.best(in: own..<tree.nodes[own].end) ?? own
  }

  private mutating func addUp() {
    sums = [Int](repeating: 0, count: tree.nodes.count + 1)
    shown = sums
    var index = 0
    while index < tree.nodes.count {
      guard isOut[index] else {
        sums[index + 1] = sums[index] + layout.values[index]
        shown[index + 1] = shown[index] + max(0, layout.values[index])
        index += 1
        continue
      }
      let end = max(tree.nodes[index].end, index + 1)
      let cost = layout.isHidden[index] ? 0 : min(layout.characters(of: index) / 4, Self.maxCost)
      for inner in index..<end {
        sums[inner + 1] = sums[index] - cost
        shown[inner + 1] = shown[index]
      }
      index = end
    }
  }

  /// The innermost element with the highest sum.
  private func best(in range: Range<Int>) -> Int? {
    var best: (sum: Int, index: Int)?
    for index in range where !isOut[index] && isContainer[index] {
      let sum = sums[tree.nodes[index].end] - sums[index]
      if sum > 0, sum >= best?.sum ?? 0 { best = (sum, index) }
    }
    return best?.index
  }

  /// Whether each node can contain paragraphs: a block other than a paragraph, or an inline or
  /// custom element around blocks.
  private static func containers(_ tree: HTMLTree) -> [Bool] {
    var nextBlock = tree.nodes.count
    var result = [Bool](repeating: false, count: tree.nodes.count)
    for index in tree.nodes.indices.reversed() {
      let node = tree.nodes[index]
      let isBlock = HTMLElement.isBlock(node.name) && node.name != "br"
      switch node.name {
      case "", "html", "p", "a", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr", "tbody", "thead",
        "dt", "dd", "label":
        break
      default: result[index] = isBlock || nextBlock < node.end
      }
      if isBlock { nextBlock = index }
    }
    return result
  }

  /// The only element that is declared or named as the body of the article, if it has a good part
  /// of the text.
  private func declared(_ best: Int) -> Int? {
    for (clue, percent) in [(NameClues.declaredBody, 30), (NameClues.body, 60)] {
      var found: Int?
      var end = 0
      var index = 0
      while index < tree.nodes.count {
        defer { index += 1 }
        guard index >= end, !isOut[index], layout.clues[index] & clue != 0,
          prose(of: index) >= Self.enough
        else { continue }
        guard found == nil, tree.nodes[index].name != "body" else { return nil }
        found = index
        end = tree.nodes[index].end
      }
      if let found, prose(of: found) * 100 >= prose(of: best) * percent,
        !hasData(best, outside: found)
      {
        return found
      }
    }
    return nil
  }

  /// The innermost part that has nearly all of the text, without the polls, tickers and notices
  /// around it.
  private func core(of best: Int, least: Int = 0) -> Int {
    guard prose(of: best) > 0 else { return best }
    var core = best
    var index = best + 1
    while index < tree.nodes[core].end {
      let node = tree.nodes[index]
      let isNearlyAll = prose(of: index) * 100 >= prose(of: best) * max(share(index), least)
      if isNearlyAll, isContainer[index], !isOut[index] { core = index }
      index = isNearlyAll ? index + 1 : node.end
    }
    return hasData(best, outside: core) ? best : core
  }

  /// The element around the text and its data, if they are beside each other.
  private func withData(_ best: Int) -> Int {
    var parent = tree.nodes[best].parent
    for _ in 0..<3 where parent >= 0 && isContainer[parent] && tree.nodes[parent].name != "body" {
      let isMostlyText = layout.characters(of: parent) < 2 * layout.characters(of: best)
      if isMostlyText, hasData(parent, outside: best) { return parent }
      parent = tree.nodes[parent].parent
    }
    return best
  }

  /// Whether an element has tables of data or ingredients, which have no sentences, outside of
  /// another element.
  private func hasData(_ index: Int, outside core: Int) -> Bool {
    (index..<tree.nodes[index].end).contains { index in
      (index < core || index >= tree.nodes[core].end) && !isOut[index]
        && (tree.nodes[index].name == "table" || layout.clues[index] & NameClues.data != 0)
        && prose(of: index) == 0 && layout.characters(of: index) > 60
        && layout.linkDensity(of: index) < 0.3
    }
  }

  /// The percentage of the text that a part must have to be all of it.
  private func share(_ index: Int) -> Int {
    layout.clues[index] & NameClues.within != 0 ? 75 : 92
  }

  /// The number of characters of sentences in a node, without excluded elements.
  private func prose(of index: Int) -> Int { shown[tree.nodes[index].end] - shown[index] }

  /// Introductory paragraphs between the headline and the element.
  private func lead(before best: Int) -> [Int] {
    guard let headline = layout.headline, headline < best,
      layout.characters(from: headline, to: best) < 3_000
    else { return [] }
    var parts: [Int] = []
    var index = tree.nodes[headline].end
    while index < best {
      let node = tree.nodes[index]
      let isAround = node.end > best
      let isParagraph = HTMLElement.isBlock(node.name) && !isAround
      if isOut[index] || isParagraph && (isClutter(index) || layout.linkDensity(of: index) > 0.3) {
        index = max(node.end, index + 1)
      } else if isParagraph, sums[node.end] > sums[index] {
        parts.append(index)
        index = node.end
      } else {
        index += 1
      }
    }
    return parts
  }

  /// The element, and following sibling paragraphs that continue the text.
  private func parts(around best: Int) -> [Int] {
    let parent = tree.nodes[best].parent
    guard parent >= 0, tree.nodes[best].name != "body" else { return [best] }
    var parts: [Int] = []
    var index = parent + 1
    while index < tree.nodes[parent].end {
      let node = tree.nodes[index]
      let isNear = index > best && node.name == "p" && !isOut[index]
      if index == best || isNear && layout.prose(of: index) > 80 { parts.append(index) }
      index = node.end
    }
    return parts
  }
}
