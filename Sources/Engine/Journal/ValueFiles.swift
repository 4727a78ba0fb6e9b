import Glibc
import Links
import POSIX
package import Store

/// Large values of journals, stored in files named by their hash.
package struct ValueFiles {
  /// Size from which a value is stored in a file, in bytes.
  static let threshold = 64 << 10

  private let folder: String

  /// The files for a store; nil for one in memory.
  package init?(_ store: Database) {
    guard case .file(let path) = store.location else { return nil }
    folder = Database.valueFolder(ofStore: path)
  }

  /// Stores a text, and returns its reference for a journal line.
  ///
  /// - Throws: `io` when it cannot be written.
  func keep(_ text: String) throws -> String {
    let hash = SHA256.hex(of: text)
    let path = "\(folder)/\(hash)"
    if access(path, F_OK) == 0 { return "#" + hash }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder) }
    do {
      let newRun = try TemporaryFile(for: path)
      try newRun.file.write(Array(text.utf8))
      try newRun.publish(as: path)
    } catch {
      throw Self.failure(path, error.code)
    }
    return "#" + hash
  }

  /// The text with a hash.
  ///
  /// - Throws: `store` when the file is missing or damaged.
  func text(of hash: String) throws -> String {
    let path = "\(folder)/\(hash)"
    guard let file = try? Descriptor(path, O_RDONLY) else {
      throw RunError(.store, "a value of the run is missing: \(path)")
    }
    let bytes = try? file.bytes(limit: .max)
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    guard SHA256.hex(of: text) == hash else {
      throw RunError(.store, "a value of the run was changed or is damaged: \(path)")
    }
    return text
  }

  /// Deletes unreferenced files older than a day; a newer one may belong to a line not yet written.
  package func prune(keeping hashes: Set<String>) {
    let yesterday = time(nil) - 86_400
    for name in Folder.names(in: folder) ?? [] {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard name.utf8.count == 64, !hashes.contains(name), stat(path, &status) == 0,
        status.st_mtim.tv_sec < yesterday
      else { continue }
      unlink(path)
    }
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> RunError {
    RunError(.io, "cannot store a value of the run in \(path): \(String(cString: strerror(code)))")
  }
}
