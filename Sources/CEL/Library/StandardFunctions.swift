/// The standard functions of the language definition, except those on time.
enum StandardFunctions {
  static let all: [LibraryFunction] = [
    .init("size") {
      size($0, .global) + size($0, .method)
    },
    .init("int") { from($0, .int, .uint, .double, .string, .timestamp, .duration, to: .int) },
    .init("uint") { from($0, .uint, .int, .double, .string, to: .uint) },
    .init("double") { from($0, .double, .int, .uint, .string, to: .double) },
    .init("string") {
      from(
        $0, .string, .int, .uint, .double, .bool, .bytes, .timestamp, .duration,
        AddressValue.valueType,
        NetworkValue.valueType, to: .string)
    },
    .init("bytes") { from($0, .bytes, .string, to: .bytes) },
    .init("bool") { from($0, .bool, .string, to: .bool) },
    .init("dyn") { Function($0) { (value: Value) in value } },
    .init("type") {
      Function($0, .global, [.parameter("T")], returns: .type(.parameter("T"))) { (value: Value) in
        Value.type(TypeName(value.typeName))
      }
    },
    .init("contains") {
      Function($0, .method) { (text: String, part: String) in text.containsCodePoints(part) }
    },
    .init("startsWith") {
      Function($0, .method) { (text: String, part: String) in text.startsWithCodePoints(part) }
    },
    .init("endsWith") {
      Function($0, .method) { (text: String, part: String) in text.endsWithCodePoints(part) }
    },
    .init("matches") {
      matches($0, .global)
      matches($0, .method)
    },
    // Returns the first non-null argument.
    .init("coalesce") {
      Function(
        $0,
        list: [.nullable(.parameter("T"))], returns: .nullable(.parameter("T")), isVariadic: true
      ) { values throws(EvaluationError) in values.first { !$0.isNull } ?? .null }
    },
  ]

  private static func size(_ name: String, _ style: Function.Style) -> [Function] {
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

  private static func matches(_ name: String, _ style: Function.Style) -> Function {
    Function(name, style) { (text: String, pattern: String) throws(EvaluationError) in
      try Regex.shared(pattern).matches(text)
    }.tryingSecond(beside: "")
  }

  /// Returns the overloads of a conversion function.
  private static func from(_ name: String, _ types: CELType..., to result: CELType) -> [Function] {
    types.map { type in
      Function(name, .global, [type], returns: result) { (value: Value) throws(EvaluationError) in
        guard let converted = value.converted(to: result) else {
          throw EvaluationError(.conversion(value, to: "\(result)"))
        }
        return converted
      }
    }
  }
}
