import ForeignText

/// Reads Firefox's bookmarks in its database `places.sqlite`.
struct PlacesRecords: RecordReader {
  private let database: ForeignDatabase
  private let folderTags: FolderTags
  private let folders: [Int64: Folder]
  private let tagsFolder: Int64?
  let leftovers = Leftovers()

  /// A folder of Firefox.
  private struct Folder {
    let title: String
    let parent: Int64
    /// Whether it is built in.
    let isOfBrowser: Bool
  }

  /// - Throws: `ExchangeError`.
  init(_ database: ForeignDatabase, _ folderTags: FolderTags) throws {
    self.folderTags = folderTags
    self.database = database
    var folders: [Int64: Folder] = [:]
    var tagsFolder: Int64?
    try database.prepare(
      "SELECT id, coalesce(title, ''), coalesce(parent, 0), coalesce(guid, '') "
        + "FROM moz_bookmarks WHERE type = 2")
    while try database.step() {
      let guid = database.text(3)
      // The root folders have fixed names instead of random GUIDs (Firefox's Bookmarks.sys.mjs).
      let isOfBrowser = guid.count == 12 && guid.hasSuffix("__")
      if guid == "tags________" { tagsFolder = database.int(0) }
      folders[database.int(0)] = Folder(
        title: database.text(1), parent: database.int(2), isOfBrowser: isOfBrowser)
    }
    self.folders = folders
    self.tagsFolder = tagsFolder
    let tags = tagsFolder ?? -1
    let hasNotes = try database.hasTables(["moz_items_annos", "moz_anno_attributes"])
    let note =
      hasNotes
      ? "(SELECT a.content FROM moz_items_annos a JOIN moz_anno_attributes n "
        + "ON n.id = a.anno_attribute_id WHERE a.item_id = b.id "
        + "AND n.name = 'bookmarkProperties/description')" : "NULL"
    try database.prepare(
      """
      SELECT b.id, coalesce(b.title, p.title, ''), p.url, b.parent, b.dateAdded, b.lastModified, \
      (SELECT group_concat(t.title, char(31)) FROM moz_bookmarks e JOIN moz_bookmarks t \
      ON t.id = e.parent WHERE e.fk = b.fk AND t.parent = \(tags)), \(note) \
      FROM moz_bookmarks b JOIN moz_places p ON p.id = b.fk \
      WHERE b.type = 1 ORDER BY b.id
      """)
  }

  mutating func next() throws -> ImportRecord? {
    while true {
      let (isRow, damage) = try database.stepOrDamage()
      guard isRow else { return damage }
      let url = database.text(2)
      // Firefox's saved queries are not bookmarks.
      if url.hasPrefix("place:") { continue }
      var bookmark = Bookmark(number: Int(clamping: database.int(0)))
      bookmark.title = database.text(1)
      bookmark.url = url
      bookmark.created = String(database.int(4))
      bookmark.updated = String(database.int(5))
      bookmark.tags = database.text(6).split(separator: "\u{1F}").map(String.init)
      bookmark.notes = [database.text(7)]
      guard let path = path(of: database.int(3)) else { continue }
      bookmark.folders = path
      return bookmark.record(folderTags)
    }
  }

  /// Returns the parent folders, outermost first; nil for an entry that only assigns a tag.
  private func path(of parent: Int64) -> [String]? {
    var path: [String] = []
    var id = parent
    // In a damaged file, folders may form a cycle.
    for _ in 0..<1000 {
      guard let folder = folders[id] else { break }
      if id == tagsFolder { return nil }
      if !folder.isOfBrowser { path.append(folder.title) }
      id = folder.parent
    }
    return path.reversed()
  }
}
