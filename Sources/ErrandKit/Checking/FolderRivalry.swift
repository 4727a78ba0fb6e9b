import Catalog
package import Source

/// Finds folders whose files define the same names, so that they can't be used together.
package enum FolderRivalry {
  /// The folders of files that define a name which another folder defines, too, in their order.
  ///
  /// - Complexity: O(bytes of the files).
  package static func folders(in files: [SourceFile]) -> [String] {
    var order: [String] = []
    var seen: Set<String> = []
    for file in files where seen.insert(file.folder).inserted { order.append(file.folder) }
    guard order.count > 1 else { return [] }
    var homes: [String: Set<String>] = [:]
    for file in files {
      for (kind, name) in Library().add(file, to: .user) {
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
  /// The folder that it lies in; empty for the working folder.
  package var folder: String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
}
