import Engine
import Glibc

extension RunError {
  /// The error of a call that failed for a file: what was wanted, and why not.
  static func file(_ path: String, _ number: Int32 = errno) -> RunError {
    let reason = String(cString: strerror(number))
    switch number {
    case ENOENT, ENOTDIR:
      return RunError(.notFound, "there is no \(path)")
    case ENOSPC, EDQUOT:
      return RunError(.io, "\(path): the disk is full", help: "make room, and try again")
    default:
      return RunError(.io, "\(path): \(reason.prefix(1).lowercased() + reason.dropFirst())")
    }
  }
}
