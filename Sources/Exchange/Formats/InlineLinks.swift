/// Finds addresses and Markdown links within a line.
enum InlineLinks {
  /// A link and the text after it on its line.
  struct Link {
    var address: String
    var title = ""
    var tags: [String] = []
    /// A date in parentheses at the end of the line.
    var date = ""
    /// The JSON of the comment after it, in our own exports.
    var rest = ""
    var remark = ""
  }

  /// Returns the range of the first http(s) address in a text.
  static func address(in text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while let start = text[index...].firstIndex(where: { $0 == "h" || $0 == "H" }) {
      let rest = text[start...].utf8
      if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8)
        || text[start...].prefix(8).lowercased().hasPrefix("http")
          && text[start...].prefix(8).contains("://")
      {
        let stops: Set<Character> = [" ", "\t", "<", ">", "\"", "`", "\u{A0}"]
        var end = text[start...].firstIndex { stops.contains($0) } ?? text.endIndex
        // Punctuation at the end belongs to the sentence, as does a bracket not opened in the address.
        while end > start {
          let last = text[text.index(before: end)]
          let address = text[start..<end]
          let isMark =
            ".,;:!?'".contains(last) || last == "|"
            || last == ")"
              && address.filter { $0 == "(" }.count < address.filter { $0 == ")" }.count
            || last == "]" && !address.contains("[")
          guard isMark else { break }
          end = text.index(before: end)
        }
        return start..<end
      }
      index = text.index(after: start)
    }
    return nil
  }

  /// Returns the links of a line of Markdown: `[title](address)`, `<address>` or a bare address.
  static func links(in line: String) -> [Link] {
    var links: [Link] = []
    let (line, tags) = withoutTags(line)
    var (rest, comment) = withoutComment(line)
    while links.count < 1000 {
      let bracket = bracketed(rest)
      let plain = address(in: String(rest))
      if let (link, range) = bracket {
        // A bare address before the bracket is a separate link.
        if let plain,
          rest.distance(from: rest.startIndex, to: range.lowerBound)
            > String(rest).distance(from: String(rest).startIndex, to: plain.lowerBound)
        {
          let text = String(rest)
          links.append(Link(address: String(text[plain])))
          rest = rest.dropFirst(text.distance(from: text.startIndex, to: plain.upperBound))
          continue
        }
        links.append(link)
        rest = rest[range.upperBound...]
      } else if let plain {
        let text = String(rest)
        links.append(Link(address: String(text[plain])))
        rest = rest.dropFirst(text.distance(from: text.startIndex, to: plain.upperBound))
      } else {
        break
      }
    }
    if links.count == 1 {
      readRest(String(rest), into: &links[0])
      links[0].tags += tags
      links[0].rest = comment
    }
    return links
  }

  /// Finds the first `[title](address "words")`.
  private static func bracketed(_ text: Substring) -> (Link, Range<String.Index>)? {
    var from = text.startIndex
    while let open = text[from...].firstIndex(of: "[") {
      defer { from = text.index(after: open) }
      // An image is not a bookmark, but may be the title of a link.
      if open > text.startIndex, text[text.index(before: open)] == "!" { continue }
      guard let close = closing(text, from: open),
        text.index(after: close) < text.endIndex, text[text.index(after: close)] == "("
      else { continue }
      var index = text.index(close, offsetBy: 2)
      var address = ""
      if index < text.endIndex, text[index] == "<" {
        index = text.index(after: index)
        while index < text.endIndex, text[index] != ">" {
          if text[index] == "\\", text.index(after: index) < text.endIndex {
            index = text.index(after: index)
          }
          address.append(text[index])
          index = text.index(after: index)
        }
        guard index < text.endIndex else { return nil }
        index = text.index(after: index)
      } else {
        var depth = 0
        while index < text.endIndex, text[index] != " " {
          if text[index] == "(" { depth += 1 }
          if text[index] == ")" {
            if depth == 0 { break }
            depth -= 1
          }
          address.append(text[index])
          index = text.index(after: index)
        }
      }
      guard let end = text[index...].firstIndex(of: ")") else { continue }
      let title = unescaped(text[text.index(after: open)..<close])
      return (Link(address: address, title: title), open..<text.index(after: end))
    }
    return nil
  }

  /// Returns the index of the matching closing bracket.
  private static func closing(_ text: Substring, from open: String.Index) -> String.Index? {
    var depth = 0
    var index = open
    while index < text.endIndex {
      switch text[index] {
      case "\\":
        index = text.index(after: index)
        if index == text.endIndex { return nil }
      case "[": depth += 1
      case "]":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// Removes the backslash escapes of a text (CommonMark §2.4).
  static func unescaped(_ text: some StringProtocol) -> String {
    var result = ""
    var isEscape = false
    for character in text {
      if isEscape {
        if !character.isASCII || character.isLetter || character.isNumber { result.append("\\") }
        result.append(character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else {
        result.append(character)
      }
    }
    return isEscape ? result + "\\" : result
  }

  /// Returns a line without the comment for tags, as written by buku and our own export, and the tags.
  private static func withoutTags(_ line: String) -> (line: String, tags: [String]) {
    guard let start = line.firstRange(of: "<!-- TAGS:"),
      let end = line[start.upperBound...].firstRange(of: "-->")
    else { return (line, []) }
    let list = String(line[start.upperBound..<end.lowerBound])
    let rest = String(line[..<start.lowerBound]) + line[end.upperBound...]
    return (rest, TagList.tags(list, .commas))
  }

  /// Returns the JSON of a line that consists of a comment of our own export; nil for other lines.
  static func comment(of line: String) -> String? {
    guard line.hasPrefix("<!-- {"), line.hasSuffix("} -->") else { return nil }
    return String(line.dropFirst(5).dropLast(4))
  }

  /// Returns a line without the comment for members in our own export, and the JSON of the comment.
  private static func withoutComment(_ line: String) -> (line: Substring, comment: String) {
    guard let start = line.firstRange(of: "<!-- {")?.lowerBound,
      let end = line[start...].firstRange(of: "} -->")
    else { return (line[...], "") }
    let comment = line[line.index(start, offsetBy: 5)..<line.index(after: end.lowerBound)]
    return (line[..<start] + line[end.upperBound...], String(comment))
  }

  /// Parses tags, a date and remarks after a link.
  private static func readRest(_ text: String, into link: inout Link) {
    var words: [Substring] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if word.hasPrefix("#"), word.count > 1 {
        link.tags.append(String(word.dropFirst()))
      } else if word.hasPrefix("("), word.hasSuffix(")"), word.dropFirst().first?.isNumber ?? false,
        BookmarkDate.value(String(word.dropFirst().dropLast())) != nil
      {
        link.date = String(word.dropFirst().dropLast())
      } else {
        words.append(word)
      }
    }
    var remark = words.joined(separator: " ")[...]
    while let first = remark.first, " -–—:·|".contains(first) { remark = remark.dropFirst() }
    if remark.contains(where: { $0.isLetter || $0.isNumber }) { link.remark = String(remark) }
  }
}
