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
  private let item: ItemLookup
  /// Keys that answer a question about which item is meant.
  var answerKeys: [String] = []
  /// Whether the text comes from a person, who writes a list as `one,two`.
  var isFromPerson = false

  /// A converter with a clock, and what finds items.
  init(
    now: @escaping @Sendable () -> Timestamp, clock: LocalClock, item: @escaping ItemLookup
  ) {
    self.now = now
    self.clock = clock
    self.item = item
  }

  /// The value as the type wants it.
  ///
  /// - Throws: `invalid-value` naming what was given and what would fit; for items also
  ///   `not-found`, `ambiguous`, `denied`.
  func convert(_ value: Value, to type: DataType, named name: String) throws -> Value {
    switch (type, value) {
    case (.optional, .null), (.any, _): return value
    case (.optional, .string("")) where isFromPerson: return .null
    case (.optional(let wrapped), _): return try convert(value, to: wrapped, named: name)
    case (.string, .string), (.file, .string), (.int, .int), (.double, .double), (.bool, .bool),
      (.timestamp, .timestamp), (.duration, .duration):
      return value
    case (.double, .int(let int)): return .double(Double(int))
    case (.date, .timestamp(let moment)):
      return .timestamp(clock.start(of: clock.time(at: moment).date))
    case (.int, .string(let text)), (.double, .string(let text)), (.bool, .string(let text)),
      (.url, .string(let text)), (.enumeration, .string(let text)),
      (.period, .string(let text)):
      switch LiteralReader.read(text, as: type) {
      case .success(let value): return value
      case .failure(let problem): throw misfit(name, problem)
      }
    case (.timestamp, .string(let text)), (.date, .string(let text)):
      return try moment(text, as: type, named: name)
    case (.duration, .string(let text)):
      if let duration = DurationReader.duration(text) { return .duration(duration) }
      throw misfit(
        name,
        LiteralProblem(
          "“\(text.shortened)” is no duration", help: "write it as \(DurationReader.examples)"))
    case (.list(let element), .list(let values)):
      return .list(try values.map { try convert($0, to: element, named: name) })
    case (.list(let element), _) where isFromPerson:
      return .list(
        try elements(of: value, element).map { try convert($0, to: element, named: name) })
    case (.map(let element), .map(let map)):
      var result = MapValue()
      for (key, value) in map.entries {
        result[key] = try convert(value, to: element, named: name)
      }
      return .map(result)
    case (.entity(let entity), .object(let object)):
      if let item = object as? Item, item.entity == entity { return value }
      throw misfit(name, LiteralProblem("a \(object.typeName) is no \(entity)"))
    case (.entity(let entity), .string(let text)):
      return .object(try item(text, entity, name, answerKeys))
    default:
      throw misfit(
        name, LiteralProblem("\(description(of: value)) does not fit \(type.description)"))
    }
  }

  /// What a person means by one text where a list is wanted.
  private func elements(of value: Value, _ element: DataType) -> [Value] {
    guard case .string(let text) = value else { return [value] }
    // Commas are common in URLs and in the words of a search.
    switch element {
    case .url, .entity: return text.isEmpty ? [] : [value]
    default:
      return text.split(separator: ",").map { .string(String($0).trimmingSpaces) }
        .filter { $0 != .string("") }
    }
  }

  private func moment(_ text: String, as type: DataType, named name: String) throws -> Value {
    let reader = DateReader(now: now(), clock: clock)
    let moment = type == .date ? reader.date(text).map(clock.start) : reader.timestamp(text)
    guard let moment else {
      throw misfit(
        name,
        LiteralProblem(
          "“\(text.shortened)” is no \(type.description)",
          help: "write it as one of: "
            + (type == .date ? DateReader.dayExamples : DateReader.examples)))
    }
    return .timestamp(moment)
  }

  private func misfit(_ name: String, _ problem: LiteralProblem) -> RunError {
    RunError(.invalidValue, "`\(name)`: \(problem.message)", help: problem.help)
  }

  private func description(of value: Value) -> String {
    switch value {
    case .null: "nothing"
    case .string(let text): "“\(text.shortened)”"
    case .list(let values): "a list of \(values.count)"
    case .map: "a map"
    case .object(let object): "a \(object.typeName)"
    default: "\(value.text.shortened) (\(value.typeName))"
    }
  }
}
