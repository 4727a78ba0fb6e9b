import CEL

/// A validator of JSON Schema, draft-07, with the keywords that the schema of documents uses.
final class SchemaValidator {
  private let root: Value
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]

  init(_ schema: Value) { root = schema }

  /// The first problem of a value with its path; nil if the value is valid.
  func problem(of value: Value) throws -> String? { try problem(value, root, "$") }

  private func problem(_ value: Value, _ schema: Value, _ path: String) throws -> String? {
    if case .bool(let allows) = schema { return allows ? nil : "\(path): not allowed" }
    guard case .map(let keywords) = schema else { return "\(path): not a schema" }
    // Draft-07 ignores siblings of `$ref`.
    if case .string(let reference)? = keywords["$ref"] {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return try problem(value, root["definitions"]?[name] ?? false, path)
    }
    for entry in keywords.entries {
      guard case .string(let keyword) = entry.key else { continue }
      if let problem = try problem(value, keyword, entry.value, keywords, path) { return problem }
    }
    return nil
  }

  private func problem(
    _ value: Value, _ keyword: String, _ argument: Value, _ schema: MapValue, _ path: String
  ) throws -> String? {
    let problem = "\(path): \(keyword)"
    switch keyword {
    case "type":
      let types = argument.elements ?? [argument]
      return types.contains { Self.isOf($0, value) } ? nil : problem
    case "enum": return argument.elements?.contains(value) == true ? nil : problem
    case "const": return argument == value ? nil : problem
    case "pattern":
      guard case .string(let text) = value, case .string(let pattern) = argument else { return nil }
      return try matches(text, pattern) ? nil : problem
    case "minimum", "maximum":
      guard let number = value.number, let limit = argument.number else { return nil }
      return (keyword == "minimum" ? number >= limit : number <= limit) ? nil : problem
    case "anyOf", "oneOf":
      let valid = try (argument.elements ?? []).filter { try self.problem(value, $0, path) == nil }
      return valid.isEmpty || keyword == "oneOf" && valid.count > 1 ? problem : nil
    case "allOf":
      return try first(argument.elements ?? []) { try self.problem(value, $0, path) }
    case "not": return try self.problem(value, argument, path) == nil ? problem : nil
    case "if":
      let branch = try self.problem(value, argument, path) == nil ? schema["then"] : schema["else"]
      return try branch.flatMap { try self.problem(value, $0, path) }
    case "items":
      return try first((value.elements ?? []).enumerated()) {
        try self.problem($1, argument, "\(path)[\($0)]")
      }
    default:
      guard case .map(let members) = value else { return nil }
      return try self.problem(members, keyword, argument, schema, path)
    }
  }

  /// Keywords of objects.
  private func problem(
    _ members: MapValue, _ keyword: String, _ argument: Value, _ schema: MapValue, _ path: String
  ) throws -> String? {
    let names = members.entries.map { $0.key.text }
    switch keyword {
    case "required":
      return first(argument.elements ?? []) {
        names.contains($0.text) ? nil : "\(path): `\($0.text)` is missing"
      }
    case "maxProperties":
      return .double(Double(names.count)) == argument || names.isEmpty ? nil : path
    case "propertyNames":
      return try first(names) { try problem(.string($0), argument, "\(path).\($0)") }
    case "properties":
      return try first(members.entries) { entry in
        try argument[entry.key.text].flatMap {
          try problem(entry.value, $0, "\(path).\(entry.key.text)")
        }
      }
    case "dependencies":
      return try first(names) { name in
        try argument[name].flatMap { try problem(.map(members), $0, path) }
      }
    case "additionalProperties":
      return try first(members.entries) { entry in
        let name = entry.key.text
        let isKnown =
          try schema["properties"]?[name] != nil
          || schema["patternProperties"]?.names.contains { try matches(name, $0) } == true
        return isKnown ? nil : try problem(entry.value, argument, "\(path).\(name)")
      }
    case "patternProperties", "if", "then", "else", "definitions", "$schema", "title",
      "description", "markdownDescription":
      return nil
    default: return "\(path): unknown keyword \(keyword)"
    }
  }

  private func first<Elements: Sequence>(
    _ elements: Elements, _ problem: (Elements.Element) throws -> String?
  ) rethrows -> String? {
    for element in elements {
      if let found = try problem(element) { return found }
    }
    return nil
  }

  private func matches(_ text: String, _ pattern: String) throws -> Bool {
    let regex = try patterns[pattern] ?? Regex(pattern)
    patterns[pattern] = regex
    return text.firstMatch(of: regex) != nil
  }

  private static func isOf(_ type: Value, _ value: Value) -> Bool {
    switch (type.text, value) {
    case ("string", .string), ("boolean", .bool), ("null", .null), ("array", .list),
      ("object", .map), ("number", .int), ("number", .double), ("integer", .int):
      true
    default: false
    }
  }
}

extension Value {
  /// The elements of a list.
  var elements: [Value]? { if case .list(let values) = self { values } else { nil } }

  /// The keys of a map.
  var names: [String] {
    if case .map(let map) = self { map.entries.map { $0.key.text } } else { [] }
  }

  fileprivate var number: Double? {
    switch self {
    case .int(let int): Double(int)
    case .double(let double): double
    default: nil
    }
  }

  /// The member of a map.
  subscript(name: String) -> Value? { if case .map(let map) = self { map[name] } else { nil } }
}
