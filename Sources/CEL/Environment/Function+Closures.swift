/// Types are read off the closure unless they are given; a closure that fails throws an
/// `EvaluationError` with a message, which the call locates.
extension Function {
  /// Makes a function without parameters.
  package init<R: ValueConvertible>(
    _ name: String, returns: CELType? = nil, isPure: Bool = false,
    _ body: @escaping @Sendable () throws(EvaluationError) -> R
  ) {
    self.init(
      name, .global, [], returns ?? R.valueType, isPure: isPure,
      body: .nullary { () throws(EvaluationError) in try body().value })
  }

  /// Makes a function of one parameter.
  package init<A: ValueConvertible, R: ValueConvertible>(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A) throws(EvaluationError) -> R
  ) {
    self.init(
      name, style, types ?? [A.valueType], returns ?? R.valueType, isPure: isPure,
      body: .unary { a throws(EvaluationError) in try body(Self.take(a)).value })
  }

  /// Makes a function of two parameters.
  package init<A: ValueConvertible, B: ValueConvertible, R: ValueConvertible>(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A, B) throws(EvaluationError) -> R
  ) {
    self.init(
      name, style, types ?? [A.valueType, B.valueType], returns ?? R.valueType, isPure: isPure,
      body: .binary { a, b throws(EvaluationError) in
        try body(Self.take(a), Self.take(b)).value
      })
  }

  /// Makes a function of three parameters.
  package init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, R: ValueConvertible
  >(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A, B, C) throws(EvaluationError) -> R
  ) {
    self.init(
      name, style, types ?? [A.valueType, B.valueType, C.valueType], returns ?? R.valueType,
      isPure: isPure,
      body: .ternary { a, b, c throws(EvaluationError) in
        try body(Self.take(a), Self.take(b), Self.take(c)).value
      })
  }

  /// Makes a function of any number of parameters, and of further ones when it is variadic.
  package init(
    _ name: String, _ style: Style = .global, list types: [CELType], returns: CELType,
    isVariadic: Bool = false, isPure: Bool = true,
    _ body: @escaping @Sendable ([Value]) throws(EvaluationError) -> Value
  ) {
    self.init(
      name, style, types, returns, isVariadic: isVariadic, isPure: isPure, body: .variadic(body))
  }

  /// Makes a function that may take long; where it ends early, its result counts for nothing.
  package init(
    _ name: String, watched types: [CELType], returns: CELType, _ body: @escaping Watched
  ) {
    self.init(name, .global, types, returns, isPure: true, body: .watched(body))
  }

  /// Declares a function that can be checked and not called.
  package init(
    declaring name: String, _ style: Style = .global, _ types: [CELType], returns: CELType
  ) {
    self.init(name, style, types, returns, isPure: false, body: .none)
  }

  private static func take<T: ValueConvertible>(_ value: Value) throws(EvaluationError) -> T {
    if let taken = T(value) { return taken }
    throw EvaluationError("expected \(T.valueType), found \(value.kindName)")
  }
}
