package import Glibc

extension stat {
  /// Returns the status of a path; nil, with `errno`, if it does not exist or cannot be accessed.
  package static func at(_ path: String, followsLinks: Bool = true) -> stat? {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    return fstatat(AT_FDCWD, path, &status, flags) == 0 ? status : nil
  }

  /// Whether it is a folder.
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }

  /// Whether it is a symbolic link.
  package var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

  /// Whether it is a regular file.
  package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
