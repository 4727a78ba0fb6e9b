/// Parses the inline elements of a paragraph.
struct InlineMarkdown {
  /// An unmatched run of `*` or `_`.
  private struct Opener {
    let mark: Character
    var count: Int
    let place: Int
  }

  private let characters: [Character]
  private var position = 0
  private var pieces: [String] = []
  private var openers: [Opener] = []
  /// Lengths of backtick runs known to be unmatched, so that they are not searched again.
  private var missing: Set<Int> = []
  /// The index of the closing bracket of each opening one.
  private var closing: [Int: Int] = [:]

  /// The nesting depth of links.
  private let depth: Int
  private static let maxDepth = 2
  /// Maximum length of a link target in characters.
  private static let maxTarget = 2_000

  init(_ text: Substring, depth: Int = 0) {
    self.depth = depth
    characters = Array(text)
    var open: [Int] = []
    var index = 0
    while index < characters.count {
      switch characters[index] {
      case "\\": index += 1
      case "[": open.append(index)
      case "]": if let start = open.popLast() { closing[start] = index }
      default: break
      }
      index += 1
    }
  }

  private func at(_ index: Int) -> Character? {
    characters.indices.contains(index) ? characters[index] : nil
  }

  mutating func html() -> String {
    while let character = at(position) {
      switch character {
      case "\\":
        let next = at(position + 1)
        let isEscape = next.map { $0.isASCII && ($0.isPunctuation || $0.isSymbol) } ?? false
        let shown = SafeHTML.escaped(String(isEscape ? next ?? "\\" : "\\"))
        pieces.append(next == "\n" ? "<br>\n" : shown)
        position += isEscape || next == "\n" ? 2 : 1
      case "`": code()
      case "!" where at(position + 1) == "[": if !link(isImage: true) { take() }
      case "[": if !link(isImage: false) { take() }
      case "<": if !address() { take() }
      case "*", "_": emphasis(character)
      case "&":
        let end = characters[position...].prefix(12).firstIndex(of: ";") ?? position
        pieces.append(SafeHTML.escaped(Entities.decoded(String(characters[position...end]))))
        position = end + 1
      case "\n":
        // Two trailing spaces are a hard line break.
        let isBreak = at(position - 1) == " " && at(position - 2) == " "
        pieces.append(isBreak ? "<br>\n" : "\n")
        position += 1
      default: take()
      }
    }
    for opener in openers { show(opener) }
    return pieces.joined()
  }

  /// Writes an unmatched run as text.
  private mutating func show(_ opener: Opener) {
    let marks = String(repeating: opener.mark, count: opener.count)
    pieces[opener.place] = marks + pieces[opener.place]
  }

  private mutating func take() {
    pieces.append(SafeHTML.escaped(String(characters[position])))
    position += 1
  }

  private mutating func code() {
    var count = 0
    while at(position + count) == "`" { count += 1 }
    var end = position + count
    while !missing.contains(count), end < characters.count {
      var length = 0
      while at(end + length) == "`" { length += 1 }
      if length == count {
        var text = String(characters[(position + count)..<end]).replacing("\n", with: " ")
        if text.count > 2, text.hasPrefix(" "), text.hasSuffix(" ") {
          text = String(text.dropFirst().dropLast())
        }
        pieces.append("<code>" + SafeHTML.escaped(text) + "</code>")
        position = end + count
        return
      }
      end += max(length, 1)
    }
    missing.insert(count)
    pieces.append(String(repeating: "`", count: count))
    position += count
  }

  /// Parses an autolink such as `<https://swift.org>`.
  private mutating func address() -> Bool {
    let rest = characters[(position + 1)...].prefix(2_000)
    guard let end = rest.firstIndex(of: ">") else { return false }
    let text = String(rest[..<end])
    guard text.contains(":") || text.contains("@"), !text.contains(where: \.isWhitespace),
      text.first?.isLetter ?? false
    else { return false }
    let target = text.contains(":") ? text : "mailto:" + text
    let shown = SafeHTML.escaped(text)
    pieces.append("<a href=\"\(SafeHTML.escaped(target))\">\(shown)</a>")
    position = end + 1
    return true
  }

  /// Parses `[words](address "title")`, also as an image.
  private mutating func link(isImage: Bool) -> Bool {
    let start = position + (isImage ? 1 : 0)
    guard depth < Self.maxDepth, let close = closing[start], at(close + 1) == "(" else {
      return false
    }
    var index = close + 2
    var target = ""
    if at(index) == "<" {
      index += 1
      while let character = at(index), character != ">", character != "\n",
        index < close + Self.maxTarget
      {
        target.append(character)
        index += 1
      }
      index += 1
    } else {
      var brackets = 0
      while let character = at(index), !character.isWhitespace, index < close + Self.maxTarget {
        if character == "(" { brackets += 1 }
        if character == ")" {
          if brackets == 0 { break }
          brackets -= 1
        }
        target.append(character)
        index += 1
      }
    }
    while at(index)?.isWhitespace == true { index += 1 }
    var title = ""
    if let quote = at(index), quote == "\"" || quote == "'",
      let end = characters[(index + 1)...].prefix(1_000).firstIndex(of: quote)
    {
      title = " title=\"\(SafeHTML.escaped(String(characters[(index + 1)..<end])))\""
      index = end + 1
    }
    guard at(index) == ")" else { return false }
    let words = Array(characters[(start + 1)..<close])
    let address = SafeHTML.escaped(target.replacing("\\", with: ""))
    if isImage {
      pieces.append("<img src=\"\(address)\" alt=\"\(SafeHTML.escaped(String(words)))\"\(title)>")
    } else {
      var inner = InlineMarkdown(String(words)[...], depth: depth + 1)
      pieces.append("<a href=\"\(address)\"\(title)>\(inner.html())</a>")
    }
    position = index + 1
    return true
  }

  private mutating func emphasis(_ mark: Character) {
    var count = 0
    while at(position + count) == mark { count += 1 }
    let before = at(position - 1)
    let after = at(position + count)
    let isSpaceBefore = before?.isWhitespace ?? true
    let isSpaceAfter = after?.isWhitespace ?? true
    let isWordBefore = before.map { $0.isLetter || $0.isNumber } ?? false
    let isWordAfter = after.map { $0.isLetter || $0.isNumber } ?? false
    let mayClose = !isSpaceBefore && (mark == "*" || !isWordAfter)
    let mayOpen = !isSpaceAfter && (mark == "*" || !isWordBefore)
    position += count
    while mayClose, count > 0, let index = openers.lastIndex(where: { $0.mark == mark }) {
      let width = min(openers[index].count, count, 2)
      let name = width == 2 ? "strong" : "em"
      // Unmatched runs in between are text.
      for opener in openers[(index + 1)...] { show(opener) }
      pieces[openers[index].place] = "<\(name)>" + pieces[openers[index].place]
      pieces.append("</\(name)>")
      count -= width
      openers[index].count -= width
      openers.removeSubrange((openers[index].count == 0 ? index : index + 1)...)
    }
    if count == 0 { return }
    pieces.append("")
    if mayOpen { openers.append(Opener(mark: mark, count: count, place: pieces.count - 1)) }
    // A run that cannot open is text.
    if !mayOpen { pieces[pieces.count - 1] = String(repeating: mark, count: count) }
  }
}
