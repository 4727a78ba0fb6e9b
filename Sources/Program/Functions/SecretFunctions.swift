import CEL

/// Functions that give secrets.
enum SecretFunctions {
  /// Their names.
  static let names = ["secret", "asSecret"]

  /// All of them. Their type is not said: a secret fits where text fits that may be one.
  static func all(_ context: FunctionContext) -> [Function] {
    [
      Function("secret", .global, [.string], returns: .dyn, isPure: false) {
        (name: String) throws(EvaluationError) -> Value in
        let secret = try context.secrets.secret(name) { () throws(EvaluationError) in
          try context.readSecret(name)
        }
        return .object(secret)
      },
      Function("asSecret", .global, [.dyn], returns: .dyn, isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        if value.secret != nil { return value }
        guard case .string(let text) = value else {
          throw EvaluationError("asSecret takes text, and this is \(value.kindName)")
        }
        context.secrets.add(text)
        return .object(Secret(text))
      },
    ]
  }
}
