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

  /// The files in a folder and in those below it, by name, without hidden ones.
  ///
  /// - Throws: `unfit` where there are none, or more than fit in a share; `io`.
  package static func all(in folder: [UInt8]) throws(InboxError) -> [OpenFile] {
    var files: [OpenFile] = []
    try add(folder, depth: 0, to: &files)
    if files.isEmpty {
      throw InboxError(.unfit, "\(shown(folder)) has no files in it", help: "share a file")
    }
    return files
  }

  /// How deep folders are looked into.
  private static let maxDepth = 32

  private static func add(
    _ folder: [UInt8], depth: Int, to files: inout [OpenFile]
  ) throws(InboxError) {
    guard depth < maxDepth else {
      throw InboxError(
        .unfit, "\(shown(folder)) lies more than \(maxDepth) folders deep", help: "share an archive"
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
      var status = stat()
      // A link to a folder could lead back to this one.
      guard path.withTerminator({ lstat($0, &status) }) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        try add(path, depth: depth + 1, to: &files)
        continue
      }
      guard path.withTerminator({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
      else { continue }
      guard files.count < ShareLimits.items else {
        throw InboxError(
          .unfit, "\(shown(folder)) has too many files for one share: at most \(ShareLimits.items)",
          help: "share them in several calls, or an archive of them")
      }
      files.append(try OpenFile(path))
    }
  }

  private static func shown(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: [UInt8]) -> Bool {
    var status = stat()
    return path.withTerminator({ stat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFDIR
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
