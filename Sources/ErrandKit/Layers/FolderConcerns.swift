package import Glibc
import POSIX

/// Why others than the person may have written, or may write, what a folder holds.
package struct FolderConcerns {
  private var owners: Set<UInt32> = []
  private var isWritable = false

  /// What the folder itself and the one that holds it tell.
  package init(ofFolder path: String) {
    var status = stat()
    if lstat(path, &status) == 0 { add(status) }
    // Whoever may write to the folder above can put another in its place, unless only the owner
    // may (inode(7), the sticky bit).
    var above = stat()
    if lstat(Folder.parent(of: path), &above) == 0, Self.isWritable(above),
      above.st_mode & S_ISVTX == 0
    {
      isWritable = true
    }
  }

  /// Takes in what a file or a folder in it tells.
  package mutating func add(_ status: stat) {
    if status.st_nlink > 0, status.st_uid != geteuid() { owners.insert(status.st_uid) }
    if Self.isWritable(status) { isWritable = true }
  }

  /// A person's own group has nobody else in it on most systems, and is left out.
  private static func isWritable(_ status: stat) -> Bool {
    status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
  }

  /// All of it in a few words that follow a name; nil when there is nothing to say.
  package var text: String? {
    let ids = owners.sorted().map { String($0) }.joined(separator: ", ")
    let owner = ids.isEmpty ? nil : "belongs to another user (uid \(ids))"
    let writers = isWritable ? "can be written by others" : nil
    let parts = [owner, writers].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}
