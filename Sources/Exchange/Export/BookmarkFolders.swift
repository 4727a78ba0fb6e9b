/// Bookmarks in folders by their tags: `people/friends` is the folder `friends` in `people`.
struct BookmarkFolders {
  private var bookmarks = ""
  private var folders: [(name: String, content: BookmarkFolders)] = []
  private var places: [String: Int] = [:]

  /// Adds a bookmark to the folder of its first nested tag, or of its first one.
  mutating func add(_ bookmark: String, tags: [String]) {
    let tag = tags.first { $0.contains("/") } ?? tags.first ?? ""
    add(bookmark, tag.split(separator: "/").map { String($0).oneLine }.filter { !$0.isEmpty }[...])
  }

  private mutating func add(_ bookmark: String, _ path: ArraySlice<String>) {
    guard let name = path.first else {
      bookmarks += bookmark
      return
    }
    let place = places[name] ?? folders.count
    if place == folders.count {
      folders.append((name, BookmarkFolders()))
      places[name] = place
    }
    folders[place].content.add(bookmark, path.dropFirst())
  }

  /// The folders and bookmarks in Netscape's format, folders first and by name.
  var netscape: String {
    folders.sorted { $0.name < $1.name }.map { folder in
      "    <DT><H3>\(folder.name.escapedMarkup())</H3>\n    <DL><p>\n\(folder.content.netscape)"
        + "    </DL><p>\n"
    }.joined() + bookmarks
  }
}
