import ForeignText

/// Plain text of elements, with paragraphs, lists and line breaks.
struct ReadableText {
  private let tree: HTMLTree
  private var out = ""
  private var gap = 0
  private var needsSpace = false
  /// The end of the enclosing `pre`, and its pending white space.
  private var preformattedEnd = 0
  private var blanks = ""
  /// The start of a heading that no text follows yet, and whether content after it was excluded.
  private var heading: Int?
  private var headingEnd = 0
  private var isHeadingOfOther = false

  /// The maximum size of the text in bytes.
  private static let limit = 2 << 20

  init(_ tree: HTMLTree) {
    self.tree = tree
  }

  /// The text, without headings and labels at the end that introduce nothing.
  var finished: String {
    var copy = self
    if let heading, heading > 0 { copy.cut(to: heading) }
    while copy.out.hasSuffix(":"), let end = copy.out.lastIndex(of: "\n"),
      copy.out[end...].utf8.count < 60
    {
      copy.out.removeSubrange(end...)
      while copy.out.hasSuffix("\n") { copy.out.removeLast() }
    }
    return copy.out
  }

  private mutating func cut(to end: Int) {
    out.removeSubrange(out.utf8.index(out.startIndex, offsetBy: end)...)
    gap = max(gap, 2)
  }

  /// The treatment of an element.
  enum Fate {
    /// Written; excluded although visible; hidden.
    case shown, left, unseen
  }

  /// Writes an element and its descendants, except those to be excluded.
  mutating func write(_ element: Int, fate: (Int) -> Fate) {
    /// The enclosing blocks, innermost last.
    var open: [(end: Int, gap: Int)] = []
    var index = element
    breakLine(2)
    while index < tree.nodes[element].end, out.utf8.count < Self.limit {
      while let last = open.last, last.end <= index {
        breakLine(last.gap)
        open.removeLast()
      }
      let node = tree.nodes[index]
      let fate = fate(index)
      guard fate == .shown else {
        if fate == .left { isHeadingOfOther = true }
        index = max(node.end, index + 1)
        continue
      }
      if node.isText {
        if index >= headingEnd, node.text.utf8.contains(where: { !$0.isBlank }) { heading = nil }
        if index < preformattedEnd { writeLines(node.text) } else { writeWords(node.text) }
      } else {
        begin(node, index)
        let gap = HTMLElement.gap(node.name)
        if gap > 0 { open.append((node.end, gap)) }
      }
      index += 1
    }
    breakLine(2)
  }

  private mutating func begin(_ node: HTMLTree.Node, _ index: Int) {
    switch node.name {
    case "br":
      if !out.isEmpty { gap = min(gap + 1, 2) }
      needsSpace = false
    case "li":
      breakLine(1)
      flush()
      out += "- "
    case "h1", "h2", "h3", "h4", "h5", "h6":
      if let heading, heading > 0, isHeadingOfOther { cut(to: heading) }
      heading = out.utf8.count
      headingEnd = node.end
      isHeadingOfOther = false
      breakLine(2)
    case "pre":
      blanks = ""
      breakLine(2)
      preformattedEnd = max(preformattedEnd, node.end)
    case "td", "th":
      if !out.isEmpty, gap == 0 { out += "\t" }
      needsSpace = false
    default: if HTMLElement.gap(node.name) > 0 { breakLine(HTMLElement.gap(node.name)) }
    }
  }

  private mutating func breakLine(_ size: Int) {
    needsSpace = false
    gap = max(gap, size)
  }

  private mutating func flush() {
    if !out.isEmpty, gap > 0, !out.hasSuffix("- ") {
      out += gap > 1 ? "\n\n" : "\n"
    } else if needsSpace, !out.isEmpty, !out.hasSuffix(" ") {
      out += " "
    }
    gap = 0
    needsSpace = false
  }

  private mutating func writeWords(_ text: String) {
    let clean = CleanText.collapsed(text)
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return }
    if CleanText.isSpace(first) { needsSpace = true }
    guard !clean.isEmpty else { return }
    flush()
    out += clean
    needsSpace = CleanText.isSpace(last)
  }

  private mutating func writeLines(_ text: String) {
    let end = text.unicodeScalars.lastIndex { !CleanText.isSpace($0) }
    guard let end else {
      blanks += text
      return
    }
    flush()
    let shown = text.unicodeScalars[...end]
    out += blanks
    out.unicodeScalars += shown.filter { $0 == "\n" || $0 == "\t" || !CleanText.isInvisible($0) }
    blanks = String(text.unicodeScalars[text.unicodeScalars.index(after: end)...])
  }
}
