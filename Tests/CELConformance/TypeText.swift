internal import CEL

/// Parses types and declarations of `cel.expr` in the protocol buffer text format.
enum TypeText {
  /// A field of a message: its name, and a scalar's text or another message.
  struct Field {
    let name: String
    let text: String
    let message: [Field]
  }

  /// The declarations to add to an environment.
  enum Declaration {
    case variable(String, CELType)
    case function(Function)
  }

  // MARK: - Conversion

  /// Converts a `Decl` message.
  static func declarations(_ text: String) throws -> [Declaration] {
    let fields = try parse(text)
    let name = fields.first { $0.name == "name" }?.text ?? ""
    var declarations: [Declaration] = []
    for field in fields {
      if field.name == "ident", let type = field.message.first(where: { $0.name == "type" }) {
        declarations.append(.variable(name, try self.type(of: type.message)))
      }
      for overload in field.message where field.name == "function" && overload.name == "overloads" {
        let parts = overload.message
        let parameters = try parts.filter { $0.name == "params" }.map { try type(of: $0.message) }
        let result = try parts.first { $0.name == "result_type" }.map { try type(of: $0.message) }
        let isMethod = parts.contains { $0.name == "is_instance_function" && $0.text == "true" }
        declarations.append(
          .function(
            Function(
              declaring: name, isMethod ? .method : .global, parameters, returns: result ?? .dyn)))
      }
    }
    return declarations
  }

  /// Converts a `Type` message.
  static func type(of fields: [Field]) throws -> CELType {
    guard let field = fields.first else { return .dyn }
    func part(_ name: String) throws -> CELType {
      try field.message.first { $0.name == name }.map { try type(of: $0.message) } ?? .dyn
    }
    switch field.name {
    case "dyn": return .dyn
    case "null": return .null
    case "primitive": return try basic(field.text)
    case "wrapper": return .nullable(try basic(field.text))
    case "well_known":
      return field.text == "TIMESTAMP" ? .timestamp : field.text == "DURATION" ? .duration : .dyn
    case "list_type": return .list(try part("elem_type"))
    case "map_type": return .map(try part("key_type"), try part("value_type"))
    case "message_type": return .object(field.text)
    case "type_param": return .parameter(field.text)
    case "type": return .type(field.message.isEmpty ? nil : try type(of: field.message))
    case "abstract_type":
      let name = field.message.first { $0.name == "name" }?.text ?? ""
      let parts = try field.message.filter { $0.name == "parameter_types" }.map {
        try type(of: $0.message)
      }
      if name == "optional_type", let wrapped = parts.first { return .optional(wrapped) }
      return .opaque(name, parts)
    default: throw ConformanceError("no type `\(field.name)`")
    }
  }

  private static func basic(_ name: String) throws -> CELType {
    switch name {
    case "BOOL": return .bool
    case "INT64": return .int
    case "UINT64": return .uint
    case "DOUBLE": return .double
    case "STRING": return .string
    case "BYTES": return .bytes
    default: throw ConformanceError("no basic type `\(name)`")
    }
  }

  // MARK: - Parsing

  /// Parses the fields of a message.
  static func parse(_ text: String) throws -> [Field] {
    var words = words(of: text)[...]
    let fields = try fields(&words)
    guard words.isEmpty else { throw ConformanceError("unexpected `\(words[words.startIndex])`") }
    return fields
  }

  private static func fields(_ words: inout ArraySlice<String>) throws -> [Field] {
    var fields: [Field] = []
    while let name = words.first, name != "}" {
      words.removeFirst()
      if words.first == ":" { words.removeFirst() }
      guard let value = words.popFirst() else { throw ConformanceError("`\(name)` has no value") }
      if value == "{" {
        fields.append(Field(name: name, text: "", message: try self.fields(&words)))
        guard words.popFirst() == "}" else { throw ConformanceError("`\(name)` is not closed") }
      } else {
        fields.append(Field(name: name, text: value, message: []))
      }
    }
    return fields
  }

  /// Splits a text into names, quoted strings without their quotes, and punctuation.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      if character == "\"" {
        if isQuoted { words.append(word) }
        word = ""
        isQuoted.toggle()
      } else if isQuoted || !" \n\t{}:,".contains(character) {
        word.append(character)
      } else {
        if !word.isEmpty { words.append(word) }
        word = ""
        if "{}:".contains(character) { words.append(String(character)) }
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
