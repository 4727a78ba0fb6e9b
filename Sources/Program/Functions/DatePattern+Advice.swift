/// Lints for date patterns that probably mean something else.
extension DatePattern {
  /// A problem with a pattern, and its fix.
  struct Advice: Equatable {
    let message: String
    let help: String
  }

  /// Returns advice on a pattern; nil if it looks fine.
  static func advice(on pattern: String) -> Advice? {
    if let pattern = translation(ofStrftime: pattern) {
      return Advice(
        message: "this is a strftime pattern, whose letters mean something else here",
        help: "write `\(pattern)`")
    }
    if pattern.contains("dddd") || pattern.contains("Do") {
      // Of moment.js.
      let meant = [("dddd", "EEEE"), ("ddd", "EEE"), ("Do", "d"), ("DD", "dd"), ("YYYY", "yyyy")]
        .reduce(pattern) { $0.replacing($1.0, with: $1.1) }
      return Advice(message: "`dddd` and `Do` are of another language", help: "write `\(meant)`")
    }
    guard let read = try? DatePattern(pattern) else { return nil }
    let letters = Set(read.parts.compactMap(\.letter))
    let hasHour = !letters.isDisjoint(with: "hHkK")
    var message: String?
    var corrected = ""
    for (index, text) in read.texts.enumerated() {
      guard let letter = read.parts[index].letter else {
        corrected += text
        continue
      }
      var other = letter
      var meaning: String?
      switch letter {
      case "D" where !letters.isDisjoint(with: "MLm"):
        (other, meaning) = ("d", "the day of the year")
      case "Y" where !letters.contains("w"):
        (other, meaning) = ("y", "the year to which the week belongs")
      case "m"
      where !hasHour && letters.isDisjoint(with: "MLs") && !letters.isDisjoint(with: "yYudD"):
        (other, meaning) = ("M", "the minute")
      case "M" where read.isAfterHour(index) && !letters.contains("m"):
        (other, meaning) = ("m", "the month")
      case "h" where letters.isDisjoint(with: "aBb"):
        (other, meaning) = ("H", "the hour of half a day")
      default: break
      }
      corrected += String(repeating: other, count: text.count)
      guard let meaning else { continue }
      // Of several problems, the day of the year stands out most in the output.
      if message == nil || letter == "D" { message = "`\(text)` is \(meaning)" }
    }
    return message.map { Advice(message: $0, help: "did you mean `\(corrected)`?") }
  }

  /// Whether a field follows an hour and a colon.
  private func isAfterHour(_ index: Int) -> Bool {
    guard index > 1, texts[index - 1] == ":" else { return false }
    return parts[index - 2].letter.map { "hHkK".contains($0) } ?? false
  }

  // MARK: strftime

  /// Translates a strftime(3) pattern to Unicode letters; nil for other patterns, or if a
  /// conversion has no counterpart.
  static func translation(ofStrftime pattern: String) -> String? {
    // strftime has no quotes.
    guard pattern.contains("%"), !pattern.contains("'") else { return nil }
    var translation = ""
    var isStrftime = false
    var rest = Substring(pattern)
    while let first = rest.first {
      rest = rest.dropFirst()
      guard first == "%" else {
        translation += first.isASCII && first.isLetter ? "'\(first)'" : String(first)
        continue
      }
      // GNU `%-d` omits the leading zero.
      let isShort = rest.first == "-"
      if isShort { rest = rest.dropFirst() }
      guard let letter = rest.popFirst(), let field = field(ofStrftime: letter, isShort) else {
        return nil
      }
      isStrftime = isStrftime || letter != "%"
      translation += field
    }
    return isStrftime ? translation.replacing("''", with: "") : nil
  }

  private static func field(ofStrftime letter: Character, _ isShort: Bool) -> String? {
    let field: String? =
      switch letter {
      case "Y": "yyyy"
      case "y": "yy"
      case "m": "MM"
      case "d": "dd"
      case "e": "d"
      case "H": "HH"
      case "I": "hh"
      case "M": "mm"
      case "S": "ss"
      case "p", "P": "a"
      case "b", "h": "MMM"
      case "B": "MMMM"
      case "a": "EEE"
      case "A": "EEEE"
      case "j": "DDD"
      case "V": "ww"
      case "G": "YYYY"
      case "z": "xx"
      case "Z": "zzz"
      case "F": "yyyy-MM-dd"
      case "T": "HH:mm:ss"
      case "R": "HH:mm"
      case "D": "MM/dd/yy"
      case "%": "%"
      default: nil
      }
    guard isShort, let first = field?.first else { return field }
    return String(first)
  }
}
