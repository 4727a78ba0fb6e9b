internal import CEL
internal import JSON

/// A case of the conformance suite: an expression and its expected result.
package struct ConformanceCase: Sendable {
  /// The file, section and name of the case.
  package let name: String
  /// The expression.
  package let expression: String
  /// The file of the case.
  let file: String
  /// The namespace searched first.
  let container: String
  /// Whether the expression is evaluated without a check.
  let disablesCheck: Bool
  /// Whether macro names are treated as functions.
  let disablesMacros: Bool
  /// Whether the expression is only checked.
  let checksOnly: Bool
  /// The variables.
  let bindings: [String: Value]
  /// The declarations of variables and functions, in text format.
  let declarations: [String]
  /// The expected type, in text format.
  let deducedType: String?
  /// The expected result; nil if only the type is tested.
  let outcome: Outcome?

  /// An expected result.
  enum Outcome: Sendable {
    case value(Value)
    case failure
  }

  /// Reads a file of cases: a JSON array, as described in the suite's README.
  ///
  /// - Throws: `JSONError`, or a `ConformanceError` for an invalid case.
  package static func read(_ bytes: [UInt8]) throws -> [ConformanceCase] {
    guard case .list(let cases) = try JSONParser().parse(bytes) else {
      throw ConformanceError("a file of cases is a JSON array")
    }
    return try cases.map(ConformanceCase.init)
  }

  private init(_ value: Value) throws {
    guard case .map(let fields) = value, case .string(let expression)? = fields["expr"],
      case .string(let file)? = fields["file"], case .string(let section)? = fields["section"],
      case .string(let name)? = fields["name"]
    else { throw ConformanceError("a case has file, section, name and expr") }
    self.expression = expression
    self.file = file
    self.name = "\(file)/\(section)/\(name)"
    container = String(fields["container"] ?? "") ?? ""
    disablesCheck = fields["disable_check"] == true
    disablesMacros = fields["disable_macros"] == true
    checksOnly = fields["check_only"] == true
    deducedType = fields["deduced_type"].flatMap { String($0) }
    declarations = fields["type_env"].flatMap { [String]($0) } ?? []
    var bindings: [String: Value] = [:]
    if case .map(let given)? = fields["bindings"] {
      for entry in given.entries {
        bindings[entry.key.text] = try Self.value(entry.value)
      }
    }
    self.bindings = bindings
    if let wanted = fields["value"] {
      outcome = .value(try Self.value(wanted))
    } else {
      outcome = fields["error"] == nil ? nil : .failure
    }
  }

  /// Converts a value of the suite: the name of its type, then its content.
  private static func value(_ json: Value) throws -> Value {
    guard case .list(let parts) = json, let type = parts.first.flatMap({ String($0) }) else {
      throw ConformanceError("a value is an array that begins with its type")
    }
    let content = parts.count > 1 ? parts[1] : .null
    let text = String(content) ?? ""
    switch (type, content) {
    case ("null", _): return .null
    case ("bool", .bool): return content
    case ("int64", _): if let number = Int64(text) { return .int(number) }
    case ("uint64", _): if let number = UInt64(text) { return .uint(number) }
    case ("double", _): if let number = Double(text) { return .double(number) }
    case ("string", .string): return content
    case ("bytes", _): if let bytes = Base64.decode(text) { return .bytes(bytes) }
    case ("type", _): return .type(TypeName(text))
    case ("list", .list(let elements)): return .list(try elements.map(value))
    case ("map", .list(let entries)):
      return .map(
        MapValue(
          entries: try entries.map { entry in
            guard case .list(let pair) = entry, pair.count == 2 else {
              throw ConformanceError("an entry of a map is a pair")
            }
            return (try value(pair[0]), try value(pair[1]))
          }))
    default: break
    }
    throw ConformanceError("no value of type \(type): \(content)")
  }
}

/// The reason why a file of cases cannot be read.
package struct ConformanceError: Error, CustomStringConvertible {
  /// The message.
  package let description: String

  /// Creates an error.
  init(_ description: String) {
    self.description = description
  }
}
