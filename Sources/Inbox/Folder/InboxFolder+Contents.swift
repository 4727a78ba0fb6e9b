package import CEL
import Glibc
import POSIX

/// What waits in the inbox.
extension InboxFolder {
  /// The names of the shares that wait, the oldest first; none where there is no inbox.
  ///
  /// - Throws: `io` when the folder can't be read.
  package func names() throws(InboxError) -> [String] {
    try files(in: waiting).sorted()
  }

  /// When the file of a share was written; nil when it is not there any more.
  package func modified(_ name: String) -> Timestamp? {
    var status = stat()
    guard stat("\(waiting)/\(name)", &status) == 0 else { return nil }
    return Timestamp(seconds: Int64(status.st_mtim.tv_sec))
  }

  private func files(in folder: String) throws(InboxError) -> [String] {
    guard let names = Folder.names(in: folder) else {
      if errno == ENOENT { return [] }
      throw .system(folder)
    }
    // Files that begin with a dot are other programs' own.
    return names.filter { !$0.hasPrefix(".") }
  }

  /// What a share holds; nil when it is not there any more.
  ///
  /// - Throws: `malformed` when it is no share, `io`.
  package func reader(of name: String) throws(InboxError) -> ShareReader? {
    try ShareReader(name, at: "\(waiting)/\(name)")
  }

  /// Takes a share out of the inbox for good; one that is gone already is no error.
  package func remove(_ name: String) throws(InboxError) {
    let path = "\(waiting)/\(name)"
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(path) }
  }

  /// Takes a bare file that was taken in out of the inbox, unless it was written anew meanwhile: then
  /// it is another share.
  package func remove(bare name: String, receipt: String) throws(InboxError) {
    var status = stat()
    guard lstat("\(waiting)/\(name)", &status) == 0,
      ShareReader.receipt(of: name, status) == receipt
    else { return }
    try remove(name)
  }

  /// Puts on the disk which shares were taken out.
  package func syncRemovals() throws(InboxError) { try Self.sync(waiting) }

  /// The paths of what processes that were killed began and never finished.
  ///
  /// A share that is being written is open; one of another program may not be, so it is given time.
  /// - Parameter now: The time in seconds since 1970.
  package func leftovers(now: Int) throws(InboxError) -> [String] {
    try files(in: unfinished).filter { name in
      let path = "\(unfinished)/\(name)"
      return ShareName.short(name) != name && LeftFile.isLeft(path, now: now)
        || LeftFile.age(of: path, now: now) > Self.patience
    }.sorted().map { "\(unfinished)/\($0)" }
  }

  /// Removes what was begun and never finished.
  ///
  /// - Parameter now: The time in seconds since 1970.
  /// - Returns: How many files were removed.
  @discardableResult
  package func sweep(now: Int) throws(InboxError) -> Int {
    var count = 0
    for name in try files(in: unfinished) {
      let path = "\(unfinished)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_mtim.tv_sec < now - Self.patience
      else { continue }
      if unlink(path) == 0 { count += 1 }
    }
    return count
  }
}
