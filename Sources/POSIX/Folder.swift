package import Glibc

/// Operations on folders.
package enum Folder {
  /// Returns all names in a folder except `.` and `..`, unordered; nil, with `errno`, if it cannot be read.
  ///
  /// Names that are not valid UTF-8 are omitted, since a `String` cannot represent their paths.
  package static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the names that do not begin with a dot, unordered; empty if the folder cannot be read.
  package static func visibleNames(in folder: String) -> [String] {
    (names(in: folder) ?? []).filter { !$0.hasPrefix(".") }
  }

  /// Removes a folder with all that is in it, as far as that is possible.
  package static func remove(_ folder: String) {
    for name in names(in: folder) ?? [] {
      let path = "\(folder)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }

  /// Syncs the entries of a folder to disk; returns 0 or the error code.
  @discardableResult
  package static func sync(_ folder: String) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Creates a folder and its missing parents, and returns those created, outermost first; on failure none is left.
  ///
  /// - Parameter isDurable: Whether the new folders are synced to disk; otherwise a power cut could lose them and their
  ///   files.
  @discardableResult
  package static func make(
    _ path: String, mode: mode_t = 0o700, isDurable: Bool = false
  ) throws(SystemError) -> [String] {
    var made: [String] = []
    if mkdir(path, mode) != 0 {
      let parent = parent(of: path)
      switch errno {
      case EEXIST: return []
      case ENOENT where parent != path:
        made = try make(parent, mode: mode, isDurable: isDurable)
        if mkdir(path, mode) == 0 { break }
        if errno == EEXIST { return made }
        let error = SystemError(path)
        for folder in made.reversed() { rmdir(folder) }
        throw error
      default: throw SystemError(path)
      }
    }
    if isDurable { sync(Self.parent(of: path)) }
    return made + [path]
  }

  /// Returns the absolute path without links; nil, with `errno`, if it does not exist (realpath(3)).
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the path of the parent folder.
  package static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(bytes[..<slash]) ?? "."
  }
}
