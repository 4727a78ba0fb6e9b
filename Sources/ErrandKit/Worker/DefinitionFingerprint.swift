import Glibc
import POSIX

/// Tells whether the definitions in some folders are still those that were read: by the names, sizes and
/// times of their files.
package struct DefinitionFingerprint {
  private let folders: [String]
  /// How deep folders are looked into, and how many files are looked at.
  private static let depthLimit = 8
  private static let fileLimit = 10_000

  package init(_ folders: [String]) { self.folders = folders }

  /// What is another text once a file is another.
  package var text: String {
    var lines: [String] = []
    for folder in folders { Self.add(folder, depth: 0, to: &lines) }
    return lines.joined(separator: "\n")
  }

  private static func add(_ folder: String, depth: Int, to lines: inout [String]) {
    guard depth < depthLimit else { return }
    for name in Folder.visibleNames(in: folder) where lines.count < fileLimit {
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        add(folder + "/" + name, depth: depth + 1, to: &lines)
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        lines.append(
          "\(folder)/\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
      }
    }
  }
}
