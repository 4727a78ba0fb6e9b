import Engine
import Glibc
import POSIX
import Program

/// Copies files and folders with permissions and times.
struct FileCopier {
  /// Whether existing files are replaced.
  let replaces: Bool

  /// Copies a file, a link or a folder recursively.
  ///
  /// - Throws: `conflict` if the target exists and must not be replaced.
  func copy(_ from: String, to target: String) throws {
    var status = stat()
    guard lstat(from, &status) == 0 else { throw RunError.file(from) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: try copyFolder(from, to: target, status)
    case S_IFLNK: try copyLink(from, to: target)
    case S_IFREG: try copyFile(from, to: target, status)
    default: throw RunError(.io, "\(from) is not a regular file")
    }
  }

  private func copyFile(_ from: String, to target: String, _ status: stat) throws {
    let source = try Descriptor(from, O_RDONLY | O_NONBLOCK)
    let sink = try FileSink(target, throughLink: false)
    try sink.write(copyOf: source, status)
    try sink.publish(replacing: replaces)
  }

  private func copyLink(_ from: String, to target: String) throws {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink(from, &buffer, Int(PATH_MAX)) >= 0 else { throw RunError.file(from) }
    if replaces { unlink(target) }
    guard symlink(buffer, target) == 0 else {
      throw errno == EEXIST ? RunError.taken(target) : RunError.file(target)
    }
  }

  private func copyFolder(_ from: String, to target: String, _ status: stat) throws {
    guard !(target + "/").hasPrefix(from + "/") else {
      throw RunError(.invalidValue, "\(from) cannot be copied into itself")
    }
    guard mkdir(target, status.st_mode & 0o777 | 0o700) == 0 else {
      throw errno == EEXIST ? RunError.taken(target) : RunError.file(target)
    }
    var copied: [String] = []
    do {
      for entry in try FolderListing.entries(from, false) {
        let place = target + "/" + entry.name
        try copy(entry.path, to: place)
        copied.append(place)
      }
    } catch {
      // Removes an incomplete copy, but no files that other programs added meanwhile.
      for place in copied { try? Self.remove(place) }
      rmdir(target)
      throw error
    }
    chmod(target, status.st_mode & 0o777)
  }

  /// Removes a file or a folder recursively.
  static func remove(_ path: String) throws {
    guard let entry = try FolderListing.entry(path) else { return }
    if entry.isFolder {
      for inner in try FolderListing.entries(path, false) { try remove(inner.path) }
      guard rmdir(path) == 0 else { throw RunError.file(path) }
    } else {
      guard unlink(path) == 0 else { throw RunError.file(path) }
    }
  }
}
