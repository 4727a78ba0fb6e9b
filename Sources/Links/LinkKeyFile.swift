import Glibc

/// The file that holds the key of a store's links, readable by its owner only.
///
/// The store records the id of the key with which something was signed. A key is made only while
/// none is recorded: a new one in the place of a lost one would make every shared link worthless
/// without a word.
package struct LinkKeyFile: Sendable {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The key for signing; it is made when there is none and nothing was ever signed.
  ///
  /// - Parameter recordedID: The id of the key that the store records, nil when it records none.
  /// - Throws: `io` when the key is lost, unreadable, of the wrong size or not the recorded one.
  package func keyForSigning(recordedID: String?) throws(LinkError) -> LinkKey {
    if let key = try existingKey(recordedID: recordedID) { return key }
    try create()
    // Another process may have been first: the file holds the key that counts.
    guard let key = try existingKey(recordedID: nil) else {
      throw failure("it vanished right after it was made")
    }
    return key
  }

  /// The key for verifying; nil when there is none and nothing was ever signed.
  ///
  /// - Throws: `io` when the key is lost, unreadable, of the wrong size or not the recorded one.
  package func existingKey(recordedID: String?) throws(LinkError) -> LinkKey? {
    guard let bytes = try contents(recordedID: recordedID) else {
      guard let recordedID else { return nil }
      throw lost("the file \(path) is missing", recordedID)
    }
    guard let key = LinkKey(bytes: bytes) else {
      throw lost("\(path) does not hold exactly \(LinkKey.size) bytes", recordedID)
    }
    if let recordedID, key.id != recordedID {
      throw lost("\(path) holds another key (\(key.id))", recordedID)
    }
    return key
  }

  /// The bytes of the file, at most one more than a key has; nil when there is no file.
  private func contents(recordedID: String?) throws(LinkError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw lost("\(path) cannot be read: \(Self.reason())", recordedID)
    }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0 {
      throw LinkError(
        .io,
        "the key for wrapped links, \(path), can be read by others; take that from them: "
          + "chmod 600 \(Self.quoted(path))")
    }
    var bytes = [UInt8](repeating: 0, count: LinkKey.size + 1)
    var count = 0
    while count < bytes.count {
      let part = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if part < 0 {
        if errno == EINTR { continue }
        throw lost("\(path) cannot be read: \(Self.reason())", recordedID)
      }
      if part == 0 { break }
      count += part
    }
    return Array(bytes.prefix(count))
  }

  /// Makes the file with a new key, whole or not at all; one that another process made is kept.
  private func create() throws(LinkError) {
    let folder = Self.folder(of: path)
    try makeFolder(folder)
    guard let key = LinkKey.random() else { throw failure("no random numbers can be had") }
    // Published by a link from a file that is complete: no reader ever sees half a key.
    let temporary = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("it cannot be made: \(Self.reason())") }
    defer { unlink(temporary) }
    let count = write(descriptor, key.bytes, key.bytes.count)
    let isWhole = count == key.bytes.count && fsync(descriptor) == 0
    let reason = Self.reason()
    guard close(descriptor) == 0, isWhole else { throw failure("it cannot be written: \(reason)") }
    guard link(temporary, path) == 0 || errno == EEXIST else {
      throw failure("it cannot be made: \(Self.reason())")
    }
    let folderDescriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folderDescriptor >= 0 {
      // Some file systems cannot sync a folder; the key is then as safe as they make it.
      _ = fsync(folderDescriptor)
      close(folderDescriptor)
    }
  }

  /// Makes a folder and those above it, for the owner only; existing ones stay as they are.
  private func makeFolder(_ folder: String) throws(LinkError) {
    guard !folder.isEmpty else { return }
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOENT { try makeFolder(Self.folder(of: folder)) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw failure("its folder cannot be made: \(Self.reason())")
    }
  }

  /// What stands before the last slash of a path; empty when that is all or nothing.
  private static func folder(of path: String) -> String {
    String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
  }

  /// A path as one word of a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }

  private static func reason() -> String {
    String(cString: strerror(errno))
  }

  private func failure(_ reason: String) -> LinkError {
    LinkError(.io, "the key for wrapped links, \(path), is of no use: \(reason)")
  }

  private func lost(_ what: String, _ recordedID: String?) -> LinkError {
    guard let recordedID else {
      return LinkError(
        .io,
        "the key for wrapped links is of no use: \(what). Nothing was signed with it yet: "
          + "correct the file or move it away")
    }
    return LinkError(
      .io,
      "the key for wrapped links is lost: \(what), and links were signed with key \(recordedID); "
        + "restore that file from a backup. Nothing was shared")
  }
}
