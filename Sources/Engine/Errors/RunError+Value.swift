package import CEL

extension RunError {
  /// The error as a `catch` and a `finally` see it: `{code, message, step, data, cause}`.
  package var value: Value {
    .map(
      MapValue([
        ("code", .string(code.name)), ("message", .string(message)),
        ("step", .string(path.last ?? "")), ("data", data), ("cause", cause?.value ?? .null),
      ]))
  }

  /// The error that a value of that form stands for; nil for another value.
  init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let code)? = map["code"],
      case .string(let message)? = map["message"]
    else { return nil }
    self.init(Code(code), message)
    data = map["data"] ?? .null
    cause = map["cause"].flatMap { RunError($0) }
  }

  /// Whether a `catch` without codes gets it.
  var isCaughtByAll: Bool { code != .declined && code != .internal && !isFatal }
}
