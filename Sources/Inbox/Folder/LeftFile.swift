import Glibc
import POSIX

/// Files that a process left behind when it was killed while writing them.
enum LeftFile {
  /// The age below which a file is ignored; covers the time between closing and renaming it.
  private static let grace = Duration.seconds(60)

  /// The age of a regular file; negative if there is none.
  static func age(of path: String, now: Int) -> Duration {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .seconds(-1) }
    return .seconds(now - status.st_mtim.tv_sec)
  }

  /// Whether no process is writing the file, given that writers keep it open until it is renamed.
  static func isLeft(_ path: String, now: Int) -> Bool {
    guard age(of: path, now: now) > grace,
      let file = try? Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    else { return false }
    return FileWriters.exist(for: file.number) == false
  }
}
