import Engine
import Store

/// Changes of tags in all items that have them, each one change for undo.
extension Writer {
  /// A change of many items.
  package struct BulkChange {
    /// The number in the change log, for ``Writer/undo(_:)``; nil if nothing changed.
    package let number: Int64?
    /// The number of items.
    package let count: Int
  }

  /// Renames a tag and those below it.
  ///
  /// - Throws: `not-found` for an unused tag, `conflict` if the new one is in use, `usage` if it is
  ///   invalid, `store`, `busy`.
  package func rename(tag: String, to new: String) throws(ErrandError) -> BulkChange {
    let change = try counting { try TagVocabulary($0, of: nil).rename(tag, to: new) }
    try keepColours(of: [tag], for: new)
    return change
  }

  /// Replaces tags and those below them by another tag, which may be in use.
  ///
  /// - Throws: `not-found`, `usage`, `store`, `busy`.
  package func merge(tags: [String], into new: String) throws(ErrandError) -> BulkChange {
    let change = try counting { try TagVocabulary($0, of: nil).merge(tags, into: new) }
    try keepColours(of: tags, for: new)
    return change
  }

  /// Removes tags and those below them from all items.
  ///
  /// - Throws: `not-found`, `store`, `busy`.
  package func delete(tags: [String]) throws(ErrandError) -> BulkChange {
    try counting { try TagVocabulary($0, of: nil).delete(tags) }
  }

  private func keepColours(of tags: [String], for new: String) throws(ErrandError) {
    var colours = TagColours(in: errand.places?.data)
    try colours.carry(from: tags, to: new)
  }

  /// Makes a change of many items in one transaction.
  func counting(_ body: (Run) throws -> Int) throws(ErrandError) -> BulkChange {
    try writing { run in
      let store = try run.store()
      return try store.transaction {
        let before = try store.changes.last()
        let count = try body(run)
        let after = try store.changes.last()
        return BulkChange(number: after == before ? nil : after, count: count)
      }
    }
  }
}
