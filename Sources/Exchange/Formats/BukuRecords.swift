import ForeignText

/// Reads the bookmarks in buku's database.
struct BukuRecords: RecordReader {
  private let database: ForeignDatabase
  let leftovers = Leftovers()

  /// - Throws: `ExchangeError`.
  init(_ database: ForeignDatabase) throws {
    self.database = database
    try database.prepare(
      "SELECT id, URL, coalesce(metadata, ''), coalesce(tags, ''), coalesce(desc, '') "
        + "FROM bookmarks ORDER BY id")
  }

  mutating func next() throws -> ImportRecord? {
    let (isRow, damage) = try database.stepOrDamage()
    guard isRow else { return damage }
    var bookmark = Bookmark(number: Int(clamping: database.int(0)))
    bookmark.url = database.text(1)
    bookmark.title = database.text(2)
    bookmark.tags = TagList.tags(database.text(3), .commas)
    bookmark.notes = [database.text(4)]
    return bookmark.record(.none)
  }
}
