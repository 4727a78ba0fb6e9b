import CEL
import ForeignText
import JSON

/// The fields of another program's record: each is taken once, and what is left is reported.
struct ForeignFields {
  private var fields: MapValue

  init(_ fields: MapValue) { self.fields = fields }

  /// - Parameter names: The names of the cells, in order.
  init(_ cells: [String], named names: [String]) {
    fields = MapValue(zip(names, cells).map { ($0, .string($1)) })
  }

  /// Takes the first of these fields that has a value; null if there is none.
  mutating func take(_ names: String...) -> Value {
    for name in names {
      guard let value = fields[name], !value.isNull, value != "" else { continue }
      fields[name] = .null
      return value
    }
    return .null
  }

  /// Takes the text of a field; empty if it has none.
  mutating func text(_ names: String...) -> String {
    for name in names {
      switch fields[name] {
      case .string(let text)? where !text.isEmpty:
        fields[name] = .null
        return text
      case .int(let number)?:
        fields[name] = .null
        return String(number)
      case .double(let number)? where abs(number) < 1e15:
        fields[name] = .null
        return String(Int64(number))
      default: continue
      }
    }
    return ""
  }

  /// Takes a flag.
  mutating func flag(_ names: String...) -> Bool {
    for name in names where fields[name] == true || fields[name] == false {
      defer { fields[name] = .null }
      if fields[name] == true { return true }
    }
    return false
  }

  /// Takes a list of objects.
  mutating func objects(_ name: String) -> [ForeignFields] { maps(name).map(ForeignFields.init) }

  /// Takes a list of objects as they are.
  mutating func maps(_ name: String) -> [MapValue] {
    guard case .list(let values)? = fields[name] else { return [] }
    fields[name] = .null
    return values.compactMap { if case .map(let map) = $0 { map } else { nil } }
  }

  /// Takes a date as text in the form of a line of JSON; nil if the field has none.
  mutating func date(_ names: String...) -> Value {
    for name in names {
      let field = text(name)
      if let value = BookmarkDate.value(field) { return value }
      if !field.isEmpty { fields[name] = .string(field) }
    }
    return .null
  }

  /// The names of the fields with a value.
  var names: [String] {
    fields.entries.compactMap { entry in
      guard case .string(let name) = entry.key, !Self.isEmpty(entry.value) else { return nil }
      return name
    }
  }

  /// A report of each field that was not taken.
  func losses(of place: String = "") -> [String] {
    names.map { "\(place)`\(Bookmark.shortened($0))` was left out" }
  }

  private static func isEmpty(_ value: Value) -> Bool {
    switch value {
    case .null, "", false: true
    case .list(let values): values.isEmpty
    case .map(let map): map.isEmpty
    default: false
    }
  }
}
