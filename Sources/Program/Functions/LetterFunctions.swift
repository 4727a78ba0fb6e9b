import CEL
import Links

/// Functions on the letters of texts: case, pieces, sentences, groups of patterns, hashes.
enum LetterFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("changeCase") {
      Function($0, .method) { (text: String, style: String) throws(EvaluationError) in
        try changed(text, style)
      }
    },
    FunctionRow("characters") {
      Function($0, .method) { (text: String) in text.map { String($0) } }
    },
    FunctionRow("sentences") { Function($0, .method) { (text: String) in sentences(text) } },
    FunctionRow("chunks") {
      Function($0, .method) { (text: String, length: Int64) throws(EvaluationError) in
        guard length >= 1 else { throw EvaluationError("a piece needs at least 1 character") }
        var pieces: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
          let piece = rest.prefix(Int(clamping: length))
          pieces.append(String(piece))
          rest = rest[piece.endIndex...]
        }
        return pieces
      }
    },
    FunctionRow("regexGroups") {
      Function($0, .global, [.string, .string], returns: .list(.list(.string))) {
        (text: String, pattern: String) throws(EvaluationError) -> Value in
        .list(
          try PatternMatches.groups(in: text, pattern).map { groups in
            .list(groups.map { .string($0) })
          })
      }
    },
    FunctionRow("md5") {
      Function($0, .method) { (text: String) in MessageDigest.md5(Array(text.utf8)).hexadecimal }
    },
    FunctionRow("sha1") {
      Function($0, .method) { (text: String) in MessageDigest.sha1(Array(text.utf8)).hexadecimal }
    },
    FunctionRow("sha512") {
      Function($0, .method) { (text: String) in MessageDigest.sha512(Array(text.utf8)).hexadecimal }
    },
  ]

  private static func changed(_ text: String, _ style: String) throws(EvaluationError) -> String {
    switch style {
    case "upper": return text.uppercased()
    case "lower": return text.lowercased()
    case "words": return words(text) { _, word in capitalized(word) }
    case "title":
      let small: Set = [
        "a", "an", "and", "as", "at", "but", "by", "en", "for", "if", "in", "nor", "of", "on", "or",
        "the", "to", "v", "via", "vs",
      ]
      return words(text) { place, word in
        place > 0 && small.contains(word.lowercased()) ? word.lowercased() : capitalized(word)
      }
    case "sentence":
      var result = ""
      var isStart = true
      for letter in text.lowercased() {
        result += isStart && letter.isLetter ? letter.uppercased() : String(letter)
        if letter.isLetter { isStart = false }
        if ".!?。！？\n".contains(letter) { isStart = true }
      }
      return result
    case "alternating":
      return text.enumerated().map { $0 % 2 == 0 ? $1.lowercased() : $1.uppercased() }.joined()
    default:
      throw EvaluationError(
        "unknown case `\(style)`: must be upper, lower, words, title, sentence or alternating")
    }
  }

  private static func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst().lowercased()
  }

  /// A text with each run of letters changed.
  private static func words(_ text: String, _ change: (Int, Substring) -> String) -> String {
    var result = ""
    var rest = text[...]
    var count = 0
    while let first = rest.first {
      let isLetter = first.isLetter || first.isNumber
      let run = rest.prefix {
        ($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") == isLetter
          || isLetter && ($0 == "'" || $0 == "’")
      }
      let piece = run.isEmpty ? rest.prefix(1) : run
      if isLetter {
        result += change(count, piece)
        count += 1
      } else {
        result += piece
      }
      rest = rest[piece.endIndex...]
    }
    return result
  }

  /// The sentences of a text: up to `.`, `!` or `?` before a blank, or a line's end.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var current = ""
    func close() {
      let trimmed = current.trimmed
      if !trimmed.isEmpty { sentences.append(trimmed) }
      current = ""
    }
    var before: Character = " "
    for letter in text {
      if letter.isNewline || letter.isWhitespace && ".!?…".contains(before) { close() }
      current.append(letter)
      if "。！？".contains(letter) { close() }
      before = letter
    }
    close()
    return sentences
  }
}
