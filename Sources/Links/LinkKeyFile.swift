import Glibc
import POSIX

/// The file with the key of a store's links, readable only by its owner.
///
/// The store records the id of the key it signed with. A key is generated only if none is recorded:
/// silently replacing a lost key would invalidate all shared links.
package struct LinkKeyFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Returns the key for signing; generates one if there is none and nothing was ever signed.
  ///
  /// - Parameter recordedID: The key id recorded in the store; nil if there is none.
  /// - Throws: `io` if the key is lost, unreadable, of the wrong size or not the recorded one.
  package func keyForSigning(recordedID: String?) throws(LinkError) -> LinkKey {
    if let key = try existingKey(recordedID: recordedID) { return key }
    try create()
    // Another process may have created the file first; its key counts.
    guard let key = try existingKey(recordedID: nil) else {
      throw failure("it disappeared right after it was created")
    }
    return key
  }

  /// Returns the key for verifying; nil if there is none and nothing was ever signed.
  ///
  /// - Throws: `io` if the key is lost, unreadable, of the wrong size or not the recorded one.
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

  /// The contents of the file, at most one byte more than a key; nil if the file does not exist.
  private func contents(recordedID: String?) throws(LinkError) -> [UInt8]? {
    let isOpenToOthers: Bool
    let bytes: [UInt8]
    do {
      let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
      isOpenToOthers = try file.status().st_mode & 0o077 != 0
      bytes = try file.bytes(at: 0, count: LinkKey.size + 1)
    } catch {
      if error.code == ENOENT { return nil }
      throw lost("\(path) cannot be read: \(error.reason)", recordedID)
    }
    if isOpenToOthers {
      throw LinkError(
        .io,
        "the key for wrapped links, \(path), can be read by others; remove their access: "
          + "chmod 600 \(Self.quoted(path))")
    }
    return bytes
  }

  /// Atomically creates the file with a new key, unless another process already has.
  private func create() throws(LinkError) {
    guard let key = LinkKey.random() else { throw failure("cannot generate random numbers") }
    let folder = Folder.parent(of: path)
    do { try Folder.make(folder) } catch {
      throw failure("cannot create its folder: \(error.reason)")
    }
    do {
      // Publishing the complete file prevents readers from seeing a partial key.
      let temporary = try TemporaryFile(for: path)
      try temporary.file.write(key.bytes)
      try temporary.publish(as: path, replacing: false)
    } catch {
      guard error.code == EEXIST else { throw failure("cannot create it: \(error.reason)") }
    }
    // Some file systems cannot sync a folder; that is not an error.
    Folder.sync(folder)
  }

  /// Quotes a path for a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }
    return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }

  private func failure(_ reason: String) -> LinkError {
    LinkError(.io, "the key for wrapped links, \(path), cannot be used: \(reason)")
  }

  private func lost(_ what: String, _ recordedID: String?) -> LinkError {
    let message =
      recordedID.map {
        "is lost: \(what), and links were signed with key \($0); restore that file from a backup. "
          + "Nothing was shared"
      } ?? "cannot be used: \(what). Nothing was signed with it yet: fix the file or move it away"
    return LinkError(.io, "the key for wrapped links \(message)")
  }
}
