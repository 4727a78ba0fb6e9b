import CLinux
import Glibc

/// A file written under a temporary name and renamed into place atomically; removed if it is not published.
package final class TemporaryFile {
  /// The temporary file.
  package let file: Descriptor
  private var isPublished = false

  /// The temporary path.
  package var path: String { file.path }

  /// Creates the empty file; fails if the path exists.
  package init(_ path: String, mode: UInt32 = 0o600) throws(SystemError) {
    file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// Creates the empty file beside a target, with a random suffix.
  package convenience init(for target: String) throws(SystemError) {
    try self.init("\(target).\(UInt64.random(in: .min ... .max))")
  }

  deinit { if !isPublished { unlink(path) } }

  /// Renames the file to its target; nothing is written after that.
  ///
  /// The new name is durable only once its folder is synced (`Folder.sync`).
  /// - Parameters:
  ///   - replacing: Whether an existing file is replaced; otherwise it is an `EEXIST` error.
  ///   - isSynced: Whether the content is synced before the rename.
  package func publish(
    as target: String, replacing: Bool = true, isSynced: Bool = true
  ) throws(SystemError) {
    if isSynced { try file.sync() }
    try file.close()
    var status = replacing ? rename(path, target) : errand_rename_new(path, target)
    // Some network file systems lack `RENAME_NOREPLACE`.
    if status != 0, !replacing, errno == EINVAL || errno == ENOSYS {
      status = link(path, target)
      if status == 0 { unlink(path) }
    }
    guard status == 0 else { throw SystemError(target) }
    isPublished = true
  }
}
