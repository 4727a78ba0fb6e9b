package import Glibc
package import POSIX
package import Source

/// Finds the YAML files of a folder, within limits for its total size.
///
/// Every file and folder is opened relative to its parent's descriptor and checked before it is
/// read: a path cannot be swapped in between, and opening a pipe or device does not block.
package struct FolderWalk {
  /// The limits of a folder; beyond any of them, nothing is loaded.
  package struct Limits {
    /// The number of files and folders of any kind.
    package var entries = 20_000
    /// The number of YAML files.
    package var files = 5_000
    /// The depth, counting the folder itself.
    package var levels = 6
    /// The total size of the YAML files in bytes.
    package var bytes = 8 << 20
  }

  /// A YAML file.
  package struct File {
    /// The path relative to the folder.
    package let name: String
    /// The descriptor, open for reading during the visit, or the error from opening it.
    package let descriptor: Result<Int32, SystemError>
    /// The file's status.
    package let status: stat
  }

  private let path: String
  private let followsLinks: Bool
  private let limits: Limits
  private var entries = 0
  private var files = 0

  /// Creates a walk; `followsLinks` applies to symbolic links to files, never to folders.
  package init(_ path: String, followsLinks: Bool, limits: Limits = Limits()) {
    self.path = path
    self.followsLinks = followsLinks
    self.limits = limits
  }

  /// Visits each YAML file, in no particular order, until `visit` returns false.
  ///
  /// Skips hidden files and folders, and folders that cannot be opened.
  ///
  /// - Throws: `folder-too-large`; rethrows errors of `visit`.
  package mutating func visitFiles(_ visit: (File) throws(Diagnostic) -> Bool) throws(Diagnostic) {
    let root = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard root >= 0 else { return }
    _ = try look(into: "", root, level: 1, visit)
  }

  /// Returns whether to continue after the folder.
  private mutating func look(
    into folder: String, _ descriptor: Int32, level: Int,
    _ visit: (File) throws(Diagnostic) -> Bool
  ) throws(Diagnostic) -> Bool {
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return true
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      entries += 1
      guard entries <= limits.entries else {
        throw tooLarge("more than \(limits.entries) files and folders")
      }
      let base = UnsafeRawPointer(entry).advanced(
        by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      ).assumingMemoryBound(to: CChar.self)
      let name = String(cString: base)
      if name.hasPrefix(".") { continue }
      let relative = folder.isEmpty ? name : folder + "/" + name
      let kind = Int(entry.pointee.d_type)
      if kind == DT_DIR || kind == DT_UNKNOWN {
        let inner = openat(
          descriptor, base, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if inner >= 0 {
          guard level < limits.levels else {
            close(inner)
            throw tooLarge("folders more than \(limits.levels) levels deep")
          }
          guard try look(into: relative, inner, level: level + 1, visit) else { return false }
          continue
        }
      }
      let isFile = kind == DT_REG || kind == DT_UNKNOWN || kind == DT_LNK && followsLinks
      if isFile, name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        guard try openFile(base, relative, in: descriptor, visit) else { return false }
      }
    }
    return true
  }

  /// Returns whether to continue after the file.
  private mutating func openFile(
    _ base: UnsafePointer<CChar>, _ name: String, in folder: Int32,
    _ visit: (File) throws(Diagnostic) -> Bool
  ) throws(Diagnostic) -> Bool {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor = openat(folder, base, flags)
    // Skip dangling symbolic links, and links that must not be followed.
    if descriptor < 0, errno == ENOENT || errno == ELOOP { return true }
    let error = SystemError(path + "/" + name)
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    // The file may have been replaced since the folder was listed.
    if descriptor >= 0, fstat(descriptor, &status) != 0 || !status.isRegular { return true }
    files += 1
    guard files <= limits.files else { throw tooLarge("more than \(limits.files) YAML files") }
    return try visit(
      File(
        name: name, descriptor: descriptor < 0 ? .failure(error) : .success(descriptor),
        status: status))
  }

  /// The error for a folder that exceeds a limit.
  package func tooLarge(_ what: String) -> Diagnostic {
    Diagnostic(
      "folder-too-large", "\(path) has \(what), so nothing in it was loaded",
      help: "keep definitions in a folder of their own")
  }
}
