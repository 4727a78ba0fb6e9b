import Glibc
import Source

/// The folders whose definitions a person has allowed, by path and content (language §1).
struct TrustFile {
  let path: String

  private struct Entry {
    let hash: String
    let folder: String
  }

  private func entries() -> [Entry] {
    guard let bytes = try? FileReader.bytes(of: path) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      return parts.count == 2 ? Entry(hash: String(parts[0]), folder: String(parts[1])) : nil
    }
  }

  /// Whether a folder with this content is allowed.
  func allows(_ folder: String, hash: String) -> Bool {
    entries().contains { $0.folder == folder && $0.hash == hash }
  }

  /// Allows a folder with this content, and no longer with another.
  ///
  /// - Throws: a `Diagnostic` when it can't be remembered.
  func allow(_ folder: String, hash: String) throws(Diagnostic) {
    let others = entries().filter { $0.folder != folder }
    let lines = (others + [Entry(hash: hash, folder: folder)]).map { "\($0.hash) \($0.folder)\n" }
    try Self.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path) }
    let bytes = Array(lines.joined().utf8)
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
    guard isWritten, fsync(descriptor) == 0, close(descriptor) == 0,
      rename(temporary, path) == 0
    else {
      unlink(temporary)
      throw Self.failure(path)
    }
  }

  /// Makes a folder and those above it, for the owner only.
  static func makeFolder(_ path: String) throws(Diagnostic) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
        throw failure(made)
      }
    }
  }

  private static func failure(_ path: String) -> Diagnostic {
    Diagnostic("unwritable", "\(path) can't be written: \(String(cString: strerror(errno)))")
  }
}
