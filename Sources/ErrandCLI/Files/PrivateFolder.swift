import Glibc
import Source

/// A folder that only its owner may look into.
struct PrivateFolder {
  /// Where it is.
  let path: String

  /// Makes the folder and those above it; existing ones stay as they are.
  ///
  /// What is new is on the disk when this returns: a file in a folder that a power cut takes away
  /// would be lost with it.
  /// - Throws: `unwritable`.
  func make() throws(Diagnostic) {
    if mkdir(path, 0o700) == 0 { return Self.sync(Self.parent(of: path)) }
    switch errno {
    case EEXIST: return
    case ENOENT where Self.parent(of: path) != path:
      try PrivateFolder(path: Self.parent(of: path)).make()
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure() }
      Self.sync(Self.parent(of: path))
    default: throw failure()
    }
  }

  /// The folder that holds a file or a folder.
  static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(bytes[..<slash]) ?? "."
  }

  /// Puts on the disk which files a folder holds; some file systems cannot, and do no worse.
  static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private func failure() -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be made: \(String(cString: strerror(errno)))")
  }
}
