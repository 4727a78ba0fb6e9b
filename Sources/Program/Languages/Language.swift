import Source

/// A language of texts: names of days and months, plurals, lists and decimal signs, from CLDR.
package struct Language: Sendable {
  /// Names in three widths.
  package struct Names: Sendable {
    package let wide: [String]
    package let short: [String]
    package let narrow: [String]
  }

  /// The forms of an amount, with `{0}` for the number.
  struct Amount: Sendable {
    let one: String
    let other: String
  }

  /// The patterns that join two elements of a list.
  struct ListPattern: Sendable {
    let two: String
    let start: String
    let middle: String
    let end: String
  }

  /// A rule for the plural category of a whole number (CLDR, `plurals.xml`).
  enum PluralRule: Sendable {
    case one, zeroOrOne, none
  }

  /// The code, such as `de` (BCP 47).
  package let code: String
  let plural: PluralRule
  package let decimal: String
  /// The months within a date.
  package let months: Names
  /// The months without a day.
  let monthsAlone: Names
  /// The days of the week, from Sunday.
  package let days: Names
  let daysShort: [String]
  let halves: [String]
  let narrowHalves: [String]
  let eras: [String]
  let wideEras: [String]
  let quarters: [String]
  let wideQuarters: [String]
  let now: String
  let soon: String
  let yesterday: String
  let tomorrow: String
  let past: [String: Amount]
  let future: [String: Amount]
  let lengths: [String: Amount]
  let list: ListPattern

  /// The language of texts that name none.
  package static var english: Language { en }

  /// Whether it is English, whose texts need no tables.
  package var isEnglish: Bool { code == "en" }

  /// The language of a code such as `de-AT`, by its first part; nil for one without tables.
  package static func named(_ code: String) -> Language? {
    // Only the tables of this one are made.
    switch code.prefix(while: { $0 != "-" && $0 != "_" }).lowercased() {
    case "en": en
    case "de": de
    case "fr": fr
    case "es": es
    case "ja": ja
    default: nil
    }
  }

  /// The language of the document that contains a text; nil for English and for unknown ones.
  static func other(of span: Span) -> Language? {
    guard let code = span.file.language(at: span.range.lowerBound),
      let language = named(code), !language.isEnglish
    else { return nil }
    return language
  }

  /// The plural category of a whole number.
  package func category(of count: Int64) -> String {
    switch plural {
    case .one: count == 1 || count == -1 ? "one" : "other"
    case .zeroOrOne: (-1...1).contains(count) ? "one" : "other"
    case .none: "other"
    }
  }

  /// The form of an amount for a number.
  func text(_ count: Int, _ amount: Amount?) -> String {
    guard let amount else { return "\(count)" }
    let form = category(of: Int64(count)) == "one" ? amount.one : amount.other
    return form.replacing("{0}", with: "\(count)")
  }

  /// Texts joined with “and” before the last.
  package func joined(_ texts: [String]) -> String {
    func join(_ pattern: String, _ first: String, _ second: String) -> String {
      // The texts may have braces themselves.
      let parts = pattern.split(separator: "{1}", omittingEmptySubsequences: false)
      let head = parts[0].replacing("{0}", with: first, maxReplacements: 1)
      return String(head) + second + (parts.count > 1 ? String(parts[1]) : "")
    }
    guard texts.count > 2 else {
      return texts.count == 2 ? join(list.two, texts[0], texts[1]) : texts.first ?? ""
    }
    var result = join(list.start, texts[0], texts[1])
    for text in texts[2..<(texts.count - 1)] { result = join(list.middle, result, text) }
    return join(list.end, result, texts[texts.count - 1])
  }

  /// The text of a number with the language's decimal sign.
  package func text(of number: Double, _ plain: String) -> String {
    decimal == "." || !number.isFinite ? plain : plain.replacing(".", with: decimal)
  }
}
