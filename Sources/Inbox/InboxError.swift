import Glibc
import POSIX

/// Why a share can't be written, read or kept.
package struct InboxError: Error, Sendable {
  /// What kind of failure it is.
  package enum Code: Sendable {
    /// The system refused.
    case io
    /// What was to be shared is too much, or is not there.
    case unfit
    /// What lies in the inbox is no share.
    case malformed
  }

  package let code: Code
  /// What failed, with which value, in a sentence without a full stop.
  package let message: String
  /// What to do about it.
  package let help: String?

  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  /// The error of a call of the system that failed for a path.
  static func system(_ path: String, _ number: Int32 = errno) -> InboxError {
    let error = SystemError(path, number)
    return error.isFull
      ? InboxError(
        .io, "\(path): the disk is full; nothing was shared", help: "make room, and share it again")
      : InboxError(.io, "\(path): \(error.reason)")
  }

  /// The result of a body whose failed calls are told of a path.
  static func wording<Result>(
    _ path: String? = nil, _ body: () throws(SystemError) -> Result
  ) throws(InboxError) -> Result {
    do { return try body() } catch { throw .system(path ?? error.path, error.code) }
  }
}
