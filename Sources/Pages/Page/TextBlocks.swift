import ForeignText

/// The lines and paragraphs of a page, with scores for sentences.
struct TextBlocks {
  /// The number of characters of each text; a run of white space counts as one, a Chinese character
  /// as two.
  private(set) var lengths: [Int]
  /// The score of each block, at its first text: positive for sentences, negative for labels and
  /// links.
  private(set) var values: [Int]

  private var first: Int?
  private var length = 0
  private var linked = 0
  private var hasSentence = false
  private var digits = 0
  private var isAboutCookies = false
  /// The blocks that mention cookies.
  private var notices: [Int] = []

  /// The length above which a block counts as sentences even without punctuation.
  private static let long = 100
  private static let short = 30
  /// The suffix of “cookie”, which is the same in most languages.
  private static let cookie = Array("ookie".utf8)

  init(_ tree: HTMLTree, _ isHidden: [Bool]) {
    lengths = Array(repeating: 0, count: tree.nodes.count)
    values = lengths
    /// The ends of the enclosing blocks, innermost last.
    var ends: [Int] = []
    var linkEnd = 0
    var headingEnd = 0
    var codeEnd = 0
    var cellEnd = 0
    for (index, node) in tree.nodes.enumerated() {
      while let end = ends.last, end <= index {
        flush(
          index <= headingEnd
            ? .heading : index <= codeEnd ? .code : index <= cellEnd ? .cell : .line)
        ends.removeLast()
      }
      if node.isText {
        guard !isHidden[index] else { continue }
        add(node.text, at: index, isLinked: index < linkEnd)
      } else if node.name != "br", HTMLElement.isBlock(node.name) {
        flush(
          index < headingEnd ? .heading : index < codeEnd ? .code : index < cellEnd ? .cell : .line)
        ends.append(node.end)
        switch node.name {
        case "h1", "h2", "h3", "h4", "h5", "h6": headingEnd = max(headingEnd, node.end)
        case "pre": codeEnd = max(codeEnd, node.end)
        case "li", "dd", "dt", "td", "th": cellEnd = node.end
        default: break
        }
      } else if node.name == "a", node["href"] != nil {
        linkEnd = max(linkEnd, node.end)
      }
    }
    flush(.line)
    let all = values.reduce(0) { $0 + max(0, $1) }
    let ofNotices = notices.reduce(0) { $0 + max(0, values[$1]) }
    // On a page about cookies, the blocks are not notices.
    guard ofNotices * 2 < all else { return }
    for index in notices { values[index] = min(values[index], -values[index] / 4) }
  }

  private mutating func add(_ text: String, at index: Int, isLinked: Bool) {
    var count = 0
    var isAfterSpace = true
    var matched = 0
    var text = text
    text.withUTF8 { bytes in
      for byte in bytes {
        if byte <= 0x20 {
          if !isAfterSpace { count += 1 }
          isAfterSpace = true
          continue
        }
        isAfterSpace = false
        matched = byte == Self.cookie[matched] ? matched + 1 : byte == Self.cookie[0] ? 1 : 0
        if matched == Self.cookie.count {
          isAboutCookies = true
          matched = 0
        }
        // Count first bytes of characters; three-byte characters are mostly Chinese.
        if byte & 0xC0 != 0x80 { count += byte >= 0xE3 ? 2 : 1 }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ","), 0xE3:
          hasSentence = true
        default: break
        }
      }
    }
    lengths[index] = count
    guard count > 0 else { return }
    if first == nil { first = index }
    length += count
    if isLinked { linked += count }
  }

  /// The kind of a block.
  private enum Kind { case heading, code, cell, line }

  /// Ends the block.
  private mutating func flush(_ kind: Kind) {
    guard let first else { return }
    let own = length - linked
    // Dates, telephone numbers and results have commas and full stops, but are not sentences.
    let isNumbers = digits * 5 > length
    if isAboutCookies { notices.append(first) }
    if kind == .code {
      values[first] = own
    } else if !isNumbers, linked * 2 < length, own >= (hasSentence ? Self.short : Self.long) {
      values[first] = own - linked
    } else if kind != .heading {
      values[first] = -linked - (kind == .cell ? 0 : own / 4)
    }
    self.first = nil
    length = 0
    linked = 0
    digits = 0
    hasSentence = false
    isAboutCookies = false
  }
}
