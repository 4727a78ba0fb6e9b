import Catalog
import Engine
package import Source

/// Finds folders that define the same names and therefore cannot be used together.
package enum FolderRivalry {
  /// Returns the folders that share a defined name with a different folder, in order of appearance.
  ///
  /// - Complexity: O(bytes of the files).
  package static func folders(in files: [SourceFile]) -> [String] {
    var order: [String] = []
    var seen: Set<String> = []
    for file in files where seen.insert(file.folder).inserted { order.append(file.folder) }
    guard order.count > 1 else { return [] }
    var homes: [String: Set<String>] = [:]
    for file in files {
      for (kind, name) in DefinitionCatalog().add(file, to: .user) where !kind.isWording {
        homes[kind == .entity ? "entity \(name)" : name, default: []].insert(file.folder)
      }
    }
    let rivals = homes.values.filter { $0.count > 1 }.reduce(into: Set<String>()) {
      $0.formUnion($1)
    }
    return order.filter(rivals.contains)
  }
}

extension SourceFile {
  /// The path of its folder; empty for the working directory.
  package var folder: String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
}
