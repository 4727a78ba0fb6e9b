package import CEL
import Glibc
import POSIX

/// The contents of the inbox.
extension InboxFolder {
  /// Returns the names of waiting shares, oldest first; none if there is no inbox.
  ///
  /// - Throws: `io` if the folder cannot be read.
  package func names() throws(InboxError) -> [String] { try files(in: waiting).sorted() }

  /// The modification time of a share's file; nil if it no longer exists.
  package func modified(_ name: String) -> Timestamp? {
    var status = stat()
    guard stat("\(waiting)/\(name)", &status) == 0 else { return nil }
    return Timestamp(seconds: Int64(status.st_mtim.tv_sec))
  }

  private func files(in folder: String) throws(InboxError) -> [String] {
    // Hidden files belong to other programs.
    try Self.allNames(in: folder).filter { !$0.hasPrefix(".") }
  }

  /// Returns all names in a folder; none if it does not exist.
  static func allNames(in folder: String) throws(InboxError) -> [String] {
    if let names = Folder.names(in: folder) { return names }
    if errno == ENOENT { return [] }
    throw .system(folder)
  }

  /// Opens a share; nil if it no longer exists.
  ///
  /// - Throws: `malformed` if the file is not a share, `io`.
  package func reader(of name: String) throws(InboxError) -> ShareReader? {
    try ShareReader(name, at: "\(waiting)/\(name)", vault)
  }

  /// The number of sealed shares that wait for the vault to be unlocked.
  package func sealedCount() throws(InboxError) -> Int {
    guard let vault, vault.exists, !vault.isUnlocked else { return 0 }
    return try names().count { isSealed($0) }
  }

  /// Whether a share is sealed.
  package func isSealed(_ name: String) -> Bool {
    guard let file = try? Descriptor("\(waiting)/\(name)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let head = try? Descriptor.bytes(
        of: file.number, named: name, at: 0, count: Sealer.mark.count)
    else { return false }
    return Sealer.isSealed(head)
  }

  /// Seals the shares that other programs left in clear, once they are complete; the caller has the
  /// lock. The time, the receipt and the name of each stay.
  ///
  /// - Returns: The number of shares sealed.
  /// - Throws: `io`, `foreignKey`.
  @discardableResult
  package func sealClearShares(at now: Timestamp) throws(InboxError) -> Int {
    guard let publicKey = try vault?.publicKey() else { return 0 }
    var count = 0
    for name in try names() {
      guard !isSealed(name), let reader = try? ShareReader(name, at: "\(waiting)/\(name)", nil),
        reader.isWhole(at: now)
      else { continue }
      try InboxError.wording {
        let draft = try TemporaryFile(for: "\(unfinished)/\(name)")
        var sealer = try Sealer(for: publicKey) { try draft.file.write($0) }
        try sealer.add(Array((reader.share.receipt + "\n").utf8))
        try reader.readAll { try sealer.add($0) }
        try sealer.finish()
        guard reader.isUnchanged else { return }
        let time = reader.share.time.microseconds
        let stamp = timespec(
          tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1000)
        _ = futimens(draft.file.number, [stamp, stamp])
        try draft.publish(as: "\(waiting)/\(name)")
        count += 1
      }
    }
    if count > 0 { try Self.sync(waiting) }
    return count
  }

  /// Replaces sealed shares by clear ones, before the vault is removed; the caller holds the lock.
  ///
  /// - Throws: `locked`, `malformed`, `io`.
  package func openSealedShares() throws {
    guard let vault else { return }
    for name in try names() where isSealed(name) {
      let file = try Descriptor("\(waiting)/\(name)", O_RDONLY | O_NOFOLLOW)
      let draft = try TemporaryFile(for: "\(unfinished)/\(name)")
      var isContent = false
      func write(_ piece: [UInt8]) throws {
        var bytes = piece[...]
        if !isContent, let line = bytes.firstIndex(of: 0x0A) {
          bytes = bytes[(line + 1)...]
          isContent = true
        }
        try draft.file.write(Array(bytes))
      }
      try vault.open(
        reading: { try Descriptor.bytes(of: file.number, named: name, at: $0, count: $1) },
        into: write)
      try draft.publish(as: "\(waiting)/\(name)")
    }
    try Self.sync(waiting)
  }

  /// Removes a share from the inbox; ignores one that no longer exists.
  package func remove(_ name: String) throws(InboxError) {
    let path = "\(waiting)/\(name)"
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(path) }
  }

  /// Removes an imported bare file, unless it was replaced in between: then it is another share.
  package func remove(bare name: String, receipt: String) throws(InboxError) {
    var status = stat()
    guard lstat("\(waiting)/\(name)", &status) == 0,
      ShareReader.receipt(of: name, status) == receipt
    else { return }
    try remove(name)
  }

  /// Syncs the removal of shares to disk.
  package func syncRemovals() throws(InboxError) { try Self.sync(waiting) }

  /// Returns the paths of unfinished files of processes that were killed.
  ///
  /// A share that is being written is open. Another program's file may not be, so it is given time.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func leftovers(now: Int) throws(InboxError) -> [String] {
    try files(in: unfinished).filter { name in
      let path = "\(unfinished)/\(name)"
      return ShareName.short(name) != name && LeftFile.isLeft(path, now: now)
        || LeftFile.age(of: path, now: now) > Self.patience
    }.sorted().map { "\(unfinished)/\($0)" }
  }

  /// Removes abandoned unfinished files.
  ///
  /// - Parameter now: The time in seconds since 1970.
  /// - Returns: The number of removed files.
  @discardableResult
  package func sweep(now: Int) throws(InboxError) -> Int {
    try files(in: unfinished).map { "\(unfinished)/\($0)" }.count {
      LeftFile.age(of: $0, now: now) > Self.patience && unlink($0) == 0
    }
  }
}
