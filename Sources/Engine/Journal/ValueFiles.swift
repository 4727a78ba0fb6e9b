import Glibc
import Links
import POSIX
package import Store

/// Values of journals that are too large for a line, in files that are called by their hash.
package struct ValueFiles {
  /// From how many bytes on a value has a file.
  static let threshold = 64 << 10

  private let folder: String

  /// The files beside a store; nil for one in memory.
  package init?(_ store: EntityStore) {
    guard case .file(let path) = store.database.location else { return nil }
    folder = Database.valueFolder(ofStore: path)
  }

  /// Keeps a text, and gives what stands for it in a line.
  ///
  /// - Throws: `io` when it can't be written.
  func keep(_ text: String) throws -> String {
    let hash = SHA256.hex(of: text)
    let path = "\(folder)/\(hash)"
    if access(path, F_OK) == 0 { return "#" + hash }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw Self.failure(folder) }
    do {
      let draft = try DraftFile(for: path)
      try draft.file.write(Array(text.utf8))
      try draft.publish(as: path)
    } catch {
      throw Self.failure(path, error.code)
    }
    return "#" + hash
  }

  /// The text that a hash stands for.
  ///
  /// - Throws: `store` when the file is gone or was changed.
  func text(of hash: String) throws -> String {
    let path = "\(folder)/\(hash)"
    guard let file = try? Descriptor(path, O_RDONLY) else {
      throw RunError(.store, "a value of the run is gone: the journal has it in \(path)")
    }
    let bytes = try? file.bytes(limit: .max)
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    guard SHA256.hex(of: text) == hash else {
      throw RunError(.store, "a value of the run was changed or is damaged: \(path)")
    }
    return text
  }

  /// Removes the files that no line names any more, but for those of the last day: the line of one may
  /// be about to be written.
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
    RunError(.io, "a value of the run can't be kept in \(path): \(String(cString: strerror(code)))")
  }
}
