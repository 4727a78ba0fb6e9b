package import Glibc
import POSIX

/// The reasons why a folder's content may have been, or could be, written by other users.
package struct FolderConcerns {
  private var owners: Set<UInt32> = []
  private var isWritable = false

  /// Checks the folder itself and its parent.
  package init(ofFolder path: String) {
    if let status = stat.at(path, followsLinks: false) { add(status) }
    // Anyone who can write to the parent can replace the folder, unless its sticky bit restricts
    // that to the owner (inode(7)).
    if let above = stat.at(Folder.parent(of: path), followsLinks: false) {
      isWritable = isWritable || Self.isWritable(above) && above.st_mode & S_ISVTX == 0
    }
  }

  /// Checks a file or folder inside.
  package mutating func add(_ status: stat) {
    if status.st_nlink > 0, status.st_uid != geteuid() { owners.insert(status.st_uid) }
    if Self.isWritable(status) { isWritable = true }
  }

  /// The user's primary group usually has no other members, so it is not reported.
  private static func isWritable(_ status: stat) -> Bool {
    status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
  }

  /// The reasons, worded to follow a name; nil if there are none.
  package var text: String? {
    let ids = owners.sorted().map { String($0) }.joined(separator: ", ")
    let owner = ids.isEmpty ? nil : "belongs to another user (uid \(ids))"
    let writers = isWritable ? "can be written by others" : nil
    let parts = [owner, writers].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}
