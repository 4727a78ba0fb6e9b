/// Wording of RE2's pattern errors (re2.h, `RE2::ErrorCode`).
enum RegexProblem {
  /// Returns the message for an error of RE2 such as `missing ]: [a-`.
  static func words(for text: String) -> String {
    let colon = text.firstRange(of: ": ")
    let problem = colon.map { String(text[..<$0.lowerBound]) } ?? text
    let part = colon.map { String(text[$0.upperBound...]) } ?? ""
    switch problem {
    case "missing ]": return "a `[` is never closed"
    case "missing )": return "a `(` is never closed"
    case "unexpected )": return "unmatched `)`"
    case "no argument for repetition operator":
      return "`\(part)` has nothing to repeat; write `\\\(part)` for the character"
    case "bad repetition operator": return "`\(part)` follows another repetition operator"
    case "invalid repetition size": return "the repetition count of `\(part)` is too large"
    case "trailing \\": return "trailing `\\`"
    case "invalid escape sequence": return "unknown escape sequence `\(part)`"
    case "invalid character class range": return "the range `\(part)` is out of order"
    case "invalid perl operator", "invalid or unsupported Perl syntax":
      let isLook = ["(?=", "(?!", "(?<"].contains { part.hasPrefix($0) }
      return "`\(part)` is not supported"
        + (isLook ? "; there is no lookahead or lookbehind" : "")
    case "invalid character class": return "unknown character class `\(part)`"
    case "invalid named capture group": return "invalid group name in `\(part)`"
    case "pattern too large - compile failed": return "it is too large"
    default: return text
    }
  }
}
