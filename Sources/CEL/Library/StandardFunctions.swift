/// The functions of the language definition, those on time aside.
enum StandardFunctions: FunctionLibrary {
  static let names = [
    "size", "int", "uint", "double", "string", "bytes", "bool", "dyn", "type", "contains",
    "startsWith", "endsWith", "matches", "coalesce",
  ]

  static func overloads(of name: String) -> [Function]? {
    switch name {
    case "size": size(name)
    case "int", "uint", "double", "string", "bytes", "bool": conversions(name)
    case "dyn": [Function(name) { (value: Value) in value }]
    case "type":
      [
        Function(name, .global, [.parameter("T")], returns: .type(.parameter("T"))) {
          (value: Value) in Value.type(TypeName(value.typeName))
        }
      ]
    case "contains":
      [Function(name, .method) { (text: String, part: String) in text.containsCodePoints(part) }]
    case "startsWith":
      [Function(name, .method) { (text: String, part: String) in text.startsWithCodePoints(part) }]
    case "endsWith":
      [Function(name, .method) { (text: String, part: String) in text.endsWithCodePoints(part) }]
    case "matches": matches(name)
    case "coalesce": coalesce(name)
    default: nil
    }
  }

  private static func size(_ name: String) -> [Function] {
    [Function.Style.global, .method].flatMap { style in
      [
        Function(name, style) { (text: String) in Int64(text.codePointCount) },
        Function(name, style, [.bytes], returns: .int) { (bytes: Value) in
          if case .bytes(let bytes) = bytes { return Value.int(Int64(bytes.count)) }
          return .int(0)
        },
        Function(name, style, [.list(.parameter("T"))]) { (list: [Value]) in Int64(list.count) },
        Function(name, style, [.map(.parameter("K"), .parameter("V"))]) { (map: MapValue) in
          Int64(map.count)
        },
      ]
    }
  }

  private static func matches(_ name: String) -> [Function] {
    [Function.Style.global, .method].map { style in
      Function(name, style) { (text: String, pattern: String) throws(EvaluationError) in
        try Regex.shared(pattern).matches(text)
      }
    }
  }

  /// The first argument that is not null.
  private static func coalesce(_ name: String) -> [Function] {
    [
      Function(
        name, list: [.nullable(.parameter("T"))], returns: .nullable(.parameter("T")),
        isVariadic: true
      ) { values throws(EvaluationError) in values.first { !$0.isNull } ?? .null }
    ]
  }

  // MARK: - Conversions

  private static func conversions(_ name: String) -> [Function] {
    func from(_ types: CELType..., to result: CELType) -> [Function] {
      types.map { type in
        Function(name, .global, [type], returns: result) {
          (value: Value) throws(EvaluationError) in
          guard let converted = value.converted(to: result) else {
            throw EvaluationError(.conversion(value, to: "\(result)"))
          }
          return converted
        }
      }
    }
    return switch name {
    case "int": from(.int, .uint, .double, .string, .timestamp, .duration, to: .int)
    case "uint": from(.uint, .int, .double, .string, to: .uint)
    case "double": from(.double, .int, .uint, .string, to: .double)
    case "bytes": from(.bytes, .string, to: .bytes)
    case "bool": from(.bool, .string, to: .bool)
    default:
      from(
        .string, .int, .uint, .double, .bool, .bytes, .timestamp, .duration, AddressValue.valueType,
        NetworkValue.valueType, to: .string)
    }
  }
}
