extension Compiler {
  /// The node of a comparison, sum or product.
  mutating func binary(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) throws(ExpressionError) -> any Node {
    let parts = [try compile(left), try compile(right)]
    let node: any Node =
      switch symbol {
      case .equal, .notEqual:
        EqualNode(left: parts[0], right: parts[1], wanted: symbol == .equal, origin: origin)
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        OrderNode(symbol: symbol, left: parts[0], right: parts[1], origin: origin)
      case .in: ContainmentNode(element: parts[0], container: parts[1], origin: origin)
      case .add, .subtract, .multiply, .divide, .remainder:
        ArithmeticNode(symbol: symbol, left: parts[0], right: parts[1], origin: origin)
      }
    return fold(node, parts)
  }

  /// The node of a list.
  mutating func list(
    _ origin: Expression, _ elements: [Expression.Element]
  ) throws(ExpressionError) -> any Node {
    let parts = try compileAll(elements.map(\.value))
    return fold(
      ListNode(
        elements: zip(parts, elements).map { ($0, $1.isOptional) }, origin: origin), parts)
  }

  /// The node of a map.
  mutating func map(
    _ origin: Expression, _ entries: [Expression.Entry]
  ) throws(ExpressionError) -> any Node {
    let keys = try compileAll(entries.map(\.key))
    let values = try compileAll(entries.map(\.value))
    let node = MapNode(
      entries: entries.indices.map { (keys[$0], values[$0], entries[$0].isOptional) },
      origin: origin)
    return fold(node, keys + values)
  }

  /// The node of an object under construction.
  mutating func object(
    _ origin: Expression, _ name: String, _ fields: [Expression.Field], isRooted: Bool
  ) throws(ExpressionError) -> any Node {
    let parts = try compileAll(fields.map(\.value))
    for candidate in environment.candidates(for: name, isRooted: isRooted) {
      guard let type = environment.objectType(named: candidate) else { continue }
      if let unknown = fields.first(where: { type.type(of: $0.name) == nil }) {
        let error = EvaluationError(
          .noSuchField(unknown.name, type: type.name, known: type.fields.map(\.name)), at: origin)
        return FailureNode(error: error)
      }
      return ObjectNode(
        type: type,
        fields: fields.indices.map { (fields[$0].name, parts[$0], fields[$0].isOptional) },
        origin: origin)
    }
    return FailureNode(
      error: EvaluationError(
        .stated(.unknownVariable, "unknown type `\(name)`"), at: origin))
  }

  /// The constant that a node always gives, when all of its parts are constants.
  mutating func fold(_ node: any Node, _ parts: [any Node]) -> any Node {
    for part in parts where part.constant == nil { return node }
    var limits = EvaluationLimits()
    limits.steps = 10_000
    var frame = Frame(variables: [], localCount: 0, limits: limits)
    do throws(EvaluationError) {
      return ConstantNode(value: try node.evaluate(&frame))
    } catch {
      // It fails at evaluation as well, where `||` may absorb it.
      note(error)
      return node
    }
  }
}
