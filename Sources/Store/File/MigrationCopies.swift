import Glibc
import POSIX

/// The copies of a store that were made beside it before the items of an entity changed their form.
package struct MigrationCopies {
  /// How many are kept of each entity.
  package static let kept = 3

  private let path: String

  /// The copies of the store whose file is at a path.
  package init(of path: String) {
    self.path = path
  }

  /// The path of a copy of a moment; later ones of the same moment have a number.
  static func name(_ path: String, _ moment: String, _ entity: String, number: Int) -> String {
    "\(path).\(moment)\(number > 1 ? "-\(number)" : "").\(entity).backup"
  }

  /// The copies of all entities, and those of earlier releases, which do not tell theirs; the oldest
  /// first.
  package var all: [(path: String, bytes: Int)] {
    copies.map { (path: $0.path, bytes: StoreOpener.size($0.path) ?? 0) }
  }

  /// The number of the next copy of a moment.
  func nextNumber(_ moment: String) -> Int {
    (copies.filter { $0.moment == moment }.map(\.number).max() ?? 0) + 1
  }

  /// Removes all but the newest of an entity.
  ///
  /// It is a matter of room alone, so that what cannot be removed stays.
  func prune(_ entity: String) {
    let own = copies.map(\.path).filter { $0.hasSuffix(".\(entity).backup") }
    for copy in own.dropLast(Self.kept) { unlink(copy) }
  }

  /// A copy, by what its name tells.
  private struct Copy {
    let path: String
    let moment: String
    let number: Int
  }

  /// The copies beside the store, the oldest first.
  private var copies: [Copy] {
    let (folder, name) = Self.parts(of: path)
    return (Folder.names(in: folder) ?? [])
      .filter { $0.hasPrefix(name + ".") && $0.hasSuffix(".backup") }
      .map { file in
        let words = file.dropFirst(name.count + 1).prefix { $0 != "." }.split(separator: "-")
        return Copy(
          path: folder + file, moment: words.first.map(String.init) ?? "",
          number: words.count > 1 ? Int(words[1]) ?? 1 : 1)
      }
      .sorted { ($0.moment, $0.number, $0.path) < ($1.moment, $1.number, $1.path) }
  }

  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return ("./", path) }
    return (String(path[...slash]), String(path[path.index(after: slash)...]))
  }
}
