import Engine
import Glibc
import POSIX

/// The folder of a browser's profile, or of all its profiles, in place of the file in it.
package enum ProfileFolder {
  private static let names = ["places.sqlite", "Bookmarks"]

  /// The path itself, or the bookmarks in the folder that it names.
  ///
  /// - Throws: `not-found`, or `ambiguous` with the profiles to choose from.
  package static func file(at path: String) throws -> String {
    guard isFolder(path) else { return path }
    let base = path.hasSuffix("/") ? String(path.dropLast()) : path
    for name in names where isFile("\(base)/\(name)") { return "\(base)/\(name)" }
    let found = entries(of: base).sorted().flatMap { entry in
      names.map { "\(base)/\(entry)/\($0)" }.filter(isFile)
    }
    switch found.count {
    case 1: return found[0]
    case 0:
      throw RunError(
        .notFound, "there are no bookmarks of a browser in the folder \(path)",
        help: "give the file that was exported, or the folder of a profile")
    default:
      throw RunError(
        .ambiguous, "there are several profiles in the folder \(path)",
        help: "choose one: " + found.prefix(5).joined(separator: ", "))
    }
  }

  private static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }
  private static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }

  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func entries(of folder: String) -> [String] {
    Array(Folder.visibleNames(in: folder).prefix(1000))
  }
}
