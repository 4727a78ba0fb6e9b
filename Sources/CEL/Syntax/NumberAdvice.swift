/// Suggestions for numbers written as in other languages.
enum NumberAdvice {
  /// Functions that return the length of time of a unit.
  private static let units: [(words: [String], function: String)] = [
    (["s", "sec", "secs", "second", "seconds"], "seconds"),
    (["m", "min", "mins", "minute", "minutes"], "minutes"),
    (["h", "hr", "hrs", "hour", "hours"], "hours"),
    (["d", "day", "days"], "days"), (["w", "wk", "week", "weeks"], "weeks"),
  ]

  /// Suggests a replacement for a word that begins with a digit; nil if its meaning is unclear.
  static func help(for word: String) -> String? {
    let plain = word.filter { $0 != "_" }
    if plain != word, plain.allSatisfy(\.isNumber) { return "write `\(plain)`" }
    let digits = String(plain.prefix { $0.isNumber })
    let rest = plain.dropFirst(digits.count).lowercased()
    if let unit = units.first(where: { $0.words.contains(rest) }) {
      return "write `\(unit.function)(\(digits))`"
    }
    if DurationValue(text: plain) != nil { return "write `duration(\"\(plain)\")`" }
    switch rest.first {
    case "b" where digits == "0": return integer(rest, radix: 2)
    case "o" where digits == "0": return integer(rest, radix: 8)
    case "l" where rest.count == 1, "n" where rest.count == 1, "f" where rest.count == 1:
      return "write `\(digits)`"
    case "k" where rest.count == 1: return "write `\(digits)000`"
    default: return "a text needs quotes: `\"\(word)\"`"
    }
  }

  private static func integer(_ text: String, radix: Int) -> String? {
    Int64(text.dropFirst(), radix: radix).map { "write `\($0)`" }
  }
}
