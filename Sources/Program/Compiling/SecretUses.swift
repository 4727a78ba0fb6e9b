import CEL

/// The secrets that the expressions of a definition use.
final class SecretUses {
  private(set) var names: Set<String> = []

  /// Notes the secrets of an expression, and gives what is wrong with the calls that give them.
  func take(_ expression: Expression) -> [Problem] {
    expression.calls(of: "secret").compactMap { call in
      guard case .literal(.string(let name))? = call.argument?.kind else {
        return Problem(
          .wrongArguments, "secret takes a name in quotes, so that it can be told before a run",
          at: call.range, help: "write secret(\"NAME\")")
      }
      names.insert(name)
      return nil
    }
  }
}
