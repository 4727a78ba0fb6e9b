/// Types are inferred from the closure unless given; an `EvaluationError` thrown by the closure is located by the call.
extension Function {
  /// Creates a function without parameters.
  package init<R: ValueConvertible>(
    _ name: String, returns: CELType? = nil, isPure: Bool = false,
    _ body: @escaping @Sendable () throws(EvaluationError) -> R
  ) {
    self.init(name, .global, [], returns ?? R.valueType, isPure: isPure) {
      _, _ throws(EvaluationError) in try body().value
    }
  }

  /// Creates a function of one parameter.
  package init<A: ValueConvertible, R: ValueConvertible>(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A) throws(EvaluationError) -> R
  ) {
    self.init(name, style, types ?? [A.valueType], returns ?? R.valueType, isPure: isPure) {
      given, _ throws(EvaluationError) in try body(Self.take(given[0])).value
    }
  }

  /// Creates a function of two parameters.
  package init<A: ValueConvertible, B: ValueConvertible, R: ValueConvertible>(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A, B) throws(EvaluationError) -> R
  ) {
    let types = types ?? [A.valueType, B.valueType]
    self.init(name, style, types, returns ?? R.valueType, isPure: isPure) {
      given, _ throws(EvaluationError) in
      try body(Self.take(given[0]), Self.take(given[1])).value
    }
  }

  /// Creates a function of three parameters.
  package init<
    A: ValueConvertible, B: ValueConvertible, C: ValueConvertible, R: ValueConvertible
  >(
    _ name: String, _ style: Style = .global, _ types: [CELType]? = nil,
    returns: CELType? = nil, isPure: Bool = true,
    _ body: @escaping @Sendable (A, B, C) throws(EvaluationError) -> R
  ) {
    let types = types ?? [A.valueType, B.valueType, C.valueType]
    self.init(name, style, types, returns ?? R.valueType, isPure: isPure) {
      given, _ throws(EvaluationError) in
      try body(Self.take(given[0]), Self.take(given[1]), Self.take(given[2])).value
    }
  }

  /// Creates a function of any number of parameters, optionally variadic.
  package init(
    _ name: String, _ style: Style = .global, list types: [CELType], returns: CELType,
    isVariadic: Bool = false, isPure: Bool = true,
    _ body: @escaping @Sendable ([Value]) throws(EvaluationError) -> Value
  ) {
    self.init(name, style, types, returns, isVariadic: isVariadic, isPure: isPure) {
      given, _ throws(EvaluationError) in try body(given.all)
    }
  }

  /// Creates a long-running function; its result is discarded if it is interrupted.
  package init(
    _ name: String, watched types: [CELType], returns: CELType, _ body: @escaping Watched
  ) {
    self.init(name, .global, types, returns, isPure: true, isWatched: true) {
      given, mustStop throws(EvaluationError) in
      let result = try body(given.all, mustStop ?? { false })
      if mustStop?() == true {
        throw EvaluationError("the evaluation was interrupted", code: .interrupted)
      }
      return result
    }
  }

  /// Declares a function that can be type-checked but not called.
  package init(
    declaring name: String, _ style: Style = .global, _ types: [CELType], returns: CELType
  ) {
    self.init(name, style, types, returns, isPure: false) { _, _ throws(EvaluationError) in
      throw EvaluationError(.unknownFunction(name))
    }
  }

  private static func take<T: ValueConvertible>(_ value: Value) throws(EvaluationError) -> T {
    if let taken = T(value) { return taken }
    throw EvaluationError("expected \(T.valueType), found \(value.kindName)")
  }
}
