import Glibc
package import Items
package import Store

/// The result of a repair in place.
package struct Repair: Hashable, Sendable {
  /// The problems found before.
  package var found: [StoreProblem] = []
  /// The remaining problems.
  package var left: [StoreProblem] = []
  /// The path of the backup made before the first change; nil when nothing was changed.
  package var backup: String?
  /// The losses, a sentence each.
  package var losses: [String] = []

  /// The result of a repair without problems.
  package init() {}
}

/// The interface of the `StoreRepair` target, which owns checks of stores for damage, repairs in
/// place, and recovery of readable data into a new file.
extension Database {
  /// The result of recovering an entity's items from a damaged store.
  package struct Rescue: Hashable, Sendable {
    /// The name of the entity.
    package let entity: String
    /// The number of recovered items.
    package internal(set) var saved = 0
    /// The number of lost items; nil when it is unknown.
    package internal(set) var lost: Int?
    /// The number of recovered items with an unreadable value.
    package internal(set) var incomplete = 0
    /// The number of rows in its table that cannot be items of it.
    package internal(set) var leftOut = 0
    /// The number of references to missing items, which were set to null.
    package internal(set) var unlinked = 0
    /// The number of duplicates that lost their identity key.
    package internal(set) var duplicates = 0
    /// Whether its columns are unknown, so that no item could be recovered.
    package internal(set) var isUnknown = false

    /// Whether every item was recovered completely.
    package var isWhole: Bool {
      lost == 0 && incomplete == 0 && leftOut == 0 && unlinked == 0 && duplicates == 0 && !isUnknown
    }
  }

  /// Checks the file, indexes and references for damage.
  ///
  /// - Parameter progress: Called with the current step, repeatedly while it takes long.
  /// - Throws: Errors other than damage, such as `busy`.
  /// - Complexity: O(n log n) for the size of the store, in bounded memory.
  package func check(progress: (String) -> Void = { _ in }) throws -> [StoreProblem] {
    try StoreCheck(of: self).problems(progress)
  }

  /// Rebuilds a damaged store from its items, after making a backup beside it.
  ///
  /// Nothing is changed if items, or the pages that lead to them, are damaged.
  /// - Parameter progress: Called with the current step, repeatedly while it takes long.
  /// - Throws: `readOnly`, `full`, `busy`; the store is unchanged then.
  /// - Complexity: O(n log n) for the size of the store.
  package func repair(progress: (String) -> Void = { _ in }) throws -> Repair {
    var result = Repair()
    result.found = try check(progress: progress)
    result.left = result.found
    if result.found.isEmpty || result.found.contains(where: { $0.kind == .file }) { return result }
    guard case .file(let path) = location else {
      throw StoreError(.corrupt, "the store in memory is damaged")
    }
    result.backup = try backUpBesides()
    result.losses = try StoreReplacement(of: self, at: path).run(progress)
    result.left = try check(progress: progress)
    return result
  }

  /// Recovers the readable data of a damaged file into a new store, with the same ids.
  ///
  /// The damaged file is not changed, nothing is written beside it, and it need not be a valid
  /// database. The recorded schemas are used.
  /// - Parameters:
  ///   - schemas: The known entities, used where the recorded schema is unreadable.
  ///   - progress: Called with the current step, repeatedly while it takes long.
  ///   - records: Called with the results for runs, jobs and receipts, where there were any.
  /// - Throws: `conflict` when the new file exists, `corrupt` when nothing is readable, `full`,
  ///   `io`; no file is left then.
  /// - Complexity: O(n log n) for the size of the file.
  package static func rescue(
    _ schemas: [EntitySchema], from damaged: String, to path: String, context: StoreContext,
    progress: (String) -> Void = { _ in }, records: ([RecordRescue]) -> Void = { _ in }
  ) throws -> [Rescue] {
    guard !path.isEmpty else { throw StoreError(.io, "the path of the new file is empty") }
    guard access(path, F_OK) != 0 else { throw WorkFile.taken(path) }
    var status = stat()
    guard stat(damaged, &status) == 0, access(damaged, R_OK) == 0 else {
      throw StoreError(.io, "cannot read “\(damaged)” (\(String(cString: strerror(errno))))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.io, "cannot read “\(damaged)”: it is not a regular file")
    }
    let copy = try WorkFile(for: path)
    defer { copy.remove() }
    let draft = try WorkFile(for: path)
    defer { draft.remove() }
    do {
      try FileCopy(damaged).write(to: copy.path)
      let target = try Database(at: .file(draft.path), context: context)
      defer { target.shutDown() }
      let recovery = Recovery(of: copy.path, named: damaged, to: target, schemas)
      let results = try recovery.run(progress)
      guard recovery.isSound || results.contains(where: { $0.saved > 0 }) else {
        throw StoreError(
          .corrupt, "nothing in “\(damaged)” is readable; “\(path)” was not written")
      }
      let hashes = try target.runs.hashesInJournal()
      // Closing the last connection checkpoints the log.
      target.shutDown()
      try copyValues(hashes, ofStore: damaged, besides: path)
      try draft.publish()
      records(recovery.records)
      return results
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: “\(path)” was not written; free some space there, or "
          + "choose a file on another disk", sqliteCode: error.sqliteCode)
    }
  }
}
