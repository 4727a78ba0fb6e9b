import CSQLite
import Glibc
import POSIX

/// Opens the database of a store, and makes it whole before anybody sees it.
package struct StoreOpener {
  /// The number that this release writes and the highest that it reads.
  static let format = Int(RecordTables.metadata.form) ?? 0

  private let location: StoreLocation

  init(_ location: StoreLocation) {
    self.location = location
  }

  /// The connection and what the store records about itself.
  func open() throws -> (Connection, [String: String]) {
    switch location {
    case .memory:
      let connection = try Connection(
        file: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path: "")
      try RecordTables.makeFirst(in: connection)
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
        .corrupt,
        "the store “\(path)” is damaged where it tells what it holds", remedy: .rescue,
        sqliteCode: error.sqliteCode)
    } catch let error as StoreError where error.code == .readOnly || error.code == .io {
      // A folder that cannot be written has no room for the shared memory of WAL. Without a log
      // the file is all there is, and nobody else can be writing it.
      guard access(path, R_OK) == 0 else { throw error }
      guard Self.size(path + "-wal") ?? 0 == 0 else {
        throw StoreError(
          .readOnly,
          "the latest changes of the store “\(path)” are still in “\(path)-wal”, and to read them takes "
            + "a folder that can be written: make “\(Folder.parent(of: path))” writable, or copy "
            + "both files to a folder that is", sqliteCode: error.sqliteCode)
      }
      let connection = try Connection(
        file: "file:" + Self.percentEncoded(path) + "?immutable=1",
        flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path: path)
      return (connection, try Self.metadata(of: connection))
    }
  }

  /// The columns that the log got after its first releases.
  static var laterLogColumns: [(name: String, type: String)] { RecordTables.laterLogColumns }

  /// Reads what the store records about itself, which also tells whether it is one of ours.
  private static func metadata(of connection: Connection) throws -> [String: String] {
    var result: [String: String] = [:]
    do {
      try connection.rows("SELECT key, value FROM errand_meta") { row in
        result[row.text(0)] = row.text(1)
        return true
      }
    } catch let error as StoreError where error.code == .bug {
      throw StoreError(
        .notAStore,
        "“\(connection.path)” is a database of another program", remedy: .otherFile)
    }
    guard let format = result["format"].flatMap({ Int($0) }) else {
      throw StoreError(
        .corrupt,
        "the store “\(connection.path)” does not tell its format", remedy: .rescue)
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

  /// The size of a file; nil when it is not there.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  private static func isAbsentOrEmpty(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_size == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// A path as a URI wants it: `%`, `?` and `#` would end it.
  private static func percentEncoded(_ path: String) -> String {
    var result = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "?": result += "%3f"
      case "#": result += "%23"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
