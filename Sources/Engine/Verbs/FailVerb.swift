import Catalog
import Items
import Program

/// `fail`: ends the intent or shortcut with an error.
enum FailVerb {
  static let message = Argument<String>("message", at: 0, .value(.string), required: true)
  static let code = Argument<String>("code", at: 1, .value(.string))

  static let spec = VerbSpec("fail", [message.declaration, code.declaration]) { arguments in
    throw RunError(
      RunError.Code(try arguments.text(code) ?? "failed"), try arguments.text(message) ?? "")
  }
}
