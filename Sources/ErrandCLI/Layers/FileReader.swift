import Glibc
import Source
import YAML

/// Reads whole files of a bounded size.
enum FileReader {
  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Throws: a `Diagnostic` that says why it can't be read.
  static func bytes(
    of path: String, limit: Int = Limits.standard.bytes
  ) throws(Diagnostic) -> [UInt8] {
    let descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path, errno)
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw Diagnostic("file-too-large", "\(name(path)) has more than \(limit) bytes")
      }
    }
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  private static func failure(_ path: String, _ code: Int32) -> Diagnostic {
    let reason = String(cString: strerror(code))
    return Diagnostic(
      "unreadable",
      "\(name(path)) can't be read: \(reason.prefix(1).lowercased())\(reason.dropFirst())",
      help: code == ENOENT ? "check the path; `errand list` shows the names that need none" : nil)
  }
}
