import Glibc
import POSIX

/// Detects changes of the definitions in some folders by the names, sizes and times of their files.
package struct DefinitionFingerprint {
  private let folders: [String]
  /// The maximum depth of folders, and the maximum number of files.
  private static let depthLimit = 8
  private static let fileLimit = 10_000

  package init(_ folders: [String]) { self.folders = folders }

  /// The fingerprint; differs after any file has changed.
  package var text: String {
    var lines: [String] = []
    for folder in folders { Self.add(folder, depth: 0, to: &lines) }
    return lines.joined(separator: "\n")
  }

  private static func add(_ folder: String, depth: Int, to lines: inout [String]) {
    guard depth < depthLimit else { return }
    for name in Folder.visibleNames(in: folder) where lines.count < fileLimit {
      guard let status = stat.at(folder + "/" + name) else { continue }
      if status.isFolder {
        add(folder + "/" + name, depth: depth + 1, to: &lines)
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        lines.append(
          "\(folder)/\(name) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
      }
    }
  }
}
