/// The optionals extension, its macros aside.
enum OptionalFunctions: FunctionLibrary {
  static let names = [
    "optional.of", "optional.none", "optional.ofNonZeroValue", "hasValue", "value", "or",
    "orValue", "optional.unwrap", "unwrapOpt",
  ]

  private static let item = CELType.parameter("T")
  private static let optional = CELType.optional(item)

  static func overloads(of name: String) -> [Function]? {
    switch name {
    case "optional.of":
      [
        Function(name, .global, [item], returns: optional) { (value: Value) in
          Value.optional(OptionalValue(value))
        }
      ]
    case "optional.none":
      [Function(name, returns: optional, isPure: true) { Value.optional(.none) }]
    case "optional.ofNonZeroValue":
      [
        Function(name, .global, [item], returns: optional) { (value: Value) in
          Value.optional(value.isZero ? .none : OptionalValue(value))
        }
      ]
    case "hasValue":
      [
        Function(name, .method, [optional]) { (value: Value) throws(EvaluationError) in
          try held(value) != nil
        }
      ]
    case "value":
      [
        Function(name, .method, [optional], returns: item) {
          (value: Value) throws(EvaluationError) in
          if let held = try held(value) { return held }
          throw EvaluationError(.emptyOptional)
        }
      ]
    case "or":
      [
        Function(name, .method, [optional, optional], returns: optional) {
          (value: Value, other: Value) throws(EvaluationError) in
          try held(value) == nil ? other : value
        }
      ]
    case "orValue":
      [
        Function(name, .method, [optional, item], returns: item) {
          (value: Value, other: Value) throws(EvaluationError) in try held(value) ?? other
        }
      ]
    case "optional.unwrap":
      [
        Function(name, .global, [.list(optional)], returns: .list(item)) {
          (list: [Value]) throws(EvaluationError) in try unwrap(list)
        }
      ]
    case "unwrapOpt":
      [
        Function(name, .method, [.list(optional)], returns: .list(item)) {
          (list: [Value]) throws(EvaluationError) in try unwrap(list)
        }
      ]
    default: nil
    }
  }

  private static func held(_ value: Value) throws(EvaluationError) -> Value? {
    if case .optional(let optional) = value { return optional.wrapped }
    throw EvaluationError("expected an optional, found \(value.kindName)")
  }

  /// The values that optionals hold, without those that hold none.
  private static func unwrap(_ list: [Value]) throws(EvaluationError) -> [Value] {
    var values: [Value] = []
    for value in list {
      if let held = try held(value) { values.append(held) }
    }
    return values
  }
}

extension Value {
  /// Whether it is the zero of its type: null, false, 0, or empty.
  var isZero: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .int(let value): value == 0
    case .uint(let value): value == 0
    case .double(let value): value == 0
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .list(let value): value.isEmpty
    case .map(let value): value.isEmpty
    case .duration(let value): value.seconds == 0 && value.nanoseconds == 0
    case .timestamp(let value): value.seconds == 0 && value.nanoseconds == 0
    case .optional(let value): value.wrapped == nil
    case .type, .object: false
    }
  }
}
