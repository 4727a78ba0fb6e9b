import Glibc
import POSIX

/// The folder of shares waiting for import, organized like a maildir.
///
/// Each share is a file. It is written to `tmp`, synced and renamed to `new`: every file in `new`
/// is complete, even if a process is killed, and adding a share takes no lock.
///
/// `Inbox` owns content until it is imported: the format of shares, the detection of content types,
/// and the storage of files by hash.
package struct InboxFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// The age at which an unfinished file is abandoned, as in a maildir.
  package static let patience = Duration.seconds(36 * 3_600)

  /// The person's vault, if shares are to be sealed; nil for one in clear.
  package let vault: Vault?

  /// The inbox next to a store.
  package init(besideStore store: String, vault: Vault?) {
    path = store + ".inbox"
    self.vault = vault
  }

  /// Whether the folder exists.
  package var isThere: Bool { access(path, F_OK) == 0 }

  /// The folder where shares are written.
  var unfinished: String { path + "/tmp" }
  /// The folder of complete shares.
  package var waiting: String { path + "/new" }

  /// Puts a share into the inbox, sealed if there is a vault; it is on disk when this returns.
  ///
  /// - Parameter name: A unique name.
  /// - Throws: `unfit` if the share exceeds the limits, `io`.
  package func put(_ newShare: NewShare, named name: String) throws(InboxError) {
    try newShare.expectWithinLimits()
    let header = try newShare.header()
    let share = try start("\(unfinished)/\(name)")
    let publicKey = try vault?.publicKey()
    try InboxError.wording {
      if let publicKey {
        try Self.seal(newShare, header, for: publicKey, in: share.file)
        return try share.publish(as: "\(waiting)/\(name)")
      }
      try share.file.write(header)
      for item in newShare.items {
        if let bytes = item.bytes {
          try share.file.write(bytes)
        } else if case .file(let source, _) = item {
          let count = try share.file.write(contentOf: source.descriptor, limit: source.size)
          guard count == source.size else {
            throw InboxError(.io, "\(source.path) became shorter while it was read")
          }
        }
      }
      try share.publish(as: "\(waiting)/\(name)")
    }
    try Self.sync(waiting)
  }

  private static func seal(
    _ newShare: NewShare, _ header: [UInt8], for publicKey: [UInt8], in file: Descriptor
  ) throws {
    var sealer = try Sealer(for: publicKey) { try file.write($0) }
    // A share that is sealed from the beginning has no earlier receipt.
    try sealer.add([0x0A])
    try sealer.add(header)
    for item in newShare.items {
      if let bytes = item.bytes { try sealer.add(bytes) }
      guard case .file(let source, _) = item else { continue }
      var position = 0
      while position < source.size {
        let piece = try Descriptor.bytes(
          of: source.descriptor, named: source.path, at: position,
          count: min(1 << 20, source.size - position))
        guard !piece.isEmpty else {
          throw InboxError(.io, "\(source.path) became shorter while it was read")
        }
        try sealer.add(piece)
        position += piece.count
      }
    }
    try sealer.finish()
  }

  /// Creates a file, and the folders if necessary.
  ///
  /// Its name has a random suffix: one with the share's name may be left of a process that was
  /// killed, if a client sends the share again.
  private func start(_ path: String) throws(InboxError) -> TemporaryFile {
    do { return try TemporaryFile(for: path) } catch {
      guard error.code == ENOENT else { throw .system(unfinished, error.code) }
    }
    try make()
    return try InboxError.wording(unfinished) { try TemporaryFile(for: path) }
  }

  /// Creates the missing folders.
  package func make() throws(InboxError) {
    try InboxError.wording {
      for folder in [path, unfinished, waiting] { try Folder.make(folder) }
    }
  }

  /// Syncs the entries of a folder to disk.
  static func sync(_ folder: String) throws(InboxError) {
    errno = Folder.sync(folder)
    // Some file systems do not support this call.
    if errno != 0, errno != EINVAL { throw .system(folder) }
  }
}
