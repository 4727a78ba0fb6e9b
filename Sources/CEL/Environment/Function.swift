/// One overload of a function: name, types and implementation.
package struct Function: Sendable {
  /// The form of a call.
  package enum Style: Sendable {
    /// `name(a, b)`.
    case global
    /// `a.name(b)`; the first parameter is the receiver.
    case method
  }

  /// Whether the evaluation is to be interrupted.
  package typealias Stop = () -> Bool
  /// The implementation of a function; `Stop` is nil if nothing interrupts the evaluation.
  typealias Body = @Sendable (Arguments, Stop?) throws(EvaluationError) -> Value
  /// The implementation of a long-running variadic function; it polls `mustStop` to return early.
  package typealias Watched =
    @Sendable ([Value], _ mustStop: @escaping Stop) throws(EvaluationError) -> Value

  /// The name, qualified if it has a namespace: `math.abs`.
  package let name: String
  /// The form of a call.
  package let style: Style
  /// The parameter types, the receiver's first.
  package let parameters: [CELType]
  /// The result type.
  package let result: CELType
  /// Whether further arguments of the last parameter's type may follow.
  package let isVariadic: Bool
  /// Whether equal arguments always give equal results, which allows constant folding.
  package let isPure: Bool
  /// Whether it returns null for an empty list only.
  package private(set) var isNullOnlyWhenEmpty = false
  /// Validation of a literal argument before evaluation.
  private(set) var trial: Trial?
  /// Whether it polls for interruption.
  let isWatched: Bool
  /// The implementation.
  let body: Body

  /// Throws if no call with this literal at a position can succeed.
  struct Trial: Sendable {
    let position: Int
    let body: @Sendable (Value) throws(EvaluationError) -> Void
  }

  /// Creates an overload.
  init(
    _ name: String, _ style: Style, _ parameters: [CELType], _ result: CELType,
    isVariadic: Bool = false, isPure: Bool, isWatched: Bool = false, body: @escaping Body
  ) {
    self.name = name
    self.style = style
    self.parameters = parameters
    self.result = result
    self.isVariadic = isVariadic
    self.isPure = isPure
    self.isWatched = isWatched
    self.body = body
  }

  /// Returns the function marked as returning null for an empty list only.
  package func nullOnlyWhenEmpty() -> Function {
    var function = self
    function.isNullOnlyWhenEmpty = true
    return function
  }

  /// Returns the function with a validation of literal arguments at a position.
  package func trying(
    at position: Int,
    _ body: @escaping @Sendable (Value) throws(EvaluationError) -> Void
  ) -> Function {
    var function = self
    function.trial = Trial(position: position, body: body)
    return function
  }

  /// Returns the function with literals validated by calling it; for functions of one argument.
  package func tryingFirst() -> Function {
    trying(at: 0) { [self] value throws(EvaluationError) in _ = try call([value]) }
  }

  /// Returns the function with literals for its second argument validated by calling it with `first`.
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

  /// Returns whether it can be called with `count` arguments, including the receiver.
  func takes(_ count: Int) -> Bool {
    isVariadic ? count >= parameters.count : count == parameters.count
  }

  /// Returns whether it accepts values of these types; the count must match.
  func accepts(_ arguments: Arguments) -> Bool {
    (0..<arguments.count).allSatisfy {
      parameters[min($0, parameters.count - 1)].accepts(arguments[$0])
    }
  }

  /// Calls it; the number of values must match the parameters.
  func call(_ values: [Value]) throws(EvaluationError) -> Value {
    var arguments = Arguments()
    for value in values { arguments.append(value) }
    return try body(arguments, nil)
  }
}

/// The arguments of a call; the first three are stored inline, without an array.
struct Arguments {
  /// The number of arguments.
  private(set) var count = 0
  private var near: (Value, Value, Value) = (.null, .null, .null)
  private var far: [Value] = []

  /// Appends an argument.
  mutating func append(_ value: Value) {
    switch count {
    case 0: near.0 = value
    case 1: near.1 = value
    case 2: near.2 = value
    default: far.append(value)
    }
    count += 1
  }

  /// The argument at a position.
  subscript(index: Int) -> Value {
    switch index {
    case 0: near.0
    case 1: near.1
    case 2: near.2
    default: far[index - 3]
    }
  }

  /// All arguments in order.
  var all: [Value] { (0..<count).map { self[$0] } }
}
