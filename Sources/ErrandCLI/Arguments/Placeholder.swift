import Source

/// A placeholder of a flag's value or of a word in a usage line, which also tells shells what to
/// complete: `a|b` are fixed values, names in capitals those below.
struct Placeholder: Equatable {
  /// The kinds of values, by their placeholder in capitals.
  enum Values: String {
    case action = "NAME"
    case intent = "INTENT"
    case command = "COMMAND"
    case page = "PAGE"
    case setting = "SETTING"
    case entity = "ENTITY"
    case reference = "REF"
    /// The title of an item of the entity that the first word names.
    case title = "WORDS"
    case widget = "WIDGET"
    case automation = "AUTOMATION"
    case run = "RUN"
    case job = "JOB"
    case secret = "SECRET"
    /// A value of the setting that the second word names.
    case value = "VALUE"
    /// A sort key of the entity that the first word names.
    case key = "KEY"
    case tag = "TAG"
    case property = "NAME=VALUE"
    case file = "FILE"
    case path = "PATH"
    case folder = "DIR"

    /// Whether they are files or folders, which the shell completes.
    var areFiles: Bool { self == .file || self == .path || self == .folder }
  }

  /// The alternatives, such as `NAME` and `FILE`.
  let options: [String]
  /// Whether more words of the kind may follow.
  let isRepeated: Bool
  /// Whether it may be left out.
  let isOptional: Bool

  init(_ text: some StringProtocol) {
    var text = String(text).replacing("]", with: "")
    isOptional = text.hasPrefix("[")
    if isOptional { text.removeFirst() }
    isRepeated = text.hasSuffix("…")
    text = text.replacing("…", with: "").replacing(",", with: "")
    options = text.split(separator: "|").map(String.init)
  }

  /// Whether an option is a fixed value.
  static func isFixed(_ option: String) -> Bool { option.contains(where: \.isLowercase) }

  /// The alternatives of a usage line, each a row of words.
  static func rows(of usage: String) -> [[Substring]] {
    var usage = usage[...]
    if usage.hasPrefix("["), usage.contains(" | ") { usage = usage.dropFirst().dropLast() }
    return usage.split(separator: " | ").map { $0.split(separator: " ") }
  }

  /// Returns the placeholders in a usage line that may come after some words.
  static func next(in usage: String, after words: [String]) -> [Placeholder] {
    let all = rows(of: usage).flatMap { next(in: $0.map { Placeholder($0) }, after: words) }
    return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func next(in row: [Placeholder], after words: [String]) -> [Placeholder] {
    // Positions that the next word may have; an optional placeholder may be skipped.
    func reachable(_ positions: Set<Int>) -> Set<Int> {
      var result = positions
      for index in row.indices where result.contains(index) && row[index].isOptional {
        result.insert(index + 1)
      }
      return result
    }
    var positions = reachable([0])
    for word in words {
      let taken = positions.filter { row.indices.contains($0) && row[$0].accepts(word) }
      positions = reachable(
        Set(taken.map { $0 + 1 }).union(taken.filter { row[$0].isRepeated }))
    }
    return positions.filter(row.indices.contains).sorted().map { row[$0] }
  }

  private func accepts(_ word: String) -> Bool {
    options.contains(word) || options.contains { !Self.isFixed($0) && $0 != "-" }
  }
}
