/// A fenced block of a page, with its info string.
struct MarkdownBlock: CustomStringConvertible {
  /// The first word of the info string, such as `yaml`.
  let language: String
  /// The words after it; `file=book.yaml` is a word with a value.
  private let words: [Substring]
  let lines: [String]
  /// The page and the line of the fence, such as `docs/tutorial.md:12`.
  let place: String

  var text: String { lines.map { $0 + "\n" }.joined() }

  var description: String { "\(place) (\(language))" }

  /// Whether the info string contains a word.
  func has(_ word: String) -> Bool { words.contains { $0 == word } }

  /// Returns the text after `name=` in the info string.
  func value(_ name: String) -> String? { values(name).first }

  /// Returns the text after each `name=` in the info string.
  func values(_ name: String) -> [String] {
    words.filter { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Returns the fenced blocks of a page.
  static func all(in page: String, named name: String) -> [MarkdownBlock] {
    var blocks: [MarkdownBlock] = []
    var open: (fence: Substring, info: Substring, line: Int)?
    var lines: [String] = []
    let all = page.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in all.enumerated() {
      if let fence = open {
        guard line == fence.fence else {
          lines.append(String(line))
          continue
        }
        let words = fence.info.split(separator: " ")
        blocks.append(
          MarkdownBlock(
            language: words.first.map(String.init) ?? "", words: Array(words.dropFirst()),
            lines: lines, place: "\(name):\(fence.line)"))
        open = nil
        lines = []
      } else if line.hasPrefix("```") {
        let fence = line.prefix { $0 == "`" }
        open = (fence, line[fence.endIndex...], index + 1)
      }
    }
    return blocks
  }
}
