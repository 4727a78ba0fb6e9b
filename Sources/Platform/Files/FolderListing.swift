import CEL
import CLinux
import Engine
import Glibc
import POSIX
import Program

/// Lists folders.
enum FolderListing {
  /// Maximum number of entries of a listing.
  private static let limit = 1_000_000
  /// Maximum depth of a recursive listing.
  private static let depthLimit = 100

  /// Returns the entries of a folder, sorted by name; links to folders are not followed.
  @Sendable
  static func entries(_ folder: String, _ deep: Bool) throws -> [FileEntry] {
    var found: [FileEntry] = []
    try add(folder, deep, depth: 0, to: &found)
    return found
  }

  /// Returns the entry of a path; nil if it does not exist.
  @Sendable
  static func entry(_ path: String) throws -> FileEntry? {
    try RunError.status(of: path).map { entry(path, FilePathText.name(of: path), $0) }
  }

  private static func entry(_ path: String, _ name: String, _ status: stat) -> FileEntry {
    FileEntry(
      path: path, name: name, size: Int64(status.st_size),
      modified: Timestamp(
        microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000
          + Int64(status.st_mtim.tv_nsec) / 1000),
      isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }

  private static func add(
    _ folder: String, _ deep: Bool, depth: Int, to found: inout [FileEntry]
  ) throws {
    guard let names = Folder.names(in: folder) else {
      // Like `find`, skips an unreadable subfolder.
      if depth > 0 { return }
      throw RunError.file(folder)
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    for name in names.sorted() {
      let path = base + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      guard found.count < limit else {
        throw RunError(.io, "\(folder) contains more than \(limit) files")
      }
      let entry = entry(path, name, status)
      found.append(entry)
      if deep, entry.isFolder, depth < depthLimit {
        try add(path, deep, depth: depth + 1, to: &found)
      }
    }
  }
}
