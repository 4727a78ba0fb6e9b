import ForeignText

/// The text of some elements of a page in paragraphs, lists and lines.
struct ReadableText {
  private let tree: HTMLTree
  private var out = ""
  private var gap = 0
  private var needsSpace = false
  /// The end of the `pre` around.
  private var preformattedEnd = 0

  /// How much text is kept.
  private static let limit = 2 << 20

  init(_ tree: HTMLTree) {
    self.tree = tree
  }

  /// All that was written.
  var finished: String { out }

  /// Writes an element with all in it, but what is to be left out.
  mutating func write(_ element: Int, leavingOut isOut: (Int) -> Bool) {
    /// The blocks around, the innermost last.
    var open: [(end: Int, gap: Int)] = []
    var index = element
    breakLine(2)
    while index < tree.nodes[element].end, out.utf8.count < Self.limit {
      while let last = open.last, last.end <= index {
        breakLine(last.gap)
        open.removeLast()
      }
      let node = tree.nodes[index]
      if isOut(index) {
        index = max(node.end, index + 1)
        continue
      }
      if node.isText {
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
    case "pre":
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
    var text = text[...]
    while let last = text.unicodeScalars.last, CleanText.isSpace(last) {
      text = Substring(text.unicodeScalars.dropLast())
    }
    guard !text.isEmpty else { return }
    flush()
    out.unicodeScalars += text.unicodeScalars.filter {
      $0 == "\n" || $0 == "\t" || !CleanText.isInvisible($0)
    }
  }
}
