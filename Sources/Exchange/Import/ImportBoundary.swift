import CEL
import Items
import Links

/// Converts JSON to the values of properties (language §2).
struct ImportBoundary {
  /// Parses a day or local time in the user's time zone.
  let moment: (String) -> Timestamp?
  /// Finds referenced items.
  let lookup: ReferenceLookup

  /// Converts a value; references that lead nowhere are dropped.
  ///
  /// - Throws: `NewItemReader.Problem` with the property and the expected form.
  func value(_ value: Value, for property: PropertySchema) throws -> Value {
    if case .null = value { return .null }
    return try fitted(
      value, to: property.type, named: property.name, canBeLeftOut: property.isOptional) ?? .null
  }

  /// Parses RFC 3339, or a day or local time in ISO 8601.
  static func moment(_ text: String, _ local: (String) -> Timestamp?) -> Timestamp? {
    if let moment = Timestamp(rfc3339: text) { return moment }
    // Reject words such as `today`, whose meaning changes when the import is repeated.
    guard text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false, text.contains("-") else {
      return nil
    }
    return local(text)
  }

  private static func form(of type: DataType) -> String {
    switch type {
    case .list: "a list"
    case .map, .share: "an object"
    default:
      type.facts.map { $0.noun + ($0.example.map { " such as \($0)" } ?? "") } ?? type.description
    }
  }

  private static func described(_ value: Value) -> String {
    switch value {
    case .string(let text): "“\(text.prefix(60))\(text.count > 60 ? "…" : "")”"
    case .list: "a list"
    case .map: "an object"
    default: value.text
    }
  }
}

extension ImportBoundary: Boundary {
  func isNothing(_ value: Value) -> Bool {
    if case .null = value { true } else { false }
  }

  func value(of text: String, as type: DataType, named name: String) throws -> Value {
    switch type {
    // The store validates it against the declared values.
    case .enumeration: return .string(text)
    case .url:
      do throws(WebURLError) {
        _ = try WebURL(text)
      } catch {
        throw NewItemReader.Problem(
          "`\(name)`: \(error.description)",
          help: error.suggestion.map { "did you mean \($0)?" })
      }
      return .string(text)
    case .int:
      if let int = Int64(text) { return .int(int) }
    case .double:
      if let double = Double(text), !double.isNaN { return .double(double) }
    case .bool:
      if text == "true" || text == "false" { return .bool(text == "true") }
    case .timestamp:
      if let moment = Self.moment(text, moment) { return .timestamp(moment) }
    case .date, .when:
      if CivilDate(iso8601: text) != nil { return .string(text) }
      if type == .when, let moment = Self.moment(text, moment) { return .timestamp(moment) }
      // The store converts it to the local date.
      if let moment = Timestamp(rfc3339: text) { return .timestamp(moment) }
    case .duration:
      if let duration = DurationValue(text: text) { return .duration(duration) }
    case .refined(let type):
      if let value = type.value(of: .string(text)) { return value }
    default: break
    }
    throw misfit(.string(text), type, named: name)
  }

  /// Dates in JSON are text, so there is nothing to convert.
  func start(ofDayOf moment: Timestamp) -> Timestamp { moment }

  func elements(of value: Value, as element: DataType) -> [Value]? { nil }

  func item(
    _ value: Value, of entity: String, named name: String, canBeLeftOut: Bool
  ) throws -> Item? {
    if case .null = value { throw misfit(value, .entity(entity), named: name) }
    return try lookup.item(value, of: entity, for: name, canBeLeftOut: canBeLeftOut)
  }

  func misfit(_ value: Value, _ type: DataType, named name: String) -> any Error {
    // A top-level null is accepted earlier if the property is optional.
    if case .null = value { return NewItemReader.Problem("`\(name)` contains null") }
    return NewItemReader.Problem(
      "`\(name)` must be \(Self.form(of: type)), not \(Self.described(value))")
  }
}
