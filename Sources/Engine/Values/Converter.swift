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
