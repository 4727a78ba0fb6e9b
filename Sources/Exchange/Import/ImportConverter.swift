import CEL
import Items
import Links

/// Takes a value of JSON into a property, as its declared type wants it (language §2).
struct ImportConverter {
  /// The property that takes the value.
  let property: PropertySchema
  /// Reads a day or a local time in the person's zone.
  let moment: (String) -> Timestamp?
  /// Finds the items that are referred to.
  let lookup: ReferenceLookup

  /// The value as the store takes it; references that lead nowhere are left out.
  ///
  /// - Throws: `DraftReader.Problem` that names the property and what would fit.
  func value(of value: Value) throws -> Value {
    if case .null = value { return .null }
    return try convert(value, property.type, canBeLeftOut: property.isOptional) ?? .null
  }

  private func convert(
    _ value: Value, _ type: DataType, canBeLeftOut: Bool
  ) throws -> Value? {
    switch (type, value) {
    case (.string, .string), (.file, .string), (.enumeration, .string), (.int, .int),
      (.double, .double), (.bool, .bool), (.any, _):
      return value
    case (.url, .string(let text)):
      do throws(WebURLError) {
        _ = try WebURL(text)
      } catch {
        throw DraftReader.Problem(
          "`\(property.name)`: \(error.description)",
          help: error.suggestion.map { "did you mean \($0)?" })
      }
      return value
    case (.double, .int(let int)): return .double(Double(int))
    case (.int, .string(let text)):
      if let int = Int64(text) { return .int(int) }
    case (.double, .string(let text)):
      if let double = Double(text), !double.isNaN { return .double(double) }
    case (.bool, .string("true")): return true
    case (.bool, .string("false")): return false
    case (.timestamp, .string):
      if let moment = Self.moment(value, moment) { return .timestamp(moment) }
    case (.date, .string(let text)):
      if CivilDate(iso8601: text) != nil { return value }
      // The store keeps the day on which the moment falls here.
      if let moment = Timestamp(rfc3339: text) { return .timestamp(moment) }
    case (.duration, .string(let text)):
      if let duration = Duration(text: text) { return .duration(duration) }
    case (.period, .string(let text)):
      if let period = Period(text) { return .string(period.text) }
    case (.list(let element), .list(let values)):
      return .list(
        try values.compactMap { value in
          if case .null = value { throw misfit("has a null in it") }
          return try convert(value, element, canBeLeftOut: true)
        })
    case (.map(let element), .map(let map)):
      return .map(
        MapValue(
          entries: try map.entries.compactMap { entry in
            if case .null = entry.value { throw misfit("has a null in it") }
            return try convert(entry.value, element, canBeLeftOut: true).map { (entry.key, $0) }
          }))
    case (.entity(let entity), _):
      return try lookup.item(
        value, of: entity, for: property.name, canBeLeftOut: canBeLeftOut
      ).map { .object($0) }
    default: break
    }
    throw misfit("must be \(Self.form(of: type)), not \(Self.described(value))")
  }

  /// The moment of a text in RFC 3339, or of a day or a local time in ISO 8601.
  static func moment(_ value: Value, _ local: (String) -> Timestamp?) -> Timestamp? {
    guard case .string(let text) = value else { return nil }
    if let moment = Timestamp(rfc3339: text) { return moment }
    // A word such as `today` would mean another day when the import is run again.
    guard text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false, text.contains("-") else {
      return nil
    }
    return local(text)
  }

  private func misfit(_ reason: String) -> DraftReader.Problem {
    DraftReader.Problem("`\(property.name)` \(reason)")
  }

  private static func form(of type: DataType) -> String {
    switch type {
    case .string, .enumeration: "text"
    case .url: "a URL"
    case .file: "a path"
    case .int: "a whole number"
    case .double: "a number"
    case .bool: "true or false"
    case .timestamp: "a time such as 2026-11-20T14:00:00Z"
    case .date: "a day such as 2026-11-20"
    case .duration: "a duration such as 1h30m"
    case .period: "a period such as \(Period.examples)"
    case .list: "a list"
    case .map: "an object"
    case .entity, .any, .optional: type.description
    }
  }

  private static func described(_ value: Value) -> String {
    switch value {
    case .string(let text): "“\(text.prefix(60))\(text.count > 60 ? "…" : "")”"
    case .list: "a list"
    case .map: "an object"
    case .null: "null"
    default: value.text
    }
  }
}
