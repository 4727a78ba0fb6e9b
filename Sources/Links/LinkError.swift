/// An error from wrapping or unwrapping a link; its message never contains a key.
package struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error code of the run.
  package enum Code: String, Sendable {
    case denied
    case io
    case invalidValue = "invalid-value"
  }

  package let code: Code
  /// The message: the problem, and what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A link that was not signed with this key or was changed; the same error for every cause.
  static let denied = LinkError(
    .denied, "this wrapped link was not made with this store's key, or it was changed")

  /// A link that was sealed for a different library, or was changed.
  static let sealed = LinkError(
    .denied, "this link was sealed for somebody else, or it was changed")

  package var description: String { message }
}
