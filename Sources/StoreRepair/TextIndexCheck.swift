import Items
import Store

/// Looks for damage in the text index of an entity.
struct TextIndexCheck {
  private let layout: StoredLayout
  private let connection: Connection
  private var index: String { layout.name + "_search" }

  init(_ layout: StoredLayout, _ connection: Connection) {
    self.layout = layout
    self.connection = connection
  }

  /// What is wrong; nil when searches find what the items say.
  ///
  /// - Throws: What is no damage, such as `busy`.
  /// - Complexity: O(size of the texts), in bounded memory.
  func problem() throws -> StoreProblem? {
    guard layout.hasTextIndex else { return nil }
    do {
      if !connection.isReadOnly {
        // With a rank of 1 the index is compared with the items (fts5.html §6.4).
        try connection.run(
          "INSERT INTO \(name: index) (\(name: index), rank) VALUES ('integrity-check', 1)")
      }
      // What FTS5 does not look at is whether its words can be found.
      if try hasUnreachablePage() || hasUnreachableWord() {
        return problem("has words that no search finds")
      }
      return nil
    } catch let error as StoreError where error.isDamage {
      return problem("does not agree with its items")
    }
  }

  private func problem(_ what: String) -> StoreProblem {
    .init(.textIndex, of: layout.name, "the text index of \(layout.name) \(what)")
  }

  /// Whether a page with the beginning of a word is missing from the table of such pages.
  ///
  /// FTS5 keeps a page of its B-tree under `segment << 37 + page`, with numbers of other sorts of
  /// pages in between; its third and fourth bytes tell where its words end and the list of their
  /// places begins. `_idx` has a row for each page on which a word begins ("FTS5 Data Structures"
  /// in SQLite's fts5_index.c).
  private func hasUnreachablePage() throws -> Bool {
    var isUnreachable = false
    try connection.rows(
      """
      SELECT length(block), substr(block, 3, 2) FROM \(name: index + "_data") \
      WHERE id >= 1 << 37 AND id & (63 << 31) = 0 \
      AND id NOT IN (SELECT (segid << 37) + (pgno >> 1) FROM \(name: index + "_idx"))
      """
    ) { row in
      let bytes = row.blob(1)
      guard bytes.count == 2 else { return true }
      isUnreachable = row.int(0) > Int64(bytes[0]) << 8 | Int64(bytes[1])
      return !isUnreachable
    }
    return isUnreachable
  }

  /// Whether a word that a walk through the index meets is not found when it is looked for, or in
  /// less items.
  private func hasUnreachableWord() throws -> Bool {
    let words = layout.name + "_words"
    try connection.run(
      "CREATE VIRTUAL TABLE temp.\(name: words) USING fts5vocab(main, \(name: index), row)")
    defer {
      // It is gone at the latest with the connection.
      try? connection.run("DROP TABLE temp.\(name: words)")
    }
    return try connection.first(
      """
      SELECT 1 FROM temp.\(name: words) AS a WHERE NOT EXISTS \
      (SELECT 1 FROM temp.\(name: words) AS b \
      WHERE b.term = a.term AND b.doc = a.doc AND b.cnt = a.cnt) LIMIT 1
      """) != nil
  }
}
