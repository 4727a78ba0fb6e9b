import CEL
import Catalog
import Items
import Program

/// Takes values over a boundary: into a parameter, a property, an answer (language §2).
struct Converter {
  /// Finds the item of an entity that a text stands for: the text, the entity, the name of what
  /// wants it, and the keys that answer which one is meant.
  typealias ItemLookup = (String, String, String, [String]) throws -> Item

  private let now: @Sendable () -> Timestamp
  private let clock: LocalClock
  private let lookup: ItemLookup
  /// Keys that answer a question about which item is meant.
  var answerKeys: [String] = []
  /// Whether the text comes from a person, who writes a list as `one,two` and numbers as at home.
  var isFromPerson = false
  /// Whether the person's locale has a decimal comma.
  var hasDecimalComma: () -> Bool = { false }

  /// A converter with a clock, and what finds items.
  init(
    now: @escaping @Sendable () -> Timestamp, clock: LocalClock, item: @escaping ItemLookup
  ) {
    self.now = now
    self.clock = clock
    self.lookup = item
  }

  /// The value as the type wants it.
  ///
  /// - Throws: `invalid-value` naming what was given and what would fit; for items also
  ///   `not-found`, `ambiguous`, `denied`.
  func convert(_ value: Value, to type: DataType, named name: String) throws -> Value {
    try fitted(value, to: type, named: name) ?? .null
  }

  private func moment(_ text: String, as type: DataType, named name: String) throws -> Value {
    let reader = DateReader(now: now(), clock: clock)
    let moment = type == .date ? reader.date(text).map(clock.start) : reader.timestamp(text)
    guard let moment else {
      throw misfit(
        name,
        LiteralProblem(
          "“\(text.shortened)” isn't a \(type.description)",
          help: reader.suggestion(for: text).map { "did you mean \($0)?" }
            ?? "write it as one of: "
            + (type == .date ? DateReader.dayExamples : DateReader.examples)))
    }
    return .timestamp(moment)
  }

  private func misfit(_ name: String, _ problem: LiteralProblem) -> RunError {
    RunError(.invalidValue, "`\(name)`: \(problem.message)", help: problem.help)
  }

  /// A value in a message: a short text of it, or what it is a number of.
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
    case .timestamp, .date: return try moment(text, as: type, named: name)
    case .duration:
      if let duration = DurationReader.duration(text) { return .duration(duration) }
      throw misfit(
        name,
        LiteralProblem(
          "“\(text.shortened)” isn't a duration", help: "write it as \(DurationReader.examples)"))
    default:
      switch LiteralReader.read(text, as: type) {
      case .success(let value):
        if type == .double, isFromPerson, DecimalComma.mayBeThousands(text), hasDecimalComma() {
          let (whole, part) = DecimalComma.readings(of: text)
          throw misfit(
            name,
            LiteralProblem(
              "“\(text)” may mean \(whole) or \(part)", help: "write \(whole) or \(part)"))
        }
        return value
      case .failure(let problem):
        if type == .double, isFromPerson, let number = DecimalComma.number(text) {
          if hasDecimalComma() { return .double(number) }
          throw misfit(
            name,
            LiteralProblem(
              problem.message, help: "write \(text.trimmingSpaces.replacing(",", with: "."))"))
        }
        throw misfit(name, problem)
      }
    }
  }

  func start(ofDayOf moment: Timestamp) -> Timestamp {
    clock.start(of: clock.time(at: moment).date)
  }

  /// A person writes a list as `one,two`.
  func elements(of value: Value, as element: DataType) -> [Value]? {
    guard isFromPerson else { return nil }
    guard case .string(let text) = value else { return [value] }
    // Commas are common in URLs and in the words of a search.
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
      throw misfit(name, LiteralProblem("expected \(entity), not \(object.typeName)"))
    case .string(let text): return try lookup(text, entity, name, answerKeys)
    default: throw misfit(value, .entity(entity), named: name)
    }
  }

  func misfit(_ value: Value, _ type: DataType, named name: String) -> any Error {
    misfit(name, LiteralProblem("\(description(of: value)) does not fit \(type.description)"))
  }
}

extension Value {
  /// The item that it is; nil for another value.
  var item: Item? { if case .object(let object) = self { object as? Item } else { nil } }

  /// The elements of a list; another value alone.
  var elements: [Value] { if case .list(let values) = self { values } else { [self] } }
}

/// Numbers with a decimal comma, as many languages write them.
enum DecimalComma {
  /// The number that a text such as `3,50` writes; nil for anything else, and for one with separators of
  /// thousands, which look the same in other languages.
  static func number(_ text: String) -> Double? {
    let parts = text.trimmingSpaces.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), !parts[1].isEmpty,
      Int(parts[0]) != nil
    else { return nil }
    return Double("\(parts[0]).\(parts[1])")
  }

  /// Whether a text such as `1.500` could have its point between thousands.
  static func mayBeThousands(_ text: String) -> Bool {
    let parts = text.trimmingSpaces.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3, (1...3).contains(parts[0].count) else {
      return false
    }
    return parts.joined().allSatisfy { $0.isASCII && $0.isNumber } && parts[0] != "0"
  }

  /// The two numbers that such a text may mean, written without doubt.
  static func readings(of text: String) -> (whole: String, part: String) {
    let text = text.trimmingSpaces
    return (text.replacing(".", with: ""), text.replacing(".", with: ","))
  }

  /// Whether the locale of a process writes numbers so (POSIX.1-2017 §8.2).
  static func isUsual(in environment: (String) -> String?) -> Bool {
    let variables = ["LC_ALL", "LC_NUMERIC", "LANG"]
    guard let locale = variables.lazy.compactMap(environment).first(where: { !$0.isEmpty }) else {
      return false
    }
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

  /// Territories that write a point in these languages, too.
  private static let territories: Set<String> = [
    "CH", "DO", "GT", "HN", "LI", "MX", "NI", "PA", "PE", "PR", "SV", "US",
  ]
}

/// What a value of a run may be at most, so that no value can exhaust the stack or patience.
enum ValueBounds {
  /// How deep lists and maps may stand in one another; as deep as JSON is written.
  private static let depth = 128
  /// How many values a value may hold in all, one that stands in several places counted for each.
  private static let count = 5_000_000
  /// How many bytes of text a value may hold.
  private static let bytes = 64 << 20

  /// The value, when it is within the bounds.
  ///
  /// - Throws: `invalid-value`.
  /// - Complexity: O(parts of the value), and bounded.
  static func checked(_ value: Value) throws -> Value {
    switch value {
    case .list, .map, .string:
      var budget = Budget()
      if let excess = budget.excess(of: value, depth: 0) {
        throw RunError(.invalidValue, "the value \(excess)")
      }
    default: break
    }
    return value
  }

  private struct Budget {
    private var count = ValueBounds.count
    private var bytes = ValueBounds.bytes

    /// In what the value is beyond the bounds.
    mutating func excess(of value: Value, depth: Int) -> String? {
      count -= 1
      if count < 0 { return "holds more than \(ValueBounds.count) values" }
      switch value {
      case .string(let text):
        bytes -= text.utf8.count
        if bytes < 0 { return "holds more than \(ValueBounds.bytes >> 20) MiB of text" }
      case .list(let values):
        if depth >= ValueBounds.depth { return tooDeep }
        for value in values {
          if let excess = excess(of: value, depth: depth + 1) { return excess }
        }
      case .map(let map):
        if depth >= ValueBounds.depth { return tooDeep }
        for (_, value) in map.entries {
          if let excess = excess(of: value, depth: depth + 1) { return excess }
        }
      default: break
      }
      return nil
    }

    private var tooDeep: String { "is nested more than \(ValueBounds.depth) deep" }
  }
}
