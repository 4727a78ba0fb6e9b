import CEL
import Catalog
import Program
import Store
import YAML

extension Run {
  /// Keeps the bytes of a file, and gives the properties of the item that is to stand for it.
  ///
  /// - Throws: `invalid-value` where the entity has no `hash`, `io`, `not-found`.
  func keeping(
    _ path: String, in values: [(name: String, value: Value)], of entity: EntityDefinition
  ) throws -> [(name: String, value: Value)] {
    guard entity.property("hash") != nil else {
      throw RunError(
        .invalidValue, "a \(entity.name.text) keeps no files: it has no property `hash`",
        help: "create a File")
    }
    let files = host.machine.files
    let folder: String? =
      if case .file(let store) = try store().database.location {
        host.machine.files.canonical(store + ".files")
      } else {
        nil
      }
    let kept = try outside { try files.keep(path, folder) }
    var values = values
    func give(_ name: String, _ value: Value, isUsual: Bool = false) {
      guard entity.property(name) != nil else { return }
      if let position = values.firstIndex(where: { $0.name == name }) {
        if !isUsual || values[position].value.isNull { values[position].value = value }
      } else {
        values.append((name, value))
      }
    }
    give("hash", .string(kept.hash))
    give("path", .string(kept.path))
    give("size", .int(kept.size))
    give("name", .string(FilePathText.name(of: path)), isUsual: true)
    give("mediaType", .string(kept.mediaType), isUsual: true)
    return values
  }
}
