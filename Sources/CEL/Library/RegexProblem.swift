/// Problems of patterns in words, after those of RE2 (re2.h, `RE2::ErrorCode`).
enum RegexProblem {
  /// The words for what RE2 says, such as `missing ]: [a-`.
  static func words(for text: String) -> String {
    let colon = text.firstRange(of: ": ")
    let problem = colon.map { String(text[..<$0.lowerBound]) } ?? text
    let part = colon.map { String(text[$0.upperBound...]) } ?? ""
    switch problem {
    case "missing ]": return "a `[` is never closed"
    case "missing )": return "a `(` is never closed"
    case "unexpected )": return "a `)` closes nothing"
    case "no argument for repetition operator":
      return "there is nothing before `\(part)` to repeat; write `\\\(part)` for the character"
    case "bad repetition operator": return "`\(part)` repeats what is repeated already"
    case "invalid repetition size": return "`\(part)` repeats too often"
    case "trailing \\": return "the `\\` at its end escapes nothing"
    case "invalid escape sequence": return "`\(part)` has no meaning"
    case "invalid character class range": return "the range `\(part)` runs backwards"
    case "invalid perl operator", "invalid or unsupported Perl syntax":
      let isLook = ["(?=", "(?!", "(?<"].contains { part.hasPrefix($0) }
      return "`\(part)` isn't supported"
        + (isLook ? "; there is no looking ahead or behind" : "")
    case "invalid character class": return "unknown class of characters `\(part)`"
    case "invalid named capture group": return "the name of a group is wrong in `\(part)`"
    case "pattern too large - compile failed": return "it is too large"
    default: return text
    }
  }
}
