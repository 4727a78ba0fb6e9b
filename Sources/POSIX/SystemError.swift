import Glibc

/// A failed system call on a path; the caller adds the wording.
///
/// The target POSIX owns thin wrappers of system calls for files, locks, folders and clocks; it depends on no other
/// target.
package struct SystemError: Error {
  /// The code of a named pipe or a device in place of a file.
  package static let notAFile: Int32 = -1

  /// The path of the call.
  package let path: String
  /// The error code (errno(3)).
  package let code: Int32

  /// Creates the error of the call that just failed.
  package init(_ path: String, _ code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// Whether the disk or the user's quota is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Advice on reading a path that is not a regular file, or is absent; nil for other codes.
  package var inputHelp: String? {
    switch code {
    case Self.notAFile: "give its content on standard input: `-` instead of \(path)"
    case ENOENT: "check the path"
    default: nil
    }
  }

  /// The system's message in lower case, to follow a colon.
  package var reason: String {
    if code == Self.notAFile { return "it is a pipe or a device" }
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
