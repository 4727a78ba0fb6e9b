import CEL

/// Functions on any value, on the environment and on chance.
enum GeneralFunctions {
  /// Their names.
  static let names = ["coalesce", "uuid", "env"]

  /// All of them.
  static func all(_ context: FunctionContext) -> [Function] {
    [
      Function(
        "coalesce", list: [.parameter("T")], returns: .parameter("T"), isVariadic: true
      ) { (values: [Value]) throws(EvaluationError) in coalesce(values) },
      Function("uuid") { () throws(EvaluationError) in
        UUID.text(from: context.randomBytes(16))
      },
      Function("env", .global, [.string], returns: .nullable(.string), isPure: false) {
        (name: String) throws(EvaluationError) -> Value in
        guard context.mayRead(name) else {
          throw EvaluationError(
            "the variable “\(name)” of the environment may not be read; "
              + "names that begin with ERRAND_VAR_ may",
            code: .failed)
        }
        return context.environment(name).map { .string($0) } ?? .null
      },
    ]
  }

  /// The first value that is not null; an optional counts as what it holds.
  static func coalesce(_ values: [Value]) -> Value {
    for value in values {
      switch value {
      case .null: continue
      case .optional(let optional):
        if let wrapped = optional.wrapped, case let found = coalesce([wrapped]), found != .null {
          return found
        }
      default: return value
      }
    }
    return .null
  }
}
