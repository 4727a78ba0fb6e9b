import CEL
import Catalog
import Source
import YAML

/// Lints for expressions.
extension ExpressionCompiler {
  /// Warns of parts of an expression that no run could use.
  func doubt(_ expression: Expression, in source: ExpressionSource, _ scopes: Scopes) {
    if let triggers, scopes.binding("trigger")?.kind == .parameter {
      doubtFields(of: triggers, in: expression, source)
    }
    if !scopes.changed.isEmpty { doubtChanged(scopes.changed, in: expression, source) }
    doubtCalls(in: expression, source)
    doubtComment(in: source)
  }

  /// Records a warning at a part of an expression.
  func warn(
    _ id: String, _ message: String, at range: Range<Int>, in source: ExpressionSource,
    help: String
  ) {
    collector.report(id, message, at: source.span(of: range), help: help, severity: .warning)
  }

  // MARK: Fields of `trigger`

  /// Warns of `trigger` fields that none of the automation's triggers has, unless the expression
  /// tests for them.
  private func doubtFields(
    of triggers: [TriggerDefinition], in expression: Expression, _ source: ExpressionSource
  ) {
    switch expression.kind {
    case .select(let operand, let field, isOptional: false):
      guard case .identifier("trigger", _) = operand.kind else { break }
      if let kinds = TriggerDefinition.kinds(with: field),
        !triggers.contains(where: { kinds.contains($0.kind) })
      {
        let words = Set(triggers.map(\.kind)).sorted().map { "`\($0)`" }
        let subject =
          words.count > 1
          ? "none of \(words.joined(separator: ", ")) has" : "\(words.joined()) has no"
        let others = kinds.map { "`\($0)`" }
        let list = others.dropLast().joined(separator: ", ") + (others.count > 1 ? " and " : "")
        warn(
          "W211", "\(subject) `trigger.\(field)`, which is null here", at: expression.range,
          in: source,
          help: "only \(list)\(others.last ?? "") \(others.count > 1 ? "have" : "has") one")
      }
      return
    case .call("has", nil, _, _): return
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right):
      if left.isNull || right.isNull { return }
    default: break
    }
    expression.kind.forEachPart { doubtFields(of: triggers, in: $0, source) }
  }

  /// Warns of a property of an item that was changed since it got its name.
  private func doubtChanged(
    _ changed: [String: (properties: Set<String>, line: Int)], in expression: Expression,
    _ source: ExpressionSource
  ) {
    if case .select(let operand, let field, isOptional: false) = expression.kind,
      case .identifier(let name, _) = operand.kind, let change = changed[name],
      change.properties.contains(field)
    {
      warn(
        "W225",
        "`\(name).\(field)` is as it was before the change in line \(change.line)",
        at: expression.range, in: source,
        help: "give that step a name, as in `as: changed`, and write `changed.\(field)`")
    }
    expression.kind.forEachPart { doubtChanged(changed, in: $0, source) }
  }

  // MARK: Calls

  /// Warns of calls with arguments that are probably not intended.
  private func doubtCalls(in expression: Expression, _ source: ExpressionSource) {
    if case .call(let name, let receiver, let arguments, _) = expression.kind {
      doubtPattern(name, receiver, arguments, source)
      if let receiver { doubtNotation(name, receiver, arguments, source) }
    }
    expression.kind.forEachPart { doubtCalls(in: $0, source) }
  }

  /// Warns of literal date patterns that are probably not intended.
  private func doubtPattern(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression], _ source: ExpressionSource
  ) {
    guard let pattern = arguments.last,
      name == "format" && receiver != nil && arguments.count == 1
        || name == "parseDate" && arguments.count == 2 && receiver == nil,
      case .literal(.string(let text)) = pattern.kind,
      let advice = DatePattern.advice(on: text)
    else { return }
    warn("W214", advice.message, at: pattern.range, in: source, help: advice.help)
  }
}

extension TriggerDefinition {
  /// Keywords of the triggers with a field of `trigger`; nil for a field of all triggers.
  fileprivate static func kinds(with field: String) -> [String]? {
    switch field {
    case "item": ["created", "changed", "due", "event", "share"]
    case "before": ["changed"]
    case "path": ["file"]
    default: nil
    }
  }
}
