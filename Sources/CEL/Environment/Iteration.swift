/// A function that evaluates an expression for values of its choice, such as
/// `links.sortBy(x, x.title)`: a macro that the host adds.
package struct Iteration: Sendable {
  /// Evaluates the expression that was written with these values for its variables.
  package typealias Each = ([Value]) throws(EvaluationError) -> Value
  /// Makes the result of the receiver and the expression.
  package typealias Body = @Sendable (Value, Each) throws(EvaluationError) -> Value

  /// The name of the method.
  package let name: String
  /// The type of the receiver.
  package let receiver: CELType
  /// The types of the variables that the call names, before the expression.
  package let variables: [CELType]
  /// The type that the expression must have.
  package let expression: CELType
  /// The type of the result.
  package let result: CELType
  /// What it does.
  let body: Body

  /// Makes a method that takes the names of variables and an expression over them.
  package init(
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
