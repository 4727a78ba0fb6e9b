import ErrandKit

/// The lists that a person saved: a title and the address of a list with its words, condition and
/// order, in a file of the data folder.
struct SmartLists {
  /// A saved list.
  struct Entry: Hashable {
    let title: String
    let path: String
  }

  private let file: JSONFile
  private(set) var entries: [Entry] = []

  private static let limit = 100

  /// Reads the file; one that is damaged has no lists.
  init(_ errand: Errand) {
    file = JSONFile("lists.json", in: errand.places?.data)
    entries = (file.value.array ?? []).compactMap { entry in
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

  /// Renames a list, which keeps its place; another one with the new title is replaced.
  mutating func rename(_ title: String, to new: String) throws(ErrandError) {
    guard title != new else { return }
    entries.removeAll { $0.title == new }
    entries = entries.map { $0.title == title ? Entry(title: new, path: $0.path) : $0 }
    try write()
  }

  /// Moves a list up, by a negative number of places, or down.
  mutating func move(_ title: String, by places: Int) throws(ErrandError) {
    guard let index = entries.firstIndex(where: { $0.title == title }) else { return }
    let entry = entries.remove(at: index)
    entries.insert(entry, at: min(max(index + places, 0), entries.count))
    try write()
  }

  mutating func remove(_ title: String) throws(ErrandError) {
    entries.removeAll { $0.title == title }
    try write()
  }

  private func write() throws(ErrandError) {
    try file.write(
      .array(entries.map { ["title": .string($0.title), "path": .string($0.path)] }),
      "the saved lists")
  }
}
