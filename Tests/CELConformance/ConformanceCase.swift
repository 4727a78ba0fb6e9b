internal import CEL
internal import JSON

/// One case of a conformance suite: an expression, and what must come of it.
package struct ConformanceCase: Sendable {
  /// The file and section it comes from, and its name.
  package let name: String
  /// The expression.
  package let expression: String
  /// The file it comes from.
  let file: String
  /// The namespace in which names are looked up first.
  let container: String
  /// Whether it is evaluated unchecked.
  let disablesCheck: Bool
  /// Whether calls of macro names are functions.
  let disablesMacros: Bool
  /// Whether it is not evaluated.
  let checksOnly: Bool
  /// The variables.
  let bindings: [String: Value]
  /// Declarations of variables and functions, as text.
  let declarations: [String]
  /// The type that the check must find, as text.
  let deducedType: String?
  /// What evaluation must come to; nil when the type is all.
  let outcome: Outcome?

  /// What evaluation must come to.
  enum Outcome: Sendable {
    case value(Value)
    case failure
  }

  /// Reads a file of cases: a JSON array, as the suite's README describes it.
  ///
  /// - Throws: `JSONError`, or a `ConformanceError` for what is no case.
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

  /// A value as the suite writes it: the name of its type, then its content.
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

/// Says why a file of cases can't be read.
package struct ConformanceError: Error, CustomStringConvertible {
  /// The reason in words.
  package let description: String

  /// Makes an error of words.
  init(_ description: String) {
    self.description = description
  }
}
