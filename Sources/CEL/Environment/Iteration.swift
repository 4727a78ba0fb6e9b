/// A function that evaluates an expression for values of its choice, such as
/// `links.sortBy(x, x.title)`: a macro that the host adds.
public struct Iteration: Sendable {
  /// Evaluates the expression that was written with these values for its variables.
  public typealias Each = ([Value]) throws(EvaluationError) -> Value
  /// Makes the result of the receiver and the expression.
  public typealias Body = @Sendable (Value, Each) throws(EvaluationError) -> Value

  /// The name of the method.
  public let name: String
  /// The type of the receiver.
  public let receiver: ValueType
  /// The types of the variables that the call names, before the expression.
  public let variables: [ValueType]
  /// The type that the expression must have.
  public let expression: ValueType
  /// The type of the result.
  public let result: ValueType
  let body: Body

  /// Makes a method that takes the names of variables and an expression over them.
  public init(
    _ name: String, on receiver: ValueType, variables: [ValueType], expression: ValueType,
    returns result: ValueType, _ body: @escaping Body
  ) {
    self.name = name
    self.receiver = receiver
    self.variables = variables
    self.expression = expression
    self.result = result
    self.body = body
  }
}
