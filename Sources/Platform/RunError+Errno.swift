import Engine
import Glibc
import POSIX

extension RunError {
  /// Returns the error of a failed call on a file.
  static func file(_ path: String, _ number: Int32 = errno) -> RunError {
    let error = SystemError(path, number)
    if number == ENOENT || number == ENOTDIR { return RunError(.notFound, "there is no \(path)") }
    return error.isFull
      ? RunError(.io, "\(path): the disk is full", help: "make room, and try again")
      : RunError(.io, "\(path): \(error.reason)")
  }

  /// Returns the status of a path without following links; nil if it does not exist.
  static func status(of path: String) throws -> stat? {
    var status = stat()
    if lstat(path, &status) == 0 { return status }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw RunError.file(path)
  }

  /// Runs `body` and converts a `SystemError` to a `RunError`.
  static func wording<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError {
      throw RunError.file(error.path, error.code)
    }
  }
}
