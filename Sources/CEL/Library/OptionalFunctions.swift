/// The optionals extension without its macros.
enum OptionalFunctions {
  private static let item = CELType.parameter("T")
  private static let optional = CELType.optional(item)

  static let all: [LibraryFunction] = [
    .init("optional.of") {
      Function($0, .global, [item], returns: optional) { (value: Value) in
        Value.optional(OptionalValue(value))
      }
    },
    .init("optional.none") {
      Function($0, returns: optional, isPure: true) { Value.optional(.none) }
    },
    .init("optional.ofNonZeroValue") {
      Function($0, .global, [item], returns: optional) { (value: Value) in
        Value.optional(value.isZero ? .none : OptionalValue(value))
      }
    },
    .init("hasValue") {
      Function($0, .method, [optional]) { (value: Value) throws(EvaluationError) in
        try held(value) != nil
      }
    },
    .init("value") {
      Function($0, .method, [optional], returns: item) { (value: Value) throws(EvaluationError) in
        if let held = try held(value) { return held }
        throw EvaluationError(.placed(.invalidArgument, "the optional is empty"))
      }
    },
    .init("or") {
      Function($0, .method, [optional, optional], returns: optional) {
        (value: Value, other: Value) throws(EvaluationError) in
        try held(value) == nil ? other : value
      }
    },
    .init("orValue") {
      Function($0, .method, [optional, item], returns: item) {
        (value: Value, other: Value) throws(EvaluationError) in try held(value) ?? other
      }
    },
    .init("optional.unwrap") { unwrap($0, .global) },
    .init("unwrapOpt") { unwrap($0, .method) },
  ]

  private static func held(_ value: Value) throws(EvaluationError) -> Value? {
    if case .optional(let optional) = value { return optional.wrapped }
    throw EvaluationError("expected an optional, found \(value.kindName)")
  }

  /// Returns the function that unwraps the non-empty optionals of a list.
  private static func unwrap(_ name: String, _ style: Function.Style) -> Function {
    Function(name, style, [.list(optional)], returns: .list(item)) {
      (list: [Value]) throws(EvaluationError) in
      var values: [Value] = []
      for value in list {
        if let held = try held(value) { values.append(held) }
      }
      return values
    }
  }
}

extension Value {
  /// Whether it is the zero value of its type: null, false, 0, or empty.
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
