package import CEL
import ForeignText

/// The library of Apple's Shortcuts on a Mac, `Shortcuts.sqlite`.
package enum ShortcutsLibrary {
  /// The shortcuts with their names and lists of actions, by name.
  ///
  /// - Throws: `ExchangeError`.
  package static func entries(
    at path: String, temporaryFolder: String
  ) throws -> [(name: String, actions: Value)] {
    let database = try ForeignDatabase(copyOf: path, in: temporaryFolder)
    guard try database.hasTables(["ZSHORTCUT", "ZSHORTCUTACTIONS"]) else {
      throw ExchangeError.database("it is not a library of shortcuts")
    }
    try database.prepare(
      """
      SELECT s.ZNAME, a.ZDATA FROM ZSHORTCUT s JOIN ZSHORTCUTACTIONS a ON a.ZSHORTCUT = s.Z_PK
      ORDER BY s.ZNAME, s.Z_PK
      """)
    var entries: [(name: String, actions: Value)] = []
    while try database.step() {
      guard let list = try? PropertyList.value(of: database.bytes(1)), list.isWhole else {
        continue
      }
      entries.append((database.text(0), list.value))
    }
    return entries
  }
}
