/// A part of a program: it takes a frame to a value.
protocol Node: Sendable {
  /// The value in a frame.
  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value
  /// The value, when it is the same in every frame.
  var constant: Value? { get }
  /// Roughly how many nodes one evaluation visits, loops aside.
  var cost: Int { get }
}

extension Node {
  var constant: Value? { nil }
  var cost: Int { 1 }
}

/// A value known in advance.
struct ConstantNode: Node {
  /// The value.
  let value: Value

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value { value }
  var constant: Value? { value }
}

/// A variable of the host.
struct VariableNode: Node {
  /// The index.
  let index: Int
  /// The name.
  let name: String
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    if let value = frame.variables[index] { return value }
    throw EvaluationError(.unknownVariable(name), at: origin)
  }
}

/// A variable of a macro.
struct LocalNode: Node {
  /// The slot of its variable.
  let slot: Int

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    // The macro that owns the slot has filled it before anything inside it is evaluated.
    frame.locals[slot] ?? .null
  }
}

/// An expression that is known to fail, if it is ever reached.
struct FailureNode: Node {
  /// How it fails.
  let error: EvaluationError

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value { throw error }
}
