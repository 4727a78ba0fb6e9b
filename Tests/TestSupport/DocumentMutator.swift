/// Mutates documents at random: bytes and fragments like typing errors, and words, lines and
/// indentation like a beginner's errors.
package struct DocumentMutator {
  /// Fragments with a meaning in YAML, templates or CEL.
  private static let pieces = [
    "{{", "}}", "{", "}", "[", "]", ":", ": ", "- ", "\n", "\n  ", "'", "\"", "#", " #x", "&a ",
    "*a", "!t ", "|", ">", "---\n", "\t", "\\", "?", "||", "&&", "null", "self", "it", "vars.",
    ".", "(", ")", "1e999", "9223372036854775808", "\u{0}", "é", "漢", "\u{1F600}", "then:", "do:",
    "as: x", "when: true", "list<list<", "<<: ", "~", "0x", "- if: ", "- find: {entity: Link}", "`",
  ]

  /// Keywords of the language and its expressions, and names of built-in entities.
  private static let words = [
    "it", "input", "self", "title", "url", "tags", "due", "link", "links", "error", "null", "true",
    "size", "map", "filter", "exists", "first", "join", "string", "int", "now", "today", "format",
    "find", "save", "say", "value", "set", "choose", "ask", "return", "stop", "fail", "if", "for",
    "while", "repeat", "when", "as", "in", "do", "then", "else", "entity", "where", "limit", "sort",
    "Link", "Task", "Note", "recent", "search", "open", "coalesce", "has", "list", "timestamp",
    "string?", "int?", "0", "1", "3.5", "''", "[]", "{}", "l", "x",
  ]

  private var random: SeededGenerator

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A mutated copy of a document.
  package mutating func mutate(_ document: [UInt8]) -> [UInt8] {
    if Bool.random(using: &random) {
      var bytes = document
      for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(bytes: &bytes) }
      return bytes
    }
    var lines = document.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(lines: &lines) }
    return Array(lines.joined(separator: [0x0A]))
  }

  private mutating func mutate(bytes: inout [UInt8]) {
    let position = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes.insert(contentsOf: Array(pick(Self.pieces).utf8), at: position)
    case 1 where position < bytes.count:
      let end = min(bytes.count, position + Int.random(in: 1...12, using: &random))
      bytes.removeSubrange(position..<end)
    case 2 where position < bytes.count:
      bytes[position] = UInt8.random(in: 0...255, using: &random)
    case 3:
      let end = min(bytes.count, position + Int.random(in: 1...80, using: &random))
      let copy = Array(bytes[position..<end])
      bytes.insert(contentsOf: copy, at: Int.random(in: 0...bytes.count, using: &random))
    default: bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &random)))
    }
  }

  private mutating func mutate(lines: inout [[UInt8]]) {
    guard !lines.isEmpty else { return }
    let line = Int.random(in: 0..<lines.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: lines.remove(at: line)
    case 1: lines.insert(lines[line], at: Int.random(in: 0...lines.count, using: &random))
    case 2: lines.swapAt(line, Int.random(in: 0..<lines.count, using: &random))
    case 3: lines[line] = [0x20, 0x20] + lines[line]
    case 4: lines[line].removeFirst(min(2, lines[line].prefix { $0 == 0x20 }.count))
    default: replaceWord(in: &lines, at: line)
    }
  }

  /// Replaces a word of a line by a keyword or by another word of the document.
  private mutating func replaceWord(in lines: inout [[UInt8]], at line: Int) {
    let places = Self.words(of: lines[line])
    guard !places.isEmpty else { return }
    var word = Array(pick(Self.words).utf8)
    let other = lines[Int.random(in: 0..<lines.count, using: &random)]
    let others = Self.words(of: other)
    if !others.isEmpty, Bool.random(using: &random) { word = Array(other[pick(others)]) }
    lines[line].replaceSubrange(pick(places), with: word)
  }

  private static func words(of line: [UInt8]) -> [Range<Int>] {
    let text = line.prefix { $0 != 0x23 }
    return text.split { !isWordPart($0) }.map { $0.startIndex..<$0.endIndex }
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  private mutating func pick<Element>(_ values: [Element]) -> Element {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}
