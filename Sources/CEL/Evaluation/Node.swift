/// A compiled subexpression.
struct Node: Sendable {
  /// Evaluates the node in a frame.
  typealias Body = @Sendable (inout Frame) throws(EvaluationError) -> Value

  /// The value, if it is the same in every frame.
  let constant: Value?
  /// The approximate number of nodes that one evaluation visits, without loops.
  let cost: Int
  private let body: Body

  /// Creates a node over other nodes.
  init(over parts: [Node] = [], cost: Int = 1, _ body: @escaping Body) {
    constant = nil
    self.cost = parts.reduce(cost) { $0 + $1.cost }
    self.body = body
  }

  /// Creates a constant node.
  init(_ value: Value) {
    constant = value
    cost = 1
    body = { _ in value }
  }

  /// Creates a node that always fails.
  init(failing error: EvaluationError) {
    self.init { _ throws(EvaluationError) in throw error }
  }

  /// Creates a node that reads a macro's variable.
  init(local slot: Int) {
    // The macro that owns the slot fills it before its body is evaluated.
    self.init { frame in frame.locals[slot] ?? .null }
  }

  /// Evaluates the node in a frame.
  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value { try body(&frame) }

  /// Evaluates a condition, which must be a bool.
  func holds(_ frame: inout Frame, at origin: Expression) throws(EvaluationError) -> Bool {
    let value = try body(&frame)
    if case .bool(let holds) = value { return holds }
    throw EvaluationError(
      .unfit("a condition must be a bool, not", kind: value.kindName), at: origin)
  }
}
