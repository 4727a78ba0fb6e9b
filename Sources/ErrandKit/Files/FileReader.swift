import Glibc
import POSIX
package import Source
import YAML

/// Reads whole files of a bounded size.
package enum FileReader {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: a `Diagnostic` that says why it can't be read.
  package static func bytes(
    of path: String, limit: Int = Limits.standard.bytes
  ) throws(Diagnostic) -> [UInt8] {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    return try bytes(from: descriptor, named: path, limit: limit)
  }

  /// The bytes of an open file, each piece handed on as it is read.
  ///
  /// - Throws: a `Diagnostic` that says why it can't be read.
  package static func bytes(
    from descriptor: Int32, named path: String, limit: Int = Limits.standard.bytes,
    each: (([UInt8]) -> Void)? = nil
  ) throws(Diagnostic) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      bytes = try Descriptor.bytes(from: descriptor, named: path, limit: limit, each: each)
    } catch {
      throw failure(path, error.code)
    }
    if let bytes { return bytes }
    throw Diagnostic("file-too-large", "\(name(path)) has more than \(limit) bytes")
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Why a file can't be read, from the code of the system's error.
  package static func failure(_ path: String, _ code: Int32) -> Diagnostic {
    Diagnostic(
      "unreadable", "\(name(path)) can't be read: \(SystemError(path, code).reason)",
      help: code == ENOENT ? "check the path; `errand list` shows the names that need none" : nil)
  }
}
