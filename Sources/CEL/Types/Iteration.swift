/// A host-defined macro that evaluates an expression for values of its choice, such as `links.sortBy(x, x.title)`.
package struct Iteration: Sendable {
  /// Evaluates the macro's expression with these values for its variables.
  package typealias Each = ([Value]) throws(EvaluationError) -> Value
  /// Computes the result from the receiver and the expression.
  package typealias Body = @Sendable (Value, Each) throws(EvaluationError) -> Value

  /// The name of the method.
  package let name: String
  /// The type of the receiver.
  package let receiver: CELType
  /// The types of the variables named before the expression.
  package let variables: [CELType]
  /// The required type of the expression.
  package let expression: CELType
  /// The result type.
  package let result: CELType
  /// The implementation.
  let body: Body

  /// Creates a method macro that takes variable names and an expression over them.
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
