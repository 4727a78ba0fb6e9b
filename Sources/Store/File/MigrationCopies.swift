import Glibc

/// The copies made beside a store before the items of an entity were migrated.
package struct MigrationCopies {
  /// The number of copies kept per entity.
  package static let kept = 3

  private let path: String

  /// The copies of the store whose file is at a path.
  package init(of path: String) { self.path = path }

  /// The path of a copy; several of the same moment are numbered.
  static func name(_ path: String, _ moment: String, _ entity: String, number: Int) -> String {
    "\(path).\(moment)\(number > 1 ? "-\(number)" : "").\(entity).backup"
  }

  /// The copies of all entities, and those of earlier releases, whose names omit the entity; oldest
  /// first.
  package var all: [(path: String, bytes: Int)] {
    copies.map { (path: $0.path, bytes: StoreOpener.size($0.path) ?? 0) }
  }

  /// The number of the next copy with the same moment.
  func nextNumber(_ moment: String) -> Int {
    (copies.filter { $0.moment == moment }.map(\.number).max() ?? 0) + 1
  }

  /// Removes all but the newest copies of an entity.
  ///
  /// This only frees disk space, so failures are ignored.
  func prune(_ entity: String) {
    let own = copies.map(\.path).filter { $0.hasSuffix(".\(entity).backup") }
    for copy in own.dropLast(Self.kept) { unlink(copy) }
  }

  /// The copies beside the store, parsed from their names, oldest first.
  private var copies: [(moment: String, number: Int, path: String)] {
    WorkFile.besides(path).filter { $0.end.hasSuffix(".backup") }.map { path, end in
      let words = end.prefix { $0 != "." }.split(separator: "-")
      let number = words.count > 1 ? Int(words[1]) : nil
      return (words.first.map(String.init) ?? "", number ?? 1, path)
    }.sorted { $0 < $1 }
  }
}
