import Glibc
import POSIX

/// An error from writing, reading or storing a share.
package struct InboxError: Error, Sendable {
  /// The kind of failure.
  package enum Code: Sendable {
    /// A system call failed.
    case io
    /// The content to share is missing or exceeds the limits.
    case unfit
    /// A file in the inbox is not a valid share.
    case malformed
    /// Sealed data, while the vault is locked, or a wrong passphrase.
    case locked
    /// The public key of the vault is not its secret key's.
    case foreignKey
  }

  package let code: Code
  /// The problem and the value, in a sentence without a full stop.
  package let message: String
  /// Advice: one thing to do.
  package let help: String?

  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  /// The error for a failed system call on a path.
  static func system(_ path: String, _ number: Int32 = errno) -> InboxError {
    let error = SystemError(path, number)
    return error.isFull
      ? InboxError(
        .io, "\(path): the disk is full; nothing was shared", help: "make room, and share it again")
      : InboxError(.io, "\(path): \(error.reason)")
  }

  /// Runs `body`, and converts errors of system calls to errors about a path.
  static func wording<Result>(
    _ path: String? = nil, _ body: () throws -> Result
  ) throws(InboxError) -> Result {
    do { return try body() } catch let error as InboxError { throw error } catch {
      let error = error as? SystemError ?? SystemError(path ?? "", EIO)
      throw .system(path ?? error.path, error.code)
    }
  }
}
