package import Exchange
import Glibc
import POSIX
import Synchronization

/// The files beside those that are imported, such as attachments of notes.
package final class FilesBeside: Sendable {
  /// The paths of the files that were read.
  private let given = Mutex<Set<String>>([])

  /// The largest file, in bytes.
  private static let maxFile = 256 << 20
  /// Maximum number of folders around a note.
  private static let maxDepth = 20

  package init() {}

  /// Returns the files in the folder of a file; none for a stream.
  package func beside(_ path: String?) -> ForeignFiles {
    guard let path else { return ForeignFiles() }
    let folder = Self.folder(of: path)
    return ForeignFiles { name in
      let file = "\(folder)/\(name)"
      guard let bytes = try? FileReader.bytes(of: file, limit: Self.maxFile) else { return nil }
      self.given.withLock { _ = $0.insert(file) }
      return bytes
    }
  }

  /// Whether a file was read for another one.
  package func hasGiven(_ path: String) -> Bool { given.withLock { $0.contains(path) } }

  /// Whether a file is in a vault of Obsidian, which has a hidden folder of its own.
  package static func isInVault(_ path: String) -> Bool {
    var folder = folder(of: path)
    for _ in 0..<maxDepth {
      if stat.at(folder + "/.obsidian")?.isFolder == true { return true }
      guard folder.contains("/"), folder != "/" else { return false }
      folder = self.folder(of: folder)
    }
    return false
  }

  private static func folder(of path: String) -> String {
    guard let mark = path.lastIndex(of: "/") else { return "." }
    return mark == path.startIndex ? "/" : String(path[..<mark])
  }
}
