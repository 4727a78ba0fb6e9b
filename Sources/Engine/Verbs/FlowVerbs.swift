import CEL
import Items
import Program

/// `break`: ends the nearest loop.
enum BreakVerb: FlowVerb {
  static let word = "break"
  static let signature = VerbSignature(word, exit: .breaks)

  static func flow(_ arguments: VerbArguments) -> Flow { .breakLoop }
}

/// `continue`: ends the pass of the nearest loop.
enum ContinueVerb: FlowVerb {
  static let word = "continue"
  static let signature = VerbSignature(word, exit: .continues)

  static func flow(_ arguments: VerbArguments) -> Flow { .continueLoop }
}

/// `stop`: ends the intent or shortcut without a value.
enum StopVerb: FlowVerb {
  static let word = "stop"
  static let signature = VerbSignature(word, exit: .stops)

  static func flow(_ arguments: VerbArguments) -> Flow { .stop }
}

/// `return`: ends the intent or shortcut with a value, or with `it`.
enum ReturnVerb: FlowVerb {
  static let value = Argument<Value>("value", at: 0, .value(.any), takesSecrets: true)

  static let word = "return"
  static let signature = VerbSignature(word, [value.declaration], exit: .returns)

  static func flow(_ arguments: VerbArguments) throws -> Flow {
    .returned(try arguments.value(value) ?? arguments.runner.it)
  }
}

/// `fail`: ends the intent or shortcut with an error, or raises one again.
enum FailVerb: PlainVerb {
  static let word = "fail"
  static let message = Argument<Value>("message", at: 0, .value(.any), required: true)
  static let code = Argument<String>("code", at: 1, .value(.string))
  static let data = Argument<Value>("data", at: 2, .value(.any))
  static let status = Argument<Int64>("status", at: 3, .value(.int), range: 1...125)

  static let signature = VerbSignature(
    word, [message.declaration, code.declaration, data.declaration, status.declaration],
    exit: .fails)

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let given = try arguments.value(message) ?? .null
    let code = RunError.Code(try arguments.text(code) ?? "failed")
    var error = RunError(given) ?? RunError(code, arguments.runner.renderer.text(of: given))
    if let data = try arguments.value(data) { error.data = data }
    if let status = try arguments.int(status) {
      guard (1...125).contains(status) else {
        throw RunError(.invalidValue, "`status` is a number from 1 to 125, and \(status) is not")
      }
      error.status = Int32(status)
    }
    error.isDeliberate = true
    throw error
  }
}

extension VerbCall {
  /// Whether it is a `fail` that may raise an error of a code, which may be known only in the run.
  func mayRaise(_ code: String) -> Bool {
    guard verb.exit == .fails else { return false }
    if case .value(let value, _, _)? = self[FailVerb.code] {
      guard let known = value.known, known != .string(code) else { return true }
    }
    // A map with a code is raised as that error; one that was caught has a code of the others.
    guard case .value(let message, _, _)? = self[FailVerb.message] else { return false }
    switch message.type?.unwrapped {
    case .string?, .int?, .double?, .bool?, .enumeration?, .list?: return false
    case .record(let record)?: return record != KnownRecord.error
    default: return true
    }
  }
}
