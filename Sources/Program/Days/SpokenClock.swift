import Phrases

/// Recognizes words for a time of day in a language.
///
/// More is recognized than can be read as a time: of `at 25:00` it is said that it was left out.
struct SpokenClock: Sendable {
  /// Words after which a bare number is an hour, such as `at`.
  let at: [[String]]
  /// Words and endings that make a number an hour, such as `o'clock` and `pm`.
  private let marks: Set<String>
  /// Words beside an hour, such as `half` and `past`.
  private let between: Set<String>
  /// Parts of the day that say when by themselves, such as `in the evening`.
  private let parts: Set<String>
  /// Parts of the day that do so beside a day only, such as `evening` in `tomorrow evening`.
  private let partsOfDay: Set<String>
  let numbers: [String: Double]
  /// The words by which a time is read.
  let clockWords: ClockWords

  /// All words of times of day.
  var words: Set<String> {
    let phrases = parts.union(partsOfDay).flatMap { $0.split(separator: " ").map(String.init) }
    return Set(at.joined()).union(marks).union(between).union(phrases)
  }

  private init(
    _ language: String, at: String, marks: String, between: String, parts: String,
    ofDay: String = "", words: ClockWords
  ) {
    clockWords = words
    func list(_ text: String) -> [String] { text.split(separator: "|").map(String.init) }
    // The longest first, so that `a las` is not taken for another word and `las`.
    self.at = list(at).map { $0.split(separator: " ").map(String.init) }
      .sorted { $0.count > $1.count }
    self.marks = Set(list(marks))
    self.between = Set(list(between))
    self.parts = Set(list(parts))
    partsOfDay = Set(list(ofDay)).union(list(parts))
    numbers = PhraseNumbers.words(of: language)
  }

  /// The words of a language; those of English for one that is not known.
  static func of(_ language: String) -> SpokenClock {
    switch language {
    case "de": german
    case "fr": french
    case "es": spanish
    case "ja": japanese
    default: english
    }
  }

  /// Whether words are a time of day.
  ///
  /// - Parameter isBesideDay: Whether a day precedes or follows them.
  func isTime(_ words: ArraySlice<String>, isBesideDay: Bool) -> Bool {
    let parts = isBesideDay ? partsOfDay : parts
    if parts.contains(words.joined(separator: " ")) { return true }
    let hasPart = isBesideDay && words.contains { clockWords.parts[$0] != nil }
    if hasPart || isPlaced(words), names(words.joined(separator: " ")) { return true }
    var rest = words
    var isPlaced = false
    if let start = at.first(where: { words.starts(with: $0) }) {
      rest = rest.dropFirst(start.count)
      isPlaced = true
      if partsOfDay.contains(rest.joined(separator: " ")) { return true }
    }
    if let cut = rest.indices.dropFirst().first(where: {
      partsOfDay.contains(rest[$0...].joined(separator: " "))
    }) {
      rest = rest[..<cut]
      isPlaced = true
    }
    guard rest.count <= 5 else { return false }
    var hasHour = false
    for word in rest {
      if let isMarked = hour(word) {
        hasHour = true
        isPlaced = isPlaced || isMarked
      } else if marks.contains(word) {
        // `une heure` alone is a length.
        isPlaced = isPlaced || hasHour && (isBesideDay || !Self.lengths.contains(word))
      } else if !between.contains(word) {
        return false
      }
    }
    return hasHour && isPlaced
  }

  /// Marks of an hour that are units of lengths, too.
  private static let lengths: Set = ["heure", "heures", "hora", "horas"]

  /// Whether words begin with one after which a number is an hour.
  func isPlaced(_ words: ArraySlice<String>) -> Bool { at.contains { words.starts(with: $0) } }

  /// Whether a number says itself that it is an hour, as `17:30` or `5pm`; nil for no number.
  private func hour(_ word: String) -> Bool? {
    if let number = numbers[word] { return number < 60 ? false : nil }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count) else { return nil }
    var rest = word.dropFirst(digits.count)
    if rest.isEmpty || rest == "." { return false }
    if rest.first == ":" || rest.first == "." || rest.first == "h" && marks.contains("h") {
      let isMarked = rest.first != "."
      let minutes = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      if minutes.count == 2 { rest = rest.dropFirst(3) }
      if rest.isEmpty { return isMarked }
    }
    return marks.contains(String(rest)) ? true : nil
  }

  /// Whether a text without spaces is a time of day, as in Japanese.
  func isDenseTime(_ text: String) -> Bool {
    var text = Substring(text)
    if let end = between.filter(text.hasSuffix).max(by: { $0.count < $1.count }) {
      text = text.dropLast(end.count)
    }
    if let part = parts.filter(text.hasPrefix).max(by: { $0.count < $1.count }) {
      text = text.dropFirst(part.count)
      if text.first == "の" || text.first == "、" { text = text.dropFirst() }
      if text.isEmpty { return true }
    }
    func number(_ text: Substring) -> Bool {
      Int(text).map { (0..<60).contains($0) } ?? (numbers[String(text)].map { $0 < 60 } ?? false)
    }
    let clock = text.split(separator: ":", omittingEmptySubsequences: false)
    if clock.count == 2 { return clock.allSatisfy { $0.count <= 2 && Int($0) != nil } }
    let sides = text.split(separator: "時", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, number(sides[0]) else { return false }
    return sides[1].isEmpty || sides[1] == "半" || sides[1] == "ちょうど"
      || sides[1].last == "分" && number(sides[1].dropLast())
  }

  private static let english = SpokenClock(
    "en", at: "at|around|by|before|after|till|until|from|@",
    marks: "am|pm|a.m|p.m|a.m.|p.m.|o'clock|oclock",
    between: "half|quarter|past|to|minutes|sharp",
    parts: """
      noon|midday|midnight|in the morning|in the afternoon|in the evening|at night|in the night|\
      at lunchtime|at lunch|first thing
      """, ofDay: "morning|afternoon|evening|night|lunchtime|first thing in the morning",
    words: .english)

  private static let german = SpokenClock(
    "de", at: "um|gegen|ab|vor|nach|bis|kurz vor|kurz nach", marks: "uhr|h",
    between: "halb|viertel|dreiviertel|vor|nach|minuten|punkt",
    parts: """
      mittags|abends|morgens|nachmittags|vormittags|nachts|am morgen|am vormittag|am mittag|\
      am nachmittag|am abend|in der nacht|in der früh|um mitternacht|zu mittag
      """, ofDay: "früh|morgen|vormittag|mittag|nachmittag|abend|nacht|mitternacht", words: .german)

  private static let french = SpokenClock(
    "fr", at: "à|vers|avant|après|dès|jusqu'à|à partir de", marks: "heure|heures|h",
    between: "et|demie|demi|quart|moins|le|précises|pile",
    parts: """
      midi|minuit|à midi|à minuit|le matin|le soir|l'après-midi|dans la matinée|dans la soirée|\
      dans l'après-midi|en soirée|en matinée|du matin|du soir|de l'après-midi
      """, ofDay: "matin|soir|après-midi|au matin|au soir", words: .french)

  private static let spanish = SpokenClock(
    "es",
    at: """
      a las|a la|sobre las|hacia las|antes de las|después de las|para las|hasta las|desde las|\
      a eso de las
      """, marks: "hora|horas|h|am|pm|a.m.|p.m.", between: "y|media|cuarto|menos|en|punto|minutos",
    parts: """
      por la mañana|por la tarde|por la noche|de la mañana|de la tarde|de la noche|\
      de la madrugada|al mediodía|a mediodía|al medio día|a medianoche|al anochecer|al amanecer
      """, ofDay: "temprano|tarde|noche", words: .spanish)

  private static let japanese = SpokenClock(
    "ja", at: "", marks: "", between: "に|までに|まで|の|は|ごろ|頃|ごろに|頃に|過ぎに|前に",
    parts: "午前|午後|朝|昼|夜|夕方|深夜|正午|お昼|早朝|午前中", words: .japanese)
}
