import Engine
import Inbox
import Source
import Store

/// An error with a stable code, a message and advice.
public struct ErrandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable code, such as `not-found` or `invalid-value` (docs/language.md, “Errors”).
  public let code: String
  /// The subject, the problem, and the offending value.
  public let message: String
  /// Advice: one thing to do; nil if there is none.
  public let help: String?

  /// Creates an error of a front.
  public init(code: String, message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  /// The message, the code and the advice.
  public var description: String { "\(message) [\(code)]" + (help.map { "; \($0)" } ?? "") }

  /// Converts an error of the engine.
  init(_ error: any Error) {
    switch error {
    case let error as ErrandError: self = error
    case let error as RunError:
      var help: String?
      if case .advice(let advice)? = error.remedy { help = advice }
      self.init(code: error.code.name, message: error.message, help: help)
    case let error as Diagnostic:
      self.init(code: error.id, message: error.message, help: error.help)
    case let error as Diagnostics:
      let first = error.all.first
      self.init(
        code: "invalid-definition", message: first?.message ?? "a definition is wrong",
        help: first?.help)
    case let error as StoreError:
      self.init(code: error.languageCode, message: error.message)
    case let error as InboxError:
      self.init(
        code: error.code == .unfit ? "invalid-value" : error.code == .locked ? "not-allowed" : "io",
        message: error.message,
        help: error.help)
    case is Cancellation: self.init(code: "cancelled", message: "cancelled")
    default: self.init(code: "internal", message: "\(error)")
    }
  }

  /// Runs `body`, and converts its errors to `ErrandError`.
  static func translating<Result>(_ body: () throws -> Result) throws(ErrandError) -> Result {
    do { return try body() } catch { throw ErrandError(error) }
  }
}
