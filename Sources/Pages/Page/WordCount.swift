import CEL

/// Word counts and reading times.
enum WordCount {
  /// Words per minute; Brysbaert, "How many words do we read per minute?" (2019), found 238.
  private static let pace = 238

  /// The number of words; in scripts without spaces, two characters count as one.
  static func count(_ text: String) -> Int {
    var words = 0
    var characters = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      if isWithoutSpaces(scalar) {
        characters += 1
        isInWord = false
      } else if CleanText.isSpace(scalar) {
        isInWord = false
      } else if !isInWord, scalar.value >= 0x80 || isLetterOrDigit(scalar) {
        words += 1
        isInWord = true
      }
    }
    return words + (characters + 1) / 2
  }

  /// The reading time in whole minutes; nil for no words.
  static func readingTime(_ words: Int) -> DurationValue? {
    words > 0 ? DurationValue(seconds: Int64((words + pace - 1) / pace) * 60) : nil
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    (0x30...0x39).contains(scalar.value) || (0x61...0x7A).contains(scalar.value | 0x20)
  }

  private static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }
}
