import CEL
import Items
import Program

/// `break`: ends the nearest loop.
enum BreakVerb: Verb {
  static let word = "break"
  static let signature = VerbSignature(word, exit: .breaks)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) -> Value? { nil }
}

/// `continue`: ends the current pass of the nearest loop.
enum ContinueVerb: Verb {
  static let word = "continue"
  static let signature = VerbSignature(word, exit: .continues)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) -> Value? { nil }
}

/// `stop`: ends the intent or shortcut without a value.
enum StopVerb: Verb {
  static let word = "stop"
  static let signature = VerbSignature(word, exit: .stops)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) -> Value? { nil }
}

/// `return`: ends the intent or shortcut with a value, or with `it`.
enum ReturnVerb: Verb {
  static let value = Argument<Value>("value", at: 0, .value(.any), takesSecrets: true)

  static let word = "return"
  static let signature = VerbSignature(word, [value], exit: .returns)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.value(value) ?? arguments.runner.it
  }
}

/// `fail`: raises a new error, or a caught one again.
enum FailVerb: Verb {
  static let word = "fail"
  static let message = Argument<Value>("message", at: 0, .value(.any), required: true)
  static let code = Argument<String>(
    "code", at: 1, .value(.string),
    trial: { value in
      guard case .string(let text)? = value.known, let number = Int(text) else { return nil }
      return LiteralProblem(
        "the code of an error is a name, not the number \(text)",
        help: (1...125).contains(number)
          ? "for the exit status write `status: \(text)`"
          : "write a name, such as `code: not-found`")
    })
  static let data = Argument<Value>("data", at: 2, .value(.any))
  static let status = Argument<Int64>("status", at: 3, .value(.int), range: 1...125)

  static let signature = VerbSignature(word, [message, code, data, status], exit: .fails)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let given = try arguments.value(message) ?? .null
    let code = RunError.Code(try arguments.text(code) ?? "failed")
    var error = RunError(given) ?? RunError(code, arguments.renderer.text(of: given))
    if let data = try arguments.value(data) { error.data = data }
    if let status = try arguments.int(status) { error.status = Int32(status) }
    error.isDeliberate = true
    throw error
  }
}

extension VerbCall {
  /// Whether it is a `fail` that may raise an error with this code; true when only known at run
  /// time.
  func mayRaise(_ code: String) -> Bool {
    guard verb.exit == .fails else { return false }
    if case .value(let value, _, _)? = self[FailVerb.code] {
      guard let known = value.known, known != .string(code) else { return true }
    }
    // A map with a code raises that code; a rethrown error keeps the code of its origin.
    guard case .value(let message, _, _)? = self[FailVerb.message] else { return false }
    switch message.type?.unwrapped {
    case .string?, .int?, .double?, .bool?, .enumeration?, .list?: return false
    case .record(let record)?: return record != KnownRecord.error
    default: return true
    }
  }
}
