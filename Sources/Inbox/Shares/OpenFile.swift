import Glibc

/// A regular file that is open for reading, whatever bytes its name has.
package final class OpenFile {
  let descriptor: Int32
  /// The path for messages; bytes that are not UTF-8 are shown as U+FFFD.
  package let path: String
  /// How many bytes it had when it was opened.
  package let size: Int

  /// Opens a file; nothing waits for a pipe or a device.
  ///
  /// - Throws: `unfit` when it is not there, or is not a regular file; `io`.
  package init(_ path: [UInt8]) throws(InboxError) {
    let shown = String(decoding: path, as: UTF8.self)
    self.path = shown
    let opened = path.withTerminator { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard opened >= 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw InboxError(.unfit, "there is no file \(shown)", help: "check the path")
      }
      throw .system(shown)
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      close(opened)
      throw InboxError(
        .unfit, "\(shown) is \(isFolder ? "a folder" : "not a regular file")",
        help: isFolder ? "share the files in it, or an archive of it" : nil)
    }
    descriptor = opened
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The last part of the path.
  package var name: String {
    String(path.split(separator: "/").last ?? "")
  }

  /// Whether a path leads to something that is no folder.
  package static func isThere(_ path: [UInt8]) -> Bool {
    var status = stat()
    guard path.withTerminator({ stat($0, &status) }) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFDIR
  }
}

extension [UInt8] {
  /// Runs `body` with the bytes as a C string; what comes after a NUL is left out.
  fileprivate func withTerminator<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The array has at least the terminator.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}
