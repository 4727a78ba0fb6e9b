import Glibc
import POSIX

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
    let isOpenToOthers: Bool
    let bytes: [UInt8]
    do {
      let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
      isOpenToOthers = try file.status().st_mode & 0o077 != 0
      bytes = try Descriptor.bytes(of: file.number, named: path, at: 0, count: LinkKey.size + 1)
    } catch {
      if error.code == ENOENT { return nil }
      throw lost("\(path) cannot be read: \(error.reason)", recordedID)
    }
    if isOpenToOthers {
      throw LinkError(
        .io,
        "the key for wrapped links, \(path), can be read by others; take that from them: "
          + "chmod 600 \(Self.quoted(path))")
    }
    return bytes
  }

  /// Makes the file with a new key, whole or not at all; one that another process made is kept.
  private func create() throws(LinkError) {
    guard let key = LinkKey.random() else { throw failure("no random numbers can be had") }
    let folder = Folder.parent(of: path)
    do {
      try Folder.make(folder)
    } catch {
      throw failure("its folder cannot be made: \(error.reason)")
    }
    do {
      // Published once it is complete: no reader ever sees half a key.
      let draft = try DraftFile(for: path)
      try draft.file.write(key.bytes)
      try draft.publish(as: path, replacing: false)
    } catch {
      guard error.code == EEXIST else { throw failure("it cannot be made: \(error.reason)") }
    }
    // Some file systems cannot sync a folder; the key is then as safe as they make it.
    Folder.sync(folder)
  }

  /// A path as one word of a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
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
