import CEL
import Items
import Program

/// `fail`: ends the intent or shortcut with an error, or raises one again.
enum FailVerb {
  static let message = Argument<Value>("message", at: 0, .value(.any), required: true)
  static let code = Argument<String>("code", at: 1, .value(.string))
  static let data = Argument<Value>("data", at: 2, .value(.any))
  static let status = Argument<Int64>("status", at: 3, .value(.int), range: 1...125)

  static let spec = VerbSpec(
    "fail", [message.declaration, code.declaration, data.declaration, status.declaration]
  ) { arguments in
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
