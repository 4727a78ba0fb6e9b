/// Why a link could not be wrapped or unwrapped, in words that never hold a key.
package struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code that a run reports.
  package enum Code: String, Sendable {
    case denied
    case io
    case invalidValue = "invalid-value"
  }

  package let code: Code
  /// What failed and what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A link that is not ours or was changed: one answer for all that can be wrong with it.
  static let denied = LinkError(
    .denied, "this wrapped link was not made with this store's key, or it was changed")

  package var description: String { message }
}
