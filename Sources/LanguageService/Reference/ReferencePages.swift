import Resources

/// Descriptions of verbs and functions from the embedded reference pages.
package enum ReferencePages {
  /// The row of a verb in the reference.
  package struct VerbText: Sendable {
    /// The names of its arguments, with a word about some.
    package let arguments: String
    /// The value, and remarks.
    package let value: String
  }

  /// The text about a verb; nil where there is none.
  ///
  /// - Complexity: O(bytes of the page).
  package static func verb(_ name: String) -> VerbText? {
    for row in rows(of: "language/verbs") where row.count == 3 {
      guard codes(in: row[0]).contains(name[...]) else { continue }
      return VerbText(arguments: withoutLinks(row[1]), value: withoutLinks(row[2]))
    }
    return nil
  }

  /// The sentence about a function; nil where there is none.
  ///
  /// - Complexity: O(bytes of the page).
  package static func function(_ name: String) -> String? {
    for row in rows(of: "language/functions") where row.count == 2 {
      for part in parts(of: row[1]) where calls(in: part).contains(name) {
        return withoutLinks(part[...])
      }
    }
    return nil
  }

  /// Lines of the examples in which a function is called, at most so many.
  package static func examples(of name: String, limit: Int = 3) -> [String] {
    let last = name.split(separator: ".").last.map(String.init) ?? name
    var found: [String] = []
    for page in ["language/functions", "cel"] {
      var isExample = false
      for line in Resource.text(of: "docs/\(page).md").split(separator: "\n") {
        if line.hasPrefix("```") {
          isExample = line == "```cel"
        } else if isExample, found.count < limit, isCall(of: last, in: line) {
          found.append(String(line))
        }
      }
    }
    return found
  }

  // MARK: Reading

  private static func isCall(of name: String, in line: Substring) -> Bool {
    let code = line.firstRange(of: "  // ").map { line[..<$0.lowerBound] } ?? line
    return code.ranges(of: name + "(").contains { range in
      guard range.lowerBound > code.startIndex else { return true }
      let before = code[code.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber
    }
  }

  /// The cells of the rows of tables.
  private static func rows(of page: String) -> [[Substring]] {
    Resource.text(of: "docs/\(page).md").split(separator: "\n").filter { $0.hasPrefix("| ") }
      .map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
          trimmed($0)
        }
      }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The parts of a cell between middle dots.
  private static func parts(of cell: Substring) -> [String] {
    cell.split(separator: " · ").map(String.init)
  }

  /// The texts in backquotes.
  private static func codes(in text: some StringProtocol) -> [Substring] {
    Substring(text).split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// The names of the functions called in the code spans at the beginning of a part.
  private static func calls(in part: String) -> [String] {
    var names: [String] = []
    for code in codes(in: part) {
      var name = ""
      var depth = 0
      for letter in code {
        if letter == "(" {
          if depth == 0, !name.isEmpty { names.append(name) }
          depth += 1
        } else if letter == ")" {
          depth -= 1
        }
        name = depth == 0 && (letter.isLetter || letter.isNumber) ? name + String(letter) : ""
      }
    }
    return names
  }

  /// A text without the addresses of its links.
  static func withoutLinks(_ text: Substring) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "]("),
      let start = rest[..<open.lowerBound].lastIndex(of: "["),
      let end = rest[open.upperBound...].firstIndex(of: ")")
    {
      result += rest[..<start] + rest[rest.index(after: start)..<open.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
