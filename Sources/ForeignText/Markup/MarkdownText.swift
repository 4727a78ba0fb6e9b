/// Converts Markdown to HTML: CommonMark 0.31 with GitHub's tables; embedded HTML is escaped.
package struct MarkdownText {
  /// Maximum nesting depth of quotations and lists.
  private static let maxDepth = 20

  /// Returns the sanitized HTML of a text.
  package static func html(of text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n").replacing("\t", with: "    ")
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let html = blocks(lines[...], depth: 0, isTight: false)
    return SafeHTML.markup(html)
  }

  // MARK: Blocks

  private static func blocks(
    _ lines: ArraySlice<Substring>, depth: Int, isTight: Bool
  ) -> String {
    var out = ""
    var rest = lines
    while let line = rest.first {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      if text.isEmpty {
        rest.removeFirst()
      } else if indent >= 4 {
        let code = rest.prefix { $0.hasPrefix("    ") || $0.allSatisfy(\.isWhitespace) }
        rest = rest.dropFirst(code.count)
        out += "<pre><code>" + escaped(code.map { $0.dropFirst(4) }) + "</code></pre>\n"
      } else if let fence = fence(text) {
        rest.removeFirst()
        let code = rest.prefix { !$0.drop { $0 == " " }.hasPrefix(fence) }
        rest = rest.dropFirst(code.count + 1)
        out += "<pre><code>" + escaped(Array(code)) + "</code></pre>\n"
      } else if let (level, title) = heading(text) {
        rest.removeFirst()
        out += "<h\(level)>" + inline(title) + "</h\(level)>\n"
      } else if isRule(text) {
        rest.removeFirst()
        out += "<hr>\n"
      } else if text.first == ">", depth < maxDepth {
        let quoted = rest.prefix { !$0.allSatisfy(\.isWhitespace) }
        rest = rest.dropFirst(quoted.count)
        let inner = quoted.map { line -> Substring in
          let text = line.drop { $0 == " " }
          guard text.first == ">" else { return line }
          return text.dropFirst().first == " " ? text.dropFirst(2) : text.dropFirst()
        }
        out += "<blockquote>\n" + blocks(inner[...], depth: depth + 1, isTight: false)
        out += "</blockquote>\n"
      } else if marker(text) != nil, depth < maxDepth {
        out += list(&rest, depth)
      } else if let table = table(&rest) {
        out += table
      } else {
        out += paragraph(&rest, isTight)
      }
    }
    return out
  }

  private static func escaped(_ lines: [Substring]) -> String {
    var lines = lines
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    return SafeHTML.escaped(lines.map { $0 + "\n" }.joined())
  }

  private static func fence(_ text: Substring) -> String? {
    for mark in ["`", "~"] as [Character] {
      let count = text.prefix { $0 == mark }.count
      if count >= 3, mark == "~" || !text.dropFirst(count).contains("`") {
        return String(repeating: mark, count: count)
      }
    }
    return nil
  }

  private static func heading(_ text: Substring) -> (Int, Substring)? {
    let level = text.prefix { $0 == "#" }.count
    let rest = text.dropFirst(level)
    guard (1...6).contains(level), rest.isEmpty || rest.first == " " else { return nil }
    var title = rest.drop { $0 == " " }
    while title.last == " " { title.removeLast() }
    let closing = title.reversed().prefix { $0 == "#" }.count
    let open = title.dropLast(closing)
    if closing > 0, open.isEmpty || open.last == " " { title = open }
    return (level, title)
  }

  private static func isRule(_ text: Substring) -> Bool {
    let marks = text.filter { $0 != " " }
    guard marks.count >= 3, let first = marks.first, "-*_".contains(first) else { return false }
    return marks.allSatisfy { $0 == first }
  }

  /// Parses the marker of a list item with its width and number; nil for other lines.
  private static func marker(_ text: Substring) -> (mark: Character, width: Int, number: Int?)? {
    guard let first = text.first else { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let end = text.dropFirst(digits.count)
    if "-*+".contains(first), text.dropFirst().first ?? " " == " " { return (first, 2, nil) }
    guard (1...9).contains(digits.count), let mark = end.first, mark == "." || mark == ")",
      end.dropFirst().first ?? " " == " "
    else { return nil }
    return (mark, digits.count + 2, Int(digits))
  }

  private static func list(_ rest: inout ArraySlice<Substring>, _ depth: Int) -> String {
    guard let first = marker(rest.first?.drop { $0 == " " } ?? "") else { return "" }
    var items: [[Substring]] = []
    var isTight = true
    while let line = rest.first {
      let text = line.drop { $0 == " " }
      guard let found = marker(text), found.mark == first.mark, !isRule(text) else { break }
      let indent = line.count - text.count + found.width
      rest.removeFirst()
      var item = [text.dropFirst(found.width)]
      var isAfterBlank = false
      while let next = rest.first {
        let isBlank = next.allSatisfy { $0 == " " }
        let isInner = next.prefix { $0 == " " }.count >= indent
        let isLazy = !isAfterBlank && marker(next.drop { $0 == " " }) == nil && next.first != "#"
        guard isBlank || isInner || isLazy else { break }
        if isAfterBlank, !isBlank { isTight = false }
        item.append(isBlank ? "" : isInner ? next.dropFirst(indent) : next.drop { $0 == " " })
        isAfterBlank = isBlank
        rest.removeFirst()
      }
      if isAfterBlank, let next = rest.first, marker(next.drop { $0 == " " }) != nil {
        isTight = false
      }
      items.append(item)
    }
    let name = first.number == nil ? "ul" : "ol"
    let start = first.number.map { $0 == 1 ? "" : " start=\"\($0)\"" } ?? ""
    let inner = items.map { item in
      let html = blocks(item[...], depth: depth + 1, isTight: isTight)
      return "<li>" + (html.hasSuffix("\n") && isTight ? String(html.dropLast()) : html) + "</li>\n"
    }
    return "<\(name)\(start)>\n" + inner.joined() + "</\(name)>\n"
  }

  private static func table(_ rest: inout ArraySlice<Substring>) -> String? {
    guard rest.count >= 2, let head = rest.first, head.contains("|") else { return nil }
    let rule = cells(rest[rest.startIndex + 1])
    let isRule = rule.allSatisfy { !$0.isEmpty && $0.allSatisfy { ":-".contains($0) } }
    let names = cells(head)
    guard isRule, rule.count == names.count else { return nil }
    let rows = rest.dropFirst(2).prefix { $0.contains("|") }
    rest = rest.dropFirst(2 + rows.count)
    func row(_ cells: [Substring], _ name: String) -> String {
      "<tr>" + cells.map { "<\(name)>\(inline($0))</\(name)>" }.joined() + "</tr>\n"
    }
    return "<table>\n" + row(names, "th")
      + rows.map { row(Array(cells($0).prefix(names.count)), "td") }.joined() + "</table>\n"
  }

  private static func cells(_ line: Substring) -> [Substring] {
    var cells: [Substring] = []
    var start = line.startIndex
    for index in line.indices where line[index] == "|" {
      if index > line.startIndex, line[line.index(before: index)] == "\\" { continue }
      cells.append(line[start..<index])
      start = line.index(after: index)
    }
    cells.append(line[start...])
    let trimmed = cells.map { Substring(String($0).trimmingBlanks) }
    let inner = trimmed.first == "" ? trimmed.dropFirst() : trimmed[...]
    return Array(inner.last == "" ? inner.dropLast() : inner)
  }

  private static func paragraph(_ rest: inout ArraySlice<Substring>, _ isTight: Bool) -> String {
    var lines: [Substring] = []
    while let line = rest.first {
      let text = line.drop { $0 == " " }
      if !lines.isEmpty {
        // Setext heading.
        if text.allSatisfy({ $0 == "=" || $0 == " " }) || text.allSatisfy({ $0 == "-" }),
          !text.isEmpty
        {
          rest.removeFirst()
          let name = text.first == "=" ? "h1" : "h2"
          return "<\(name)>" + inline(lines.joined(separator: "\n")[...]) + "</\(name)>\n"
        }
        let begins = text.isEmpty || heading(text) != nil || fence(text) != nil || isRule(text)
        let isItem = marker(text).map { $0.number ?? 1 == 1 && text.count > $0.width } ?? false
        if begins || isItem || text.first == ">" { break }
      }
      lines.append(text)
      rest.removeFirst()
    }
    let html = inline(lines.joined(separator: "\n")[...])
    return isTight ? html + "\n" : "<p>" + html + "</p>\n"
  }

  // MARK: Inline elements

  private static func inline(_ text: Substring) -> String {
    var reader = InlineMarkdown(text)
    return reader.html()
  }
}
