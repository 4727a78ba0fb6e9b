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
  public let receiver: CELType
  /// The types of the variables that the call names, before the expression.
  public let variables: [CELType]
  /// The type that the expression must have.
  public let expression: CELType
  /// The type of the result.
  public let result: CELType
  /// What it does.
  let body: Body

  /// Makes a method that takes the names of variables and an expression over them.
  public init(
    _ name: String, on receiver: CELType, variables: [CELType], expression: CELType,
    returns result: CELType, _ body: @escaping Body
  ) {
    self.name = name
    self.receiver = receiver
    self.variables = variables
    self.expression = expression
    self.result = result
    self.body = body
  }
}
