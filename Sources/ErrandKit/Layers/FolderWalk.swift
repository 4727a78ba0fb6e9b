package import Glibc
package import Source

/// Finds the YAML files of a folder, within limits for the whole of it.
///
/// Each file and folder is opened in the folder it was seen in and looked at before it is read: no
/// path can be exchanged meanwhile, and nothing waits on a pipe or a device.
package struct FolderWalk {
  /// What a folder may hold at most; past one of these nothing of it is loaded.
  package struct Limits {
    /// Files and folders of any kind that are looked at.
    package var entries = 20_000
    /// YAML files.
    package var files = 5_000
    /// Levels of folders, the folder itself being the first.
    package var levels = 6
    /// Bytes of all files together.
    package var bytes = 8 << 20
  }

  /// A YAML file that was found.
  package struct File {
    /// Its path inside the folder.
    package let name: String
    /// Open for reading while it is visited, or the code of the error that kept it from it.
    package let descriptor: Result<Int32, SystemError>
    /// What the system knows of it.
    package let status: stat
  }

  /// The code of an error of the system.
  package struct SystemError: Error {
    package let code: Int32
  }

  private let path: String
  private let followsLinks: Bool
  private let limits: Limits
  private var entries = 0
  private var files = 0

  /// A walk that reads links to files only with `followsLinks`, and links to folders never.
  package init(_ path: String, followsLinks: Bool, limits: Limits = Limits()) {
    self.path = path
    self.followsLinks = followsLinks
    self.limits = limits
  }

  /// Visits each YAML file, in no order, until a visit says that it is enough.
  ///
  /// Hidden files and folders are passed over, and so is a folder that can't be opened.
  /// - Throws: `folder-too-large`, and what a visit throws.
  package mutating func visitFiles(_ visit: (File) throws(Diagnostic) -> Bool) throws(Diagnostic) {
    let root = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard root >= 0 else { return }
    _ = try look(into: "", root, level: 1, visit)
  }

  /// Whether to go on after the folder.
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
      switch kind(of: base, named: name, Int32(entry.pointee.d_type), in: descriptor) {
      case .folder:
        let inner = openat(
          descriptor, base, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard inner >= 0 else { continue }
        guard level < limits.levels else {
          close(inner)
          throw tooLarge("folders more than \(limits.levels) levels deep")
        }
        guard try look(into: relative, inner, level: level + 1, visit) else { return false }
      case .file:
        guard try openFile(base, relative, in: descriptor, visit) else { return false }
      case .other: continue
      }
    }
    return true
  }

  private enum Kind {
    case folder, file, other
  }

  /// What an entry is, as far as that matters here.
  private func kind(
    of base: UnsafePointer<CChar>, named name: String, _ type: Int32, in folder: Int32
  ) -> Kind {
    let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    switch type {
    case Int32(DT_DIR): return .folder
    case Int32(DT_REG): return isYAML ? .file : .other
    case Int32(DT_LNK) where !(followsLinks && isYAML): return .other
    case Int32(DT_LNK), Int32(DT_UNKNOWN):
      var status = stat()
      let isLink = type == Int32(DT_LNK)
      guard fstatat(folder, base, &status, isLink ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
        return .other
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where !isLink: return .folder
      case S_IFREG where isYAML: return .file
      case S_IFLNK where followsLinks && isYAML:
        return self.kind(of: base, named: name, Int32(DT_LNK), in: folder)
      default: return .other
      }
    default: return .other
    }
  }

  /// Whether to go on after the file.
  private mutating func openFile(
    _ base: UnsafePointer<CChar>, _ name: String, in folder: Int32,
    _ visit: (File) throws(Diagnostic) -> Bool
  ) throws(Diagnostic) -> Bool {
    files += 1
    guard files <= limits.files else { throw tooLarge("more than \(limits.files) YAML files") }
    let descriptor = openat(
      folder, base,
      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else {
      let error = SystemError(code: errno)
      return try visit(File(name: name, descriptor: .failure(error), status: stat()))
    }
    defer { close(descriptor) }
    var status = stat()
    // It may have been exchanged since the folder was read.
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
    return try visit(File(name: name, descriptor: .success(descriptor), status: status))
  }

  /// The error for a folder that is past one of the limits.
  package func tooLarge(_ what: String) -> Diagnostic {
    Diagnostic(
      "folder-too-large", "\(path) holds \(what), so nothing of it was loaded",
      help: "keep definitions in a folder of their own")
  }
}
