import Glibc
import Links
import POSIX

/// Content-addressed storage for a store's files: each is stored once and named by its hash.
package struct BlobFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Retention of an unreferenced file: a reference may be about to be written, or
  /// restored by `undo`.
  package static let grace = Duration.seconds(7 * 86_400)

  /// The folder next to a store.
  package init(besideStore store: String) { path = store + ".files" }

  /// The folder at a path.
  package init(path: String) { self.path = path }

  /// The path of the file with a hash.
  package func path(of hash: String) -> String { "\(path)/\(hash)" }

  /// Stores bytes that arrive in chunks; they are on disk when this returns.
  ///
  /// - Returns: The hash.
  /// - Throws: `io`; rethrows errors of `pieces`.
  package func keep(_ pieces: (_ add: ([UInt8]) throws -> Void) throws -> Void) throws -> String {
    let temporary = try InboxError.wording(path) { try makeTemporaryFile() }
    var hash = SHA256.Stream()
    try pieces { piece in
      hash.add(piece)
      try InboxError.wording(path) { try temporary.file.write(piece) }
    }
    let name = hash.finish().hexadecimal
    // An existing file gets a new time, so that no sweep removes it now.
    if utimensat(AT_FDCWD, path(of: name), nil, 0) == 0 { return name }
    try InboxError.wording(path) {
      // Read-only: the content of a blob must always match its hash.
      guard fchmod(temporary.file.number, 0o400) == 0 else { throw SystemError(path) }
      try temporary.publish(as: path(of: name))
    }
    try InboxFolder.sync(path)
    return name
  }

  private func makeTemporaryFile() throws(SystemError) -> TemporaryFile {
    let place = "\(path)/.\(UInt64.random(in: .min ... .max)).draft"
    do { return try TemporaryFile(place) } catch {
      guard error.code == ENOENT else { throw error }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError(path) }
      return try TemporaryFile(place)
    }
  }

  /// Returns the hashes of files old enough to be removed if nothing references them.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func old(now: Int) throws(InboxError) -> [String] {
    try InboxFolder.allNames(in: path).filter {
      ($0.utf8.count == 64 || $0.hasSuffix(".draft")) && isOld($0, now)
    }
  }

  /// Returns the paths of unfinished files of processes that were killed.
  ///
  /// - Parameter now: The time in seconds since 1970.
  package func leftovers(now: Int) -> [String] {
    (Folder.names(in: path) ?? []).filter { $0.hasSuffix(".draft") }.sorted().map { path(of: $0) }
      .filter { LeftFile.isLeft($0, now: now) }
  }

  private func isOld(_ name: String, _ now: Int) -> Bool {
    var status = stat()
    return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_ctim.tv_sec < now - Int(Self.grace.wholeSeconds)
  }

  /// Removes a file, unless its time was updated in between.
  package func remove(_ name: String, now: Int) {
    if isOld(name, now) { unlink(path(of: name)) }
  }
}
