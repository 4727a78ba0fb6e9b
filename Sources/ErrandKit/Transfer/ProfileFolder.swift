import Engine
import Glibc
import POSIX

/// Resolves the folder of a browser profile, or of all profiles, to its bookmarks file.
package enum ProfileFolder {
  private static let names = ["places.sqlite", "Bookmarks"]

  /// Returns the path itself, or the bookmarks file in the folder at that path; nil for another folder.
  ///
  /// - Throws: `ambiguous` with the profiles found.
  package static func file(at path: String) throws -> String? {
    guard stat.at(path)?.isFolder == true else { return path }
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    for name in names where isFile("\(base)/\(name)") { return "\(base)/\(name)" }
    let found = Folder.visibleNames(in: base).prefix(1000).sorted().flatMap { entry in
      names.map { "\(base)/\(entry)/\($0)" }.filter(isFile)
    }
    switch found.count {
    case 1: return found[0]
    case 0: return nil
    default:
      throw RunError(
        .ambiguous, "several profiles in the folder \(path)",
        help: "choose one: " + found.prefix(5).joined(separator: ", "))
    }
  }

  private static func isFile(_ path: String) -> Bool { stat.at(path)?.isRegular == true }
}
