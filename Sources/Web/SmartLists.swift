import ErrandKit

/// The lists that a person saved: a title and the address of a list with its words, condition and
/// order, in a file of the data folder.
struct SmartLists {
  /// A saved list.
  struct Entry: Hashable {
    let title: String
    let path: String
  }

  private let file: PrivateFile?
  private(set) var entries: [Entry] = []

  private static let limit = 100

  /// Reads the file; one that is damaged has no lists.
  init(_ errand: Errand) {
    file = errand.places.map { PrivateFile(path: $0.data + "/lists.json") }
    guard let file, let bytes = try? FileReader.bytes(of: file.path, limit: 1 << 20),
      let value = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    else { return }
    entries = (value.array ?? []).compactMap { entry in
      guard let title = entry["title"]?.string, let path = entry["path"]?.string,
        path.hasPrefix("/list/") || path.hasPrefix("/tag/") || path.hasPrefix("/?")
      else { return nil }
      return Entry(title: title, path: path)
    }
  }

  /// Saves a list; one with the same title is replaced.
  mutating func add(_ title: String, path: String) throws(ErrandError) {
    entries.removeAll { $0.title == title }
    guard entries.count < Self.limit else {
      throw ErrandError(
        code: "invalid-value", message: "there are \(Self.limit) saved lists already",
        help: "remove one")
    }
    entries.append(Entry(title: title, path: path))
    try write()
  }

  mutating func remove(_ title: String) throws(ErrandError) {
    entries.removeAll { $0.title == title }
    try write()
  }

  private func write() throws(ErrandError) {
    let value = JSONValue.array(
      entries.map { ["title": .string($0.title), "path": .string($0.path)] })
    guard let file, let text = try? value.text(),
      file.replace(Array((text + "\n").utf8), isDurable: true)
    else {
      throw ErrandError(code: "unwritable", message: "the saved lists cannot be written")
    }
  }
}
