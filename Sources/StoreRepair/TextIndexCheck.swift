import Items
import Store

/// Checks the text index of an entity.
struct TextIndexCheck {
  private let layout: StoredLayout
  private let connection: Connection
  private var index: String { layout.name + "_search" }

  init(_ layout: StoredLayout, _ connection: Connection) {
    self.layout = layout
    self.connection = connection
  }

  /// The problem; nil when searches find the contents of the items.
  ///
  /// - Throws: Errors other than damage, such as `busy`.
  /// - Complexity: O(size of the texts), in bounded memory.
  func problem() throws -> StoreProblem? {
    guard layout.hasTextIndex else { return nil }
    do {
      if !connection.isReadOnly {
        // A rank of 1 compares the index with its content (fts5.html §6.4).
        try connection.run(
          "INSERT INTO \(name: index) (\(name: index), rank) VALUES ('integrity-check', 1)")
      }
      // FTS5 does not check whether its words can be found.
      if try hasUnreachablePage() || hasUnreachableWord() {
        return problem("has words that searches do not find")
      }
      return nil
    } catch let error as StoreError where error.isDamage {
      return problem("does not match its items")
    }
  }

  private func problem(_ what: String) -> StoreProblem {
    .init(.textIndex, of: layout.name, "the text index of \(layout.name) \(what)")
  }

  /// Whether a page that starts a word is missing from the index of pages.
  ///
  /// FTS5 stores a page of its B-tree under `segment << 37 + page`, with ids of other pages in
  /// between; its third and fourth bytes are the offset where its terms end. `_idx` has a row for
  /// each page on which a term starts ("FTS5 Data Structures" in SQLite's fts5_index.c).
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

  /// Whether a word of the index is not found by a lookup, or in fewer items.
  private func hasUnreachableWord() throws -> Bool {
    let words = layout.name + "_words"
    try connection.run(
      "CREATE VIRTUAL TABLE temp.\(name: words) USING fts5vocab(main, \(name: index), row)")
    defer {
      // Closing the connection drops it at the latest.
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
