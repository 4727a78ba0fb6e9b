import CEL

extension Expression {
  /// Whether a condition holds for this node or one below it.
  func contains(_ condition: (Expression) -> Bool) -> Bool {
    condition(self) || parts.contains { $0.contains(condition) }
  }

  /// The nodes directly below, in the order of the text.
  private var parts: [Expression] {
    switch kind {
    case .literal, .identifier: []
    case .select(let operand, _, _), .unary(_, let operand): [operand]
    case .index(let a, let b, _), .binary(_, let a, let b): [a, b]
    case .call(_, let receiver, let arguments, _):
      (receiver.map { [$0] } ?? []) + arguments
    case .and(let operands), .or(let operands): operands
    case .conditional(let a, let b, let c): [a, b, c]
    case .list(let elements): elements.map(\.value)
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .object(_, let fields, _): fields.map(\.value)
    }
  }
}
