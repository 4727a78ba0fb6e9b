package import Glibc

/// What the kernel knows of folders.
package enum Folder {
  /// All names in a folder but `.` and `..`, in no order; nil, with `errno`, when it can't be read.
  ///
  /// A name that is no UTF-8 is left out, since no text could give its path.
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

  /// The names that do not begin with a dot, in no order; none for a folder that can't be read.
  package static func visibleNames(in folder: String) -> [String] {
    (names(in: folder) ?? []).filter { !$0.hasPrefix(".") }
  }

  /// Puts on the disk which files a folder holds; 0, or the code of the error.
  @discardableResult
  package static func sync(_ folder: String) -> Int32 {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 ? 0 : errno
  }

  /// Makes a folder and those above it that are missing, and gives those that it made, the outermost
  /// first; where one can't be made, none is.
  ///
  /// - Parameter isDurable: Whether what is new is on the disk when this returns: a file in a folder
  ///   that a power cut takes away would be lost with it.
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

  /// The folder that holds a file or a folder.
  package static func parent(of path: String) -> String {
    var bytes = path.utf8[...]
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == bytes.startIndex ? "/" : String(bytes[..<slash]) ?? "."
  }
}
