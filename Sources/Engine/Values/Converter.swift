import CEL
import Catalog
import Items
import Program

/// Converts values to the type of a parameter, property or answer (language §2).
struct Converter {
  let now: @Sendable () -> Timestamp
  var clock: LocalClock
  /// The person's clock, by which days begin; nil for that of the texts.
  var ownClock: LocalClock?
  /// The moment that a time of day follows; nil for now.
  var start: Timestamp?
  /// Whether texts are typed by a person, who may write lists as `one,two` and local numbers.
  var isFromPerson = false
  /// Whether the person's locale uses a decimal comma.
  var hasDecimalComma: () -> Bool = { false }
  /// The person's language, in which days and times may be said.
  var language: () -> Language = { .english }
  /// Resolves a text to an item, given the entity and the name of the target.
  let lookup: (_ text: String, _ entity: String, _ name: String) throws -> Item

  /// Converts a value to a type.
  ///
  /// - Throws: `invalid-value` with the value and the expected form; for items also `not-found`,
  ///   `ambiguous`, `denied`.
  func convert(_ value: Value, to type: DataType, named name: String) throws -> Value {
    if value.unknown != nil { return value }
    return try fitted(value, to: type, named: name) ?? .null
  }

  private func moment(_ text: String, as type: DataType, named name: String) throws -> Value {
    let reader = DateReader(now: now(), clock: clock, language: isFromPerson ? language() : nil)
    guard let moment = reader.moment(text, as: type, after: start) else {
      throw misfit(
        name, DateReader.complaint(about: text, as: type),
        help: type == .date && reader.timestamp(text) != nil
          ? "a date has no time of day"
          : DateReader.impossibility(of: text) ?? reader.suggestion(for: text, named: name).map {
            "did you mean \($0)?"
          }
            ?? "write it as one of: \(DateReader.examples(of: type))")
    }
    guard moment.isDay, let ownClock else { return .timestamp(moment) }
    return .timestamp(ownClock.start(of: clock.time(at: moment).date))
  }

  /// The value of words that a person says in their language; nil for other words and types.
  ///
  /// - Throws: `invalid-value` for a rule with a time of day.
  private func said(_ text: String, as type: DataType, named name: String) throws -> String? {
    guard isFromPerson,
      let said = SpokenDate.value(of: text, as: type, in: language(), now: now(), clock: clock)
    else { return nil }
    guard let value = said.text else {
      throw misfit(name, "“\(text.shortened)” has a time of day", help: said.help)
    }
    return value
  }

  private func misfit(_ name: String, _ message: String, help: String? = nil) -> RunError {
    RunError(.invalidValue, "`\(name)`: \(message)", help: help)
  }

  /// A value in a message: its text shortened, or its kind and size.
  func description(of value: Value) -> String {
    switch value {
    case .null: "nothing"
    case .string(let text): "“\(text.shortened)”"
    case .list(let values): "a list of \(values.count)"
    case .map: "a map"
    case .object(let object): "a \(object.typeName)"
    default: "\(value.text.shortened) (\(value.kindName))"
    }
  }
}

extension Converter: Boundary {
  func isNothing(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .string(let text): isFromPerson && text.isEmpty
    default: false
    }
  }

  func value(of text: String, as type: DataType, named name: String) throws -> Value {
    switch type {
    case .timestamp, .date, .when: return try moment(text, as: type, named: name)
    case .duration:
      let said = DurationReader.duration(text) == nil ? try said(text, as: type, named: name) : nil
      if let duration = DurationReader.duration(said ?? text) { return .duration(duration) }
      throw misfit(
        name, "“\(text.shortened)” is not a duration",
        help: "write it as \(DurationReader.examples)")
    case .refined(.range):
      let range = DayRange(
        text, now: now(), clock: clock, language: isFromPerson ? language() : .english)
      if let range { return .string(range.text(clock)) }
      throw misfit(
        name, "“\(text.shortened)” is not a range of days",
        help: "write it as one of: \(DayRange.examples)")
    default:
      switch LiteralReader.read(text, as: type) {
      case .success(let value):
        if type == .double, isFromPerson, DecimalComma.mayBeThousands(text), hasDecimalComma() {
          let (whole, part) = DecimalComma.readings(of: text)
          throw misfit(
            name, "“\(text)” may mean \(whole) or \(part)", help: "write \(whole) or \(part)")
        }
        return value
      case .failure(let problem):
        if let said = try said(text, as: type, named: name) { return .string(said) }
        if type == .double, isFromPerson, let number = DecimalComma.number(text) {
          if hasDecimalComma() { return .double(number) }
          let plain = text.trimmingSpaces.replacing(",", with: ".")
          throw misfit(name, problem.message, help: "write \(plain)")
        }
        throw misfit(name, problem.message, help: problem.help)
      }
    }
  }

  func start(ofDayOf moment: Timestamp) -> Timestamp {
    clock.startOfDay(at: moment)
  }

  /// The elements of a list typed as `one,two`.
  func elements(of value: Value, as element: DataType) -> [Value]? {
    guard isFromPerson else { return nil }
    guard case .string(let text) = value else { return [value] }
    // Commas are common in URLs and search texts.
    switch element {
    case .url, .entity, .share: return text.isEmpty ? [] : [value]
    default:
      return text.split(separator: ",").map { .string(String($0).trimmingSpaces) }
        .filter { $0 != .string("") }
    }
  }

  func item(
    _ value: Value, of entity: String, named name: String, canBeLeftOut: Bool
  ) throws -> Item? {
    switch value {
    case .object(let object):
      if let item = object as? Item, item.entity == entity { return item }
      throw misfit(name, "expected \(entity), not \(object.typeName)")
    case .string(let text): return try lookup(text, entity, name)
    default: throw misfit(value, .entity(entity), named: name)
    }
  }

  func misfit(_ value: Value, _ type: DataType, named name: String) -> any Error {
    misfit(name, "expected \(type.description), not \(description(of: value))")
  }
}

/// Numbers with a decimal comma.
enum DecimalComma {
  /// The number in a text such as `3,50`; nil for other texts, including those with ambiguous
  /// thousands separators.
  static func number(_ text: String) -> Double? {
    let parts = text.trimmingSpaces.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), !parts[1].isEmpty,
      Int(parts[0]) != nil
    else { return nil }
    return Double("\(parts[0]).\(parts[1])")
  }

  /// Whether the point in a text such as `1.500` could be a thousands separator.
  static func mayBeThousands(_ text: String) -> Bool {
    let parts = text.trimmingSpaces.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[1].count == 3 && (1...3).contains(parts[0].count)
      && parts.joined().allSatisfy { $0.isASCII && $0.isNumber } && parts[0] != "0"
  }

  /// The two unambiguous readings of such a number.
  static func readings(of text: String) -> (whole: String, part: String) {
    let text = text.trimmingSpaces
    return (text.replacing(".", with: ""), text.replacing(".", with: ","))
  }

  /// Whether the locale uses a decimal comma (POSIX.1-2017 §8.2).
  static func isDefault(in environment: (String) -> String?) -> Bool {
    guard let locale = LocaleName.text(of: "LC_NUMERIC", in: environment) else { return false }
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_", maxSplits: 1)
    guard let language = parts.first, languages.contains(String(language)) else { return false }
    return parts.count < 2 || !territories.contains(String(parts[1]))
  }

  /// Languages with a decimal comma (CLDR, `numbers/symbols/decimal`).
  private static let languages: Set<String> = [
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr",
    "fy", "gl", "hr", "hu", "hy", "id", "is", "it", "ka", "kk", "ky", "lb", "lt", "lv", "mk", "nb",
    "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk", "uz", "vi",
  ]

  /// Territories that use a decimal point despite their language.
  private static let territories: Set<String> = [
    "CH", "DO", "GT", "HN", "LI", "MX", "NI", "PA", "PE", "PR", "SV", "US",
  ]
}

/// The locale from the environment (POSIX.1-2017 §8.2).
package enum LocaleName {
  /// Whether the month precedes the day in dates; nil for a locale without a region, and for Canada, where
  /// both are written (CLDR, `dateFormats/short`).
  package static func isMonthFirst(in environment: (String) -> String?) -> Bool? {
    let parts = text(of: "LC_TIME", in: environment)?.split { "_.@".contains($0) } ?? []
    guard parts.count > 1, parts[1].count == 2, parts[1] != "CA" else { return nil }
    return ["US", "PH"].contains(parts[1])
  }

  /// The locale of a category, such as `de_AT.UTF-8`; nil when unset.
  static func text(of category: String, in environment: (String) -> String?) -> String? {
    ["LC_ALL", category, "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
  }
}

/// Size limits of values, which guard the stack and memory.
enum ValueBounds {
  /// Maximum nesting of lists and maps; that of the JSON writer.
  private static let depth = 128
  /// Maximum number of nested values; shared ones count each time.
  private static let count = 5_000_000
  /// Maximum total size of texts, in bytes.
  private static let bytes = 64 << 20

  /// Returns the value if it is within the limits.
  ///
  /// - Throws: `invalid-value`.
  /// - Complexity: O(size of the value), bounded by the limits.
  static func checked(_ value: Value) throws -> Value {
    var budget = Budget()
    if let excess = budget.excess(of: value, depth: 0) {
      throw RunError(.invalidValue, "the value \(excess)")
    }
    return value
  }

  /// The remaining limits while a value is traversed.
  private struct Budget {
    private var count = ValueBounds.count
    private var bytes = ValueBounds.bytes

    /// The limit that the value exceeds; nil for none.
    mutating func excess(of value: Value, depth: Int) -> String? {
      count -= 1
      if count < 0 { return "holds more than \(ValueBounds.count) values" }
      switch value {
      case .string(let text):
        bytes -= text.utf8.count
        if bytes < 0 { return "holds more than \(ValueBounds.bytes >> 20) MiB of text" }
      case .list(let values): return excess(of: values, depth: depth)
      case .map(let map): return excess(of: map.entries.lazy.map(\.value), depth: depth)
      default: break
      }
      return nil
    }

    private mutating func excess(of parts: some Sequence<Value>, depth: Int) -> String? {
      if depth >= ValueBounds.depth { return "is nested more than \(ValueBounds.depth) deep" }
      for part in parts { if let excess = excess(of: part, depth: depth + 1) { return excess } }
      return nil
    }
  }
}
