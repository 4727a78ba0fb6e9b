import Glibc
import POSIX

/// The folder in which shares wait until they are taken in, a maildir of them.
///
/// Every share is one file. It is written in `tmp`, synced, and renamed into `new`: so each file in
/// `new` is whole, whoever is killed when, and no lock is needed to add one.
package struct InboxFolder: Sendable {
  /// Where it is.
  package let path: String

  /// After how many seconds what is unfinished belongs to nobody any more, as in a maildir.
  package static let patience = 36 * 3600

  /// The inbox of a store, beside it.
  package init(besideStore store: String) {
    path = store + ".inbox"
  }

  /// Whether anything was ever shared.
  package var isThere: Bool { access(path, F_OK) == 0 }

  /// Where shares are written.
  var unfinished: String { path + "/tmp" }
  /// Where shares wait.
  package var waiting: String { path + "/new" }

  /// Puts a share into the inbox; it is on the disk when this returns.
  ///
  /// - Parameter name: What nobody ever called a share before.
  /// - Throws: `unfit` when it is too much, `io`.
  package func put(_ draft: ShareDraft, named name: String) throws(InboxError) {
    try draft.expectWithinLimits()
    let header = try draft.header()
    let path = "\(unfinished)/\(name)"
    let file = try create(path)
    do throws(InboxError) {
      do {
        defer { close(file) }
        try Self.write(header, to: file, path)
        for item in draft.items {
          if let bytes = item.bytes {
            try Self.write(bytes, to: file, path)
          } else if case .file(let source, _) = item {
            try Self.copy(source, to: file, path)
          }
        }
        guard fsync(file) == 0 else { throw .system(path) }
      }
      guard rename(path, "\(waiting)/\(name)") == 0 else { throw .system(waiting) }
    } catch {
      unlink(path)
      throw error
    }
    try Self.sync(waiting)
  }

  /// A new file; the folders are made when they are not there.
  private func create(_ path: String) throws(InboxError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var file = open(path, flags, 0o600)
    if file < 0, errno == ENOENT {
      try make()
      file = open(path, flags, 0o600)
    }
    guard file >= 0 else { throw .system(unfinished) }
    return file
  }

  /// Makes the folders that are missing.
  package func make() throws(InboxError) {
    for folder in [path, unfinished, waiting] { try Self.makeFolder(folder) }
  }

  private static func makeFolder(_ folder: String) throws(InboxError) {
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    let end = folder.lastIndex(of: "/") ?? folder.startIndex
    guard errno == ENOENT, end != folder.startIndex else { throw .system(folder) }
    try makeFolder(String(folder[..<end]))
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system(folder) }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(InboxError) {
    errno = WholeWrite.write(bytes, to: file)
    if errno != 0 { throw .system(path) }
  }

  private static func copy(
    _ source: OpenFile, to file: Int32, _ path: String
  ) throws(InboxError) {
    var offset: off_t = 0
    while offset < source.size {
      let count = sendfile(file, source.descriptor, &offset, source.size - Int(offset))
      if count < 0 {
        if errno == EINTR { continue }
        throw .system(path)
      }
      guard count > 0 else {
        throw InboxError(.io, "\(source.path) became shorter while it was read")
      }
    }
  }

  /// Puts on the disk which files a folder holds.
  static func sync(_ folder: String) throws(InboxError) {
    errno = Folder.sync(folder)
    // Some file systems have no such call, and do no worse.
    if errno != 0, errno != EINVAL { throw .system(folder) }
  }
}
