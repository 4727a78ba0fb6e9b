/// One overload of a function: its name, its types, and what it does.
package struct Function: Sendable {
  /// How a call is written.
  package enum Style: Sendable {
    /// `name(a, b)`.
    case global
    /// `a.name(b)`; the first parameter is the receiver.
    case method
  }

  /// Takes nothing.
  typealias Nullary = @Sendable () throws(EvaluationError) -> Value
  /// Takes one value.
  typealias Unary = @Sendable (Value) throws(EvaluationError) -> Value
  /// Takes two values.
  typealias Binary = @Sendable (Value, Value) throws(EvaluationError) -> Value
  /// Takes three values.
  typealias Ternary = @Sendable (Value, Value, Value) throws(EvaluationError) -> Value
  /// Takes any number of values.
  typealias Variadic = @Sendable ([Value]) throws(EvaluationError) -> Value

  /// Takes any number of values, and may take long: it asks now and then whether to end early.
  package typealias Watched =
    @Sendable ([Value], _ mustStop: @escaping () -> Bool) throws(EvaluationError) -> Value

  /// What a function does, by the number of its parameters.
  enum Body: Sendable {
    case nullary(Nullary)
    case unary(Unary)
    case binary(Binary)
    case ternary(Ternary)
    case variadic(Variadic)
    case watched(Watched)
    case none
  }

  /// The name, qualified where it has a namespace, such as `math.abs`.
  package let name: String
  /// How a call is written.
  package let style: Style
  /// The types of the parameters, the receiver's first.
  package let parameters: [CELType]
  /// The type of the result.
  package let result: CELType
  /// Whether any number of further arguments of the last parameter's type may follow.
  package let isVariadic: Bool
  /// Whether equal arguments always give equal results, so that it may be computed in advance.
  package let isPure: Bool
  /// Whether it gives null of an empty list, and of no other.
  package private(set) var isNullOnlyWhenEmpty = false
  /// What is tried with an argument that is written out.
  private(set) var trial: Trial?
  /// What it does.
  let body: Body

  /// Fails where no call with the argument at a position could work.
  struct Trial: Sendable {
    let position: Int
    let body: Unary
  }

  /// Makes an overload of its parts.
  init(
    _ name: String, _ style: Style, _ parameters: [CELType], _ result: CELType,
    isVariadic: Bool = false, isPure: Bool, body: Body
  ) {
    self.name = name
    self.style = style
    self.parameters = parameters
    self.result = result
    self.isVariadic = isVariadic
    self.isPure = isPure
    self.body = body
  }

  /// The function as one that gives null of an empty list, and of no other.
  package func nullOnlyWhenEmpty() -> Function {
    var function = self
    function.isNullOnlyWhenEmpty = true
    return function
  }

  /// The function with what is tried, before any evaluation, with a literal at a position.
  package func trying(
    at position: Int,
    _ body: @escaping @Sendable (Value) throws(EvaluationError) -> Void
  ) -> Function {
    var function = self
    function.trial = Trial(position: position) { value throws(EvaluationError) in
      try body(value)
      return .null
    }
    return function
  }

  /// The function with its second argument tried, before any evaluation, beside a first one with
  /// which it works.
  package func tryingSecond(beside first: Value) -> Function {
    trying(at: 1) { [self] value throws(EvaluationError) in _ = try call([first, value]) }
  }

  /// The form of a call, such as `text.replace(string, string) -> string`.
  package var signature: String {
    let isMethod = style == .method && !parameters.isEmpty
    let receiver = isMethod ? "\(parameters[0])." : ""
    let rest = parameters.dropFirst(isMethod ? 1 : 0).map(\.description)
    return "\(receiver)\(name)(\(rest.joined(separator: ", "))\(isVariadic ? ", …" : ""))"
  }

  /// Whether a call with so many arguments, the receiver counted, may mean this overload.
  func takes(_ count: Int) -> Bool {
    isVariadic ? count >= parameters.count : count == parameters.count
  }

  /// Whether it takes values of these kinds.
  func accepts(_ arguments: [Value]) -> Bool {
    guard takes(arguments.count) else { return false }
    for (index, argument) in arguments.enumerated() {
      let type = index < parameters.count ? parameters[index] : parameters[parameters.count - 1]
      if !type.accepts(argument) { return false }
    }
    return true
  }
}
