/// What is said of a pattern for dates that means something else than its writer thinks.
extension DatePattern {
  /// What is odd about a pattern, and what to do about it.
  struct Advice: Equatable {
    let message: String
    let help: String
  }

  /// The advice on a pattern; nil for one that may be meant as it is.
  static func advice(on pattern: String) -> Advice? {
    if let pattern = translation(ofStrftime: pattern) {
      return Advice(
        message: "this is a pattern of strftime, whose letters mean something else here",
        help: "here it is written `\(pattern)`")
    }
    guard let fields = fields(of: pattern) else { return nil }
    let letters = Set(fields.compactMap(\.letter))
    let hasHour = !letters.isDisjoint(with: "hHkK")
    var message: String?
    var corrected = ""
    for (index, field) in fields.enumerated() {
      guard let letter = field.letter else {
        corrected += field.text
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
      case "M" where isAfterHour(index, fields) && !letters.contains("m"):
        (other, meaning) = ("m", "the month")
      default: break
      }
      corrected += String(repeating: other, count: field.text.count)
      guard let meaning else { continue }
      // Of several the day of the year is the oddest one in what is printed.
      if message == nil || letter == "D" { message = "`\(field.text)` is \(meaning)" }
    }
    return message.map { Advice(message: $0, help: "did you mean `\(corrected)`?") }
  }

  /// Whether a field stands after an hour and a colon.
  private static func isAfterHour(_ index: Int, _ fields: [Field]) -> Bool {
    guard index > 1, fields[index - 1].text == ":", let hour = fields[index - 2].letter else {
      return false
    }
    return "hHkK".contains(hour)
  }

  /// A run of a letter, or text between two of them.
  private struct Field {
    /// The letter; nil for text.
    let letter: Character?
    let text: String
  }

  /// The runs of letters of a pattern, with the texts between them as they are written; nil when a
  /// quote is not closed.
  private static func fields(of pattern: String) -> [Field]? {
    var fields: [Field] = []
    var rest = Substring(pattern)
    while let first = rest.first {
      var end = rest.index(after: rest.startIndex)
      if first == "'" {
        guard let close = rest[end...].firstIndex(of: "'") else { return nil }
        end = rest.index(after: close)
      } else if first.isASCII, first.isLetter {
        end = rest.firstIndex { $0 != first } ?? rest.endIndex
      }
      let isField = first.isASCII && first.isLetter
      fields.append(Field(letter: isField ? first : nil, text: String(rest[..<end])))
      rest = rest[end...]
    }
    return fields
  }

  // MARK: strftime

  /// A pattern of strftime(3) in the letters of Unicode; nil for another pattern, and where there
  /// is nothing here for one of its conversions.
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
      // GNU's `%-d` leaves out the zero before a digit.
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
