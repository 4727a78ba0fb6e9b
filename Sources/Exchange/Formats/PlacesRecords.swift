import CSQLite
import ForeignText
import Glibc
import POSIX

/// The bookmarks of Firefox in its database `places.sqlite`.
///
/// Firefox keeps the file locked, and what it wrote last lies in the log beside it: so both are
/// copied, and the copy is read.
struct PlacesRecords: RecordReader {
  private let database: Database
  private let folderTags: FolderTags
  private let folders: [Int64: Folder]
  private let tagsFolder: Int64?

  private struct Folder {
    let title: String
    let parent: Int64
    /// Whether Firefox made it.
    let isOfBrowser: Bool
  }

  /// - Throws: `ExchangeError`.
  init(path: String, _ folderTags: FolderTags, temporaryFolder: String) throws {
    self.folderTags = folderTags
    let database = try Database(copyOf: path, in: temporaryFolder)
    self.database = database
    var folders: [Int64: Folder] = [:]
    var tagsFolder: Int64?
    try database.prepare(
      "SELECT id, coalesce(title, ''), coalesce(parent, 0), coalesce(guid, '') "
        + "FROM moz_bookmarks WHERE type = 2")
    while try database.step() {
      let guid = database.text(3)
      // The roots have names in place of chance (Firefox's Bookmarks.sys.mjs).
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
      do {
        guard try database.step() else { return nil }
      } catch let error as ExchangeError {
        guard case .database(let reason) = error else { throw error }
        return database.hasFailed
          ? nil : database.failOnce(ImportRecord(number: 0, content: .damage(reason)))
      }
      let url = database.text(2)
      // Queries of Firefox itself are no bookmarks of a person.
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

  /// The folders above, the outermost first; nil for what only says which tags a page has.
  private func path(of parent: Int64) -> [String]? {
    var path: [String] = []
    var id = parent
    // A damaged file may have folders in a circle.
    for _ in 0..<1000 {
      guard let folder = folders[id] else { break }
      if id == tagsFolder { return nil }
      if !folder.isOfBrowser { path.append(folder.title) }
      id = folder.parent
    }
    return path.reversed()
  }
}

extension PlacesRecords {
  /// A private copy of a database, read statement by statement.
  private final class Database {
    private var handle: OpaquePointer?
    private var statement: OpaquePointer?
    private let folder: String
    private(set) var hasFailed = false
    private var isAtEnd = false

    init(copyOf path: String, in temporaryFolder: String) throws {
      var template = Array("\(temporaryFolder)/errand-places-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else {
        throw ExchangeError.noTemporaryFile(folder: temporaryFolder, code: errno)
      }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      try Self.copy(path, to: folder + "/places.sqlite")
      for ending in ["-wal"] {
        try? Self.copy(path + ending, to: folder + "/places.sqlite" + ending)
      }
      let code = sqlite3_open_v2(
        folder + "/places.sqlite", &handle, SQLITE_OPEN_READWRITE, nil)
      guard code == SQLITE_OK else { throw failure }
      // What the log beside it holds is taken in; a damaged file says so when it is read.
      sqlite3_exec(
        handle, "PRAGMA journal_mode = DELETE; PRAGMA temp_store = MEMORY", nil, nil, nil)
      // Without names the copy of all that a person visited ends with the process, however it ends.
      removeNames()
    }

    deinit {
      sqlite3_finalize(statement)
      sqlite3_close_v2(handle)
      removeNames()
    }

    private func removeNames() {
      for ending in ["", "-wal", "-shm", "-journal"] { unlink(folder + "/places.sqlite" + ending) }
      rmdir(folder)
    }

    private static func copy(_ source: String, to target: String) throws {
      do {
        let input = try Descriptor(source, O_RDONLY)
        try Descriptor(target, O_WRONLY | O_CREAT | O_EXCL).write(contentOf: input.number)
      } catch {
        throw ExchangeError.temporaryFile(code: error.code)
      }
    }

    private var failure: ExchangeError { .database(String(cString: sqlite3_errmsg(handle))) }

    /// Tells of the end of a damaged file once.
    func failOnce(_ record: ImportRecord) -> ImportRecord {
      hasFailed = true
      return record
    }

    func prepare(_ sql: String) throws {
      sqlite3_finalize(statement)
      statement = nil
      isAtEnd = false
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
    }

    /// Goes on to the next row; false at the end.
    func step() throws -> Bool {
      // SQLite would begin anew after the end.
      if hasFailed || isAtEnd { return false }
      switch sqlite3_step(statement) {
      case SQLITE_ROW: return true
      case SQLITE_DONE:
        isAtEnd = true
        return false
      default: throw failure
      }
    }

    func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
      guard let pointer = sqlite3_column_text(statement, column) else { return "" }
      let count = Int(sqlite3_column_bytes(statement, column))
      return String(foreign: UnsafeBufferPointer(start: pointer, count: count))
    }

    func hasTables(_ names: [String]) throws -> Bool {
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      try prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (\(list))")
      return try step() && int(0) == names.count
    }
  }
}
