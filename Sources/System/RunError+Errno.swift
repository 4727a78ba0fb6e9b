import Engine
import Glibc
import POSIX

extension RunError {
  /// The error of a call that failed for a file: what was wanted, and why not.
  static func file(_ path: String, _ number: Int32 = errno) -> RunError {
    let error = SystemError(path, number)
    if number == ENOENT || number == ENOTDIR { return RunError(.notFound, "there is no \(path)") }
    return error.isFull
      ? RunError(.io, "\(path): the disk is full", help: "make room, and try again")
      : RunError(.io, "\(path): \(error.reason)")
  }

  /// The result of a body whose failed calls are put into words.
  static func wording<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError {
      throw RunError.file(error.path, error.code)
    }
  }
}
