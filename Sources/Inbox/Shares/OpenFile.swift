import Glibc

/// A regular file open for reading; its name may contain any bytes.
package final class OpenFile {
  /// Its descriptor, open as long as this object lives.
  package let descriptor: Int32
  /// The path for messages; bytes that are not UTF-8 are shown as U+FFFD.
  package let path: String
  /// The size when it was opened.
  package let size: Int

  /// Opens a file; never blocks on a pipe or device.
  ///
  /// - Throws: `unfit` if it does not exist or is not a regular file; `io`.
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

  /// The last component of the path.
  package var name: String { String(path.split(separator: "/").last ?? "") }

  /// Opens all files in a folder and its subfolders, sorted by name, except hidden ones.
  ///
  /// - Throws: `unfit` if there are none, or more than a share may contain; `io`.
  package static func all(in folder: [UInt8]) throws(InboxError) -> [OpenFile] {
    var files: [OpenFile] = []
    try add(folder, depth: 0, to: &files)
    if files.isEmpty {
      throw InboxError(.unfit, "\(shown(folder)) has no files in it", help: "share a file")
    }
    return files
  }

  /// The maximum depth of folders.
  private static let maxDepth = 32

  private static func add(
    _ folder: [UInt8], depth: Int, to files: inout [OpenFile]
  ) throws(InboxError) {
    guard depth < maxDepth else {
      throw InboxError(
        .unfit, "\(shown(folder)) is more than \(maxDepth) folders deep", help: "share an archive"
      )
    }
    guard let stream = folder.withTerminator({ opendir($0) }) else { throw .system(shown(folder)) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    closedir(stream)
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
      // A symbolic link to a folder could create a cycle.
      if kind(of: path, followsLinks: false) == S_IFDIR {
        try add(path, depth: depth + 1, to: &files)
        continue
      }
      guard kind(of: path) == S_IFREG else { continue }
      guard files.count < ShareLimits.items else {
        throw InboxError(
          .unfit, "\(shown(folder)) has too many files for one share: at most \(ShareLimits.items)",
          help: "share them in several calls, or an archive of them")
      }
      files.append(try OpenFile(path))
    }
  }

  private static func shown(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  /// Whether the path leads to a folder.
  package static func isFolder(_ path: [UInt8]) -> Bool { kind(of: path) == S_IFDIR }

  /// Whether the path leads to anything but a folder.
  package static func isThere(_ path: [UInt8]) -> Bool {
    kind(of: path).map { $0 != S_IFDIR } ?? false
  }

  /// The file type, such as `S_IFREG`; nil if nothing exists at the path.
  private static func kind(of path: [UInt8], followsLinks: Bool = true) -> mode_t? {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let result = path.withTerminator { fstatat(AT_FDCWD, $0, &status, flags) }
    return result == 0 ? status.st_mode & S_IFMT : nil
  }
}

extension [UInt8] {
  /// Runs `body` with the bytes as a C string, up to the first NUL.
  fileprivate func withTerminator<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The array has at least the terminator.
      buffer.baseAddress.map(body) ?? body("")
    }
  }
}
