import CLinux
package import Glibc

/// A file that is written under another name and takes its place at once, so that nobody ever sees
/// half of it; one that is not published is removed.
package final class DraftFile {
  /// What is written to.
  package let file: Descriptor
  private var isPublished = false

  /// The path for the time being.
  package var path: String { file.path }

  /// Makes the empty file, where no file or link is yet.
  package init(_ path: String, mode: mode_t = 0o600) throws(SystemError) {
    file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// Makes the empty file for a path, under that and a number by chance.
  package convenience init(for target: String) throws(SystemError) {
    try self.init("\(target).\(UInt64.random(in: .min ... .max))")
  }

  deinit { if !isPublished { unlink(path) } }

  /// Gives the file its name, after which nothing more is written.
  ///
  /// The name itself may be lost in a power cut until its folder is synced (`Folder.sync`).
  /// - Parameters:
  ///   - replacing: Whether it takes the place of what has that name; otherwise that is `EEXIST`.
  ///   - isSynced: Whether its content is on the disk before it has the name.
  package func publish(
    as target: String, replacing: Bool = true, isSynced: Bool = true
  ) throws(SystemError) {
    if isSynced { try file.sync() }
    try file.close()
    var status = replacing ? rename(path, target) : errand_rename_new(path, target)
    // Some file systems of a network know no other way to replace nothing.
    if status != 0, !replacing, errno == EINVAL || errno == ENOSYS {
      status = link(path, target)
      if status == 0 { unlink(path) }
    }
    guard status == 0 else { throw SystemError(target) }
    isPublished = true
  }
}
