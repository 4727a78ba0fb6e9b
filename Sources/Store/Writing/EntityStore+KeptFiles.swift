import CEL
import Items

/// Files whose bytes lie beside the store, each under its hash: what an item says of them is checked
/// wherever it comes from, so that none stands for another file of the person.
extension EntityStore {
  /// The entity of such files.
  package static let keptFileEntity = "File"

  /// The path of the kept bytes with a hash; nil for a store in memory, beside which nothing lies.
  package func keptPath(of hash: String) -> String? {
    guard case .file(let path) = location else { return nil }
    let folder = path + ".files"
    let known = Self.resolved(folder)
    // Before the first file there is no folder.
    return (known == folder ? Self.resolved(path) + ".files" : known) + "/" + hash
  }

  /// Expects that the values of an item name bytes that the library keeps.
  ///
  /// - Parameter changed: the positions of the values that are new.
  /// - Throws: `invalidValue`, naming the property and never the value.
  func expectKeptFile(
    _ values: [Value], changed: [Int]? = nil, in table: EntityTable
  ) throws {
    guard table.name == Self.keptFileEntity, let hashIndex = table.layout.index(of: "hash"),
      case .string(let hash) = values[hashIndex]
    else { return }
    let pathIndex = table.layout.index(of: "path")
    if let changed, !changed.contains(where: { $0 == hashIndex || $0 == pathIndex }) { return }
    let isHash =
      hash.utf8.count == 64
      && hash.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    guard isHash else {
      throw StoreError(
        .invalidValue, "the value for \(table.name).hash must be the SHA-256 of its bytes")
    }
    guard let pathIndex, case .string(let path) = values[pathIndex],
      let own = keptPath(of: hash), path != own,
      // It may be written with links in it, as the path of the store.
      Self.resolved(path) != Self.resolved(own)
    else { return }
    throw StoreError(
      .invalidValue,
      "the value for \(table.name).path must be where the library keeps its bytes; "
        + "keep a file with `create: {entity: \(table.name), from: PATH}`")
  }
}
