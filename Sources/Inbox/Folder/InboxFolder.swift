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
    let share = try start("\(unfinished)/\(name)")
    try InboxError.wording { () throws(SystemError) -> Void in try share.file.write(header) }
    for item in draft.items {
      if let bytes = item.bytes {
        try InboxError.wording { () throws(SystemError) -> Void in try share.file.write(bytes) }
      } else if case .file(let source, _) = item {
        let count = try InboxError.wording { () throws(SystemError) -> Int in
          try share.file.write(contentOf: source.descriptor, limit: source.size)
        }
        guard count == source.size else {
          throw InboxError(.io, "\(source.path) became shorter while it was read")
        }
      }
    }
    try InboxError.wording { () throws(SystemError) -> Void in
      try share.publish(as: "\(waiting)/\(name)")
    }
    try Self.sync(waiting)
  }

  /// A new file; the folders are made when they are not there.
  private func start(_ path: String) throws(InboxError) -> DraftFile {
    do { return try DraftFile(path) } catch {
      guard error.code == ENOENT else { throw .system(unfinished, error.code) }
    }
    try make()
    return try InboxError.wording(unfinished) { () throws(SystemError) -> DraftFile in
      try DraftFile(path)
    }
  }

  /// Makes the folders that are missing.
  package func make() throws(InboxError) {
    for folder in [path, unfinished, waiting] {
      try InboxError.wording { () throws(SystemError) -> Void in try Folder.make(folder) }
    }
  }

  /// Puts on the disk which files a folder holds.
  static func sync(_ folder: String) throws(InboxError) {
    errno = Folder.sync(folder)
    // Some file systems have no such call, and do no worse.
    if errno != 0, errno != EINVAL { throw .system(folder) }
  }
}
