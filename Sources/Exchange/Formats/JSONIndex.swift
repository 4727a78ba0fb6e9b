/// The names and parents of folders and the pinned bookmarks that a first pass of a JSON file finds.
struct JSONIndex {
  /// The names of folders by their ordinals in the file.
  private(set) var names: [Int: String] = [:]
  /// The names and parents of folders by their ids.
  private(set) var parents: [String: (name: String, parent: String)] = [:]
  /// The ids of the pinned bookmarks.
  var pinned: Set<String> = []

  /// Names of folders that a service gives to what is in none.
  private static let builtIn: Set<String> = ["unorganized", "unsorted"]

  mutating func add(_ name: String, ordinal: Int, id: String, parent: String?) {
    names[ordinal] = name
    if let parent, !id.isEmpty { parents[id] = (name, parent) }
  }

  /// Returns the names of a folder and those around it, outermost first.
  func path(of id: String) -> [String] {
    var path: [String] = []
    var id = id
    // In a damaged file, folders may form a cycle.
    while let folder = parents[id], path.count < 100 {
      if !Self.builtIn.contains(folder.name.lowercased()) { path.append(folder.name) }
      id = folder.parent
    }
    return path.reversed()
  }
}
