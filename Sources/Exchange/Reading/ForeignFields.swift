import CEL
import ForeignText
import JSON

/// The fields of another program's record: each is taken once, and what is left is reported.
struct ForeignFields {
  private var fields: MapValue
  /// The fields whose values are not what they should be.
  private var problems: [Leftovers.Kind] = []

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

  /// Passes over fields on purpose: places, looks and numbers that a program computes.
  mutating func pass(_ names: String...) {
    for name in names where fields[name] != nil { fields[name] = .null }
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

  /// Takes a list of objects; what `body` does not take of one is reported, too.
  mutating func each<Result>(
    _ name: String, _ body: (inout ForeignFields) -> Result
  ) -> [Result] {
    guard case .list(let values)? = fields[name] else { return [] }
    fields[name] = .null
    return values.compactMap { value in
      guard case .map(let map) = value else {
        problems.append(.value(value.text, of: name))
        return nil
      }
      var inner = ForeignFields(map)
      let result = body(&inner)
      problems += inner.leftovers(in: name + ".")
      return result
    }
  }

  /// Takes a date; null if the fields have none.
  mutating func date(_ names: String...) -> Value {
    for name in names {
      let field = text(name)
      if let value = BookmarkDate.value(field) { return value }
      if !field.isEmpty {
        problems.append(.value(field, of: name))
      }
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

  /// The fields that were not taken, by the names of the objects around them.
  private func leftovers(in place: String = "") -> [Leftovers.Kind] {
    problems + names.map { .member(place + $0) }
  }

  /// A report of each field that was not taken.
  func losses() -> [String] { leftovers().map(\.text) }

  private static func isEmpty(_ value: Value) -> Bool {
    switch value {
    case .null, "", false: true
    case .list(let values): values.isEmpty
    case .map(let map): map.isEmpty
    default: false
    }
  }
}
