import Glibc

/// A call of the system that failed for a path, for its caller to put into words.
package struct SystemError: Error {
  /// The path that the call was made for.
  package let path: String
  /// The code of the error (errno(3)).
  package let code: Int32

  /// The error of the call that failed just now.
  package init(_ path: String, _ code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// Whether there is no room left on the disk, or in the person's part of it.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The reason in the system's words, which follow a colon.
  package var reason: String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
