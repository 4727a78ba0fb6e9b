import Glibc
import POSIX

/// Files of ours that a process leaves behind that is killed while it writes them.
enum LeftFile {
  /// For how many seconds a file is left alone, which covers the moment between its end and its move.
  private static let grace = 60

  /// How many seconds ago a regular file was changed; below 0 for what is not there or none.
  static func age(of path: String, now: Int) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return -1 }
    return now - status.st_mtim.tv_sec
  }

  /// Whether nobody writes a file any more that its writer keeps open until it is moved away.
  static func isLeft(_ path: String, now: Int) -> Bool {
    guard age(of: path, now: now) > grace else { return false }
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return FileWriters.exist(for: file) == false
  }
}
