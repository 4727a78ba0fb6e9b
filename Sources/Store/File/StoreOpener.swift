import CSQLite
import Glibc
import POSIX

/// Opens the database of a store, creating the file completely before others can see it.
package struct StoreOpener {
  /// The format version that this release writes, and the highest it reads.
  static let format = Int(SystemTables.metadata.form) ?? 0

  private let location: StoreLocation

  init(_ location: StoreLocation) { self.location = location }

  /// The connection and the store's metadata.
  func open() throws -> (Connection, [String: String]) {
    switch location {
    case .memory:
      let connection = try Connection(
        file: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path: "")
      try SystemTables.makeFirst(in: connection)
      return (connection, try Self.metadata(of: connection))
    case .file(let path):
      guard !path.utf8.contains(0), !path.isEmpty else {
        throw StoreError(.io, "a store needs a path without NUL characters")
      }
      return try openFile(path)
    }
  }

  private func openFile(_ path: String) throws -> (Connection, [String: String]) {
    if Self.isAbsentOrEmpty(path) { try NewStoreFile(path: path).publish() }
    do {
      let connection = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
      return (connection, try Self.metadata(of: connection))
    } catch let error as StoreError where error.code == .notAStore && StoreTraces(path).areThere {
      throw StoreError(
        .corrupt, "the store “\(path)” is damaged: its schema is unreadable", remedy: .rescue,
        sqliteCode: error.sqliteCode)
    } catch let error as StoreError where error.code == .readOnly || error.code == .io {
      // A folder that cannot be written has no room for WAL's shared memory. Without a log, the
      // file is complete and has no other writer.
      guard access(path, R_OK) == 0 else { throw error }
      guard Self.size(path + "-wal") ?? 0 == 0 else {
        throw StoreError(
          .readOnly,
          "the latest changes of the store “\(path)” are still in “\(path)-wal”, and reading "
            + "them needs a writable folder: make “\(Folder.parent(of: path))” writable, or copy both "
            + "files to a folder that is", sqliteCode: error.sqliteCode)
      }
      let connection = try Connection(
        file: "file:" + Self.percentEncoded(path) + "?immutable=1",
        flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path: path)
      return (connection, try Self.metadata(of: connection))
    }
  }

  /// Reads the store's metadata, which also identifies the file as a store.
  private static func metadata(of connection: Connection) throws -> [String: String] {
    let result: [String: String]
    do { result = try connection.pairs("SELECT key, value FROM errand_meta") } catch let error
      as StoreError where error.code == .bug
    {
      throw StoreError(
        .notAStore, "“\(connection.path)” is a database of another program", remedy: .otherFile)
    }
    guard let format = result["format"].flatMap({ Int($0) }) else {
      throw StoreError(
        .corrupt, "the store “\(connection.path)” has no format number", remedy: .rescue)
    }
    guard format <= Self.format else {
      throw StoreError(
        .newerFormat,
        "the store “\(connection.path)” was written by a newer errand (format \(format), this one "
          + "reads up to \(Self.format)): update errand")
    }
    return result
  }

  // MARK: Files

  /// The size of a file; nil when it does not exist.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  private static func isAbsentOrEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_size == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// A path escaped for a URI, in which `%`, `?` and `#` are special.
  static func percentEncoded(_ path: String) -> String {
    path.unicodeScalars.map { scalar in
      ["%", "?", "#"].contains(scalar) ? "%" + String(scalar.value, radix: 16) : String(scalar)
    }.joined()
  }
}
