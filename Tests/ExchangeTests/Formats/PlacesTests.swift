import CSQLite
import FoundationEssentials
import Testing

@testable import Exchange

/// Firefox's database as in a profile.
@Suite struct PlacesTests {
  /// The relevant tables of Firefox, with a bookmark in folders, with tags, and a query.
  private static let content = """
    CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, \
    rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, guid TEXT, description TEXT);
    CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, \
    parent INTEGER, position INTEGER, title LONGVARCHAR, keyword_id INTEGER, folder_type TEXT, \
    dateAdded INTEGER, lastModified INTEGER, guid TEXT);
    INSERT INTO moz_bookmarks (id, type, fk, parent, position, title, dateAdded, guid) VALUES
      (1, 2, NULL, 0, 0, '', 0, 'root________'), (2, 2, NULL, 1, 0, 'menu', 0, 'menu________'),
      (3, 2, NULL, 1, 1, 'toolbar', 0, 'toolbar_____'), (4, 2, NULL, 1, 2, 'tags', 0, 'tags________'),
      (5, 2, NULL, 1, 3, 'unfiled', 0, 'unfiled_____'), (6, 2, NULL, 4, 0, 'novel', 0, 'aaaaaaaaaaaa'),
      (7, 2, NULL, 2, 0, 'Books', 0, 'bbbbbbbbbbbb'), (8, 2, NULL, 7, 0, 'Old ones', 0, 'cccccccccccc'),
      (9, 1, 1, 8, 0, 'One', 1577836800123456, 'dddddddddddd'),
      (10, 1, 1, 6, 0, NULL, 1577836800000000, 'eeeeeeeeeeee'),
      (11, 1, 2, 3, 0, NULL, 1577836801000000, 'ffffffffffff'),
      (12, 1, 3, 2, 1, 'Recent', 1577836801000000, 'gggggggggggg'),
      (13, 3, NULL, 2, 2, NULL, 1577836801000000, 'hhhhhhhhhhhh');
    INSERT INTO moz_places (id, url, title) VALUES
      (1, 'https://example.org/one', 'The page'), (2, 'https://example.org/two', 'Two'),
      (3, 'place:sort=8', NULL);
    """

  private let expected = [
    Reading.Link(
      url: "https://example.org/one", title: "One", tags: ["novel", "Books", "Old ones"],
      createdAt: "2020-01-01T00:00:00.123456Z"),
    Reading.Link(
      url: "https://example.org/two", title: "Two", createdAt: "2020-01-01T00:00:01Z"),
  ]

  private func read(_ path: String) throws -> (ImportFormat, Reading) {
    let data = try Data(contentsOf: URL(filePath: path))
    let source = try ImportSource(
      ImportFile(
        path: path,
        read: { buffer in
          data.copyBytes(to: buffer, count: min(buffer.count, data.count))
          return min(buffer.count, data.count)
        }, rewind: { true }),
      temporaryFolder: FileManager.default.temporaryDirectory.path)
    return (source.format, try Reading.all(source.records))
  }

  /// A temporary folder, deleted with it.
  private final class Profile {
    let path = FileManager.default.temporaryDirectory.path + "/places-\(UUID().uuidString)"
    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test func readsLockedDatabases() throws {
    let folder = try Profile()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/places.sqlite"
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    // As while Firefox is running: the latest changes are only in the log.
    let setUp = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(Self.content)"
    #expect(sqlite3_exec(database, setUp, nil, nil, nil) == SQLITE_OK)
    #expect(
      sqlite3_exec(database, "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE", nil, nil, nil)
        == SQLITE_OK)
    let (format, reading) = try read(path)
    #expect(format == .firefox)
    #expect(reading == Reading(links: expected))
  }

  @Test func endlessViewsAreNotComputed() throws {
    let folder = try Profile()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/places.sqlite"
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    let view = """
      ALTER TABLE moz_places RENAME TO places;
      CREATE VIEW moz_places AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
      SELECT x AS id, 'https://a.example/' || x AS url, '' AS title FROM c;
      """
    #expect(sqlite3_exec(database, Self.content + view, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    #expect(throws: ExchangeError.self) { try read(path) }
  }

  @Test func damagedDatabasesDoNotTrap() throws {
    let folder = try Profile()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/places.sqlite"
    var database: OpaquePointer?
    #expect(sqlite3_open(path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, Self.content, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for end in stride(from: 16, to: bytes.count, by: max(1, bytes.count / 40)) {
      try Data(bytes[..<end]).write(to: URL(filePath: path))
      do {
        let (_, reading) = try read(path)
        #expect(reading.links.count <= expected.count)
      } catch ExchangeError.database {
        // The message is SQLite's.
      }
    }
  }

  @Test func readsLZ4Backups() throws {
    // A single run of literals without matches, which is valid for any text.
    let text = Array(Samples.firefoxJSON.utf8)
    var block: [UInt8] = [0xF0]
    var rest = text.count - 15
    while rest >= 255 {
      block.append(255)
      rest -= 255
    }
    block.append(UInt8(rest))
    let size = (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
    let (format, reading) = try Reading.of(Array("mozLz40\0".utf8) + size + block + text)
    #expect(format == .json)
    #expect(reading == (try Reading.of(Samples.firefoxJSON).reading))
    // "abcabcabcabcabc" as three literals and an overlapping match, then the end.
    let repeated = LZ4Block.decompressed([0x38, 0x61, 0x62, 0x63, 3, 0, 0x00], size: 15)
    #expect(repeated == Array("abcabcabcabcabc".utf8))
    for end in 0..<block.count { _ = LZ4Block.decompressed(block[..<end], size: text.count) }
  }
}
