import CEL

/// Collects the secrets used by the expressions of a definition.
final class SecretUses {
  private(set) var names: Set<String> = []

  /// Records the secrets of an expression; returns the problems with their names.
  func take(_ expression: Expression) -> [Problem] {
    expression.calls(of: "secret").compactMap { call in
      guard case .literal(.string(let name))? = call.argument?.kind else {
        return Problem(
          .wrongArguments, "secret takes a name in quotes, which must be known before a run",
          at: call.range, help: "write secret(\"NAME\")")
      }
      names.insert(name)
      return nil
    }
  }
}

extension Expression {
  /// Whether its value is known to be a secret; `isSecret` decides for names.
  func givesSecret(_ isSecret: (String) -> Bool) -> Bool {
    switch kind {
    case .identifier(let name, _): isSecret(name)
    case .call(let name, nil, _, _): name == "secret" || name == "asSecret"
    case .binary(.add, let left, let right):
      left.givesSecret(isSecret) || right.givesSecret(isSecret)
    case .conditional(_, let then, let otherwise):
      then.givesSecret(isSecret) && otherwise.givesSecret(isSecret)
    default: false
    }
  }

  /// Secrets in it whose content would be inspected, which always fails.
  func secretsLookedInto(_ isSecret: (String) -> Bool) -> [Expression] {
    var found = operandsLookedInto.filter { $0.givesSecret(isSecret) }
    kind.forEachPart { found += $0.secretsLookedInto(isSecret) }
    return found
  }

  /// Operands whose content is inspected rather than passed on.
  private var operandsLookedInto: [Expression] {
    switch kind {
    case .literal, .identifier, .list, .object, .binary(.add, _, _): return []
    case .select(let operand, _, _): return [operand]
    case .index(let operand, let index, _): return [operand, index]
    case .unary(_, let operand): return [operand]
    case .binary(.equal, let left, let right), .binary(.notEqual, let left, let right):
      // Comparing a secret with null is allowed.
      return left.isNull || right.isNull ? [] : [left, right]
    case .binary(_, let left, let right): return [left, right]
    case .and(let operands), .or(let operands): return operands
    case .conditional(let condition, _, _): return [condition]
    case .map(let entries): return entries.compactMap(\.key)
    case .call(let name, let receiver?, let arguments, _):
      var parts = [receiver]
      if name == "join", case .list(let elements) = receiver.kind {
        parts = elements.map(\.value)
      } else if name == "format", case .list(let elements)? = arguments.first?.kind {
        parts += elements.map(\.value)
      }
      return parts
    case .call(let name, nil, let arguments, _):
      let handsOn = ["secret", "asSecret", "coalesce", "dyn", "type", "toJson"]
      return handsOn.contains(name) ? [] : arguments
    }
  }

  /// Whether it is the literal null.
  var isNull: Bool {
    if case .literal(.null) = kind { true } else { false }
  }
}
