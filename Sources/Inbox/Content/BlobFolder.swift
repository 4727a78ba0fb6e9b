import Glibc
import Links
import POSIX

/// The bytes of files that a store keeps, each once, in files that are called by their hash.
package struct BlobFolder: Sendable {
  /// Where it is.
  package let path: String

  /// For how many seconds a file is kept that nothing names: what names it may be about to be
  /// written, or to be made again by `undo`.
  package static let grace = 7 * 86_400

  /// The files of a store, beside it.
  package init(besideStore store: String) {
    path = store + ".files"
  }

  /// The files in a folder.
  package init(path: String) {
    self.path = path
  }

  /// The path of the bytes with a hash.
  package func path(of hash: String) -> String { "\(path)/\(hash)" }

  /// Keeps bytes that come piece by piece; they are on the disk when this returns.
  ///
  /// - Returns: Their hash.
  /// - Throws: `io`, and what the pieces throw.
  package func keep(_ pieces: (_ add: ([UInt8]) throws -> Void) throws -> Void) throws -> String {
    let draft = try InboxError.wording(path) { () throws(SystemError) -> DraftFile in
      try makeDraft()
    }
    var hash = SHA256.Stream()
    try pieces { piece in
      hash.add(piece)
      try InboxError.wording(path) { () throws(SystemError) -> Void in try draft.file.write(piece) }
    }
    let name = hash.finish().hexadecimal
    // One that is there already is young again, so that no sweep takes it now.
    if utimensat(AT_FDCWD, path(of: name), nil, 0) == 0 { return name }
    try InboxError.wording(path) { () throws(SystemError) -> Void in
      // Whoever opens it must not change what others know by its hash.
      guard fchmod(draft.file.number, 0o400) == 0 else { throw SystemError(path) }
      try draft.publish(as: path(of: name))
    }
    try InboxFolder.sync(path)
    return name
  }

  private func makeDraft() throws(SystemError) -> DraftFile {
    let place = "\(path)/.\(UInt64.random(in: .min ... .max)).draft"
    do { return try DraftFile(place) } catch {
      guard error.code == ENOENT else { throw error }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(path) }
      return try DraftFile(place)
    }
  }

  /// The hashes of the files that are old enough to be removed where nothing names them.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func old(now: Int) throws(InboxError) -> [String] {
    guard let names = Folder.names(in: path) else {
      if errno == ENOENT { return [] }
      throw .system(path)
    }
    return names.filter { ($0.utf8.count == 64 || $0.hasSuffix(".draft")) && isOld($0, now) }
  }

  /// The paths of what processes that were killed began to keep.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func leftovers(now: Int) -> [String] {
    (Folder.names(in: path) ?? []).filter { $0.hasSuffix(".draft") }.sorted().map { path(of: $0) }
      .filter { LeftFile.isLeft($0, now: now) }
  }

  private func isOld(_ name: String, _ now: Int) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_ctim.tv_sec < now - Self.grace
  }

  /// Removes a file unless it became young meanwhile.
  package func remove(_ name: String, now: Int) {
    if isOld(name, now) { unlink(path(of: name)) }
  }
}
