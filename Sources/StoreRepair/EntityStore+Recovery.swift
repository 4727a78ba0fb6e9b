import Glibc
package import Items
package import Store

/// What a repair did to a store.
package struct Repair: Hashable, Sendable {
  /// What was wrong before.
  package var found: [StoreProblem] = []
  /// What is wrong still.
  package var left: [StoreProblem] = []
  /// The path of the copy that was made of the store before it was changed; nil when nothing was
  /// changed.
  package var backup: String?
  /// What could not be kept, a sentence each.
  package var losses: [String] = []

  /// A repair that has nothing to do.
  package init() {}
}

extension Database {
  /// What became of an entity's items when a damaged store was rescued.
  package struct Rescue: Hashable, Sendable {
    /// The entity's name.
    package let entity: String
    /// How many items were saved.
    package internal(set) var saved = 0
    /// How many more the store had; nil when what tells it is damaged.
    package internal(set) var lost: Int?
    /// How many of those that were saved lack a value that could not be read.
    package internal(set) var incomplete = 0
    /// How many rows were met in its table that cannot be its items.
    package internal(set) var leftOut = 0
    /// How many references to items that are not there became null.
    package internal(set) var unlinked = 0
    /// How many were the same as others by their identity, and are no longer found by it.
    package internal(set) var duplicates = 0
    /// Whether nothing tells what its columns hold, so that no item could be taken.
    package internal(set) var isUnknown = false

    /// Whether each item was saved with all it had.
    package var isWhole: Bool {
      lost == 0 && incomplete == 0 && leftOut == 0 && unlinked == 0 && duplicates == 0
        && !isUnknown
    }
  }

  /// Looks for damage in the file, the indexes and the references.
  ///
  /// - Parameter progress: Is told what is being looked at, again and again while it takes long.
  /// - Throws: What is no damage, such as `busy`.
  /// - Complexity: O(n log n) for the size of the store, in bounded memory.
  package func check(progress: (String) -> Void = { _ in }) throws -> [StoreProblem] {
    try StoreCheck(of: self).problems(progress)
  }

  /// Makes a store with damage anew from its items, after a copy was made beside it.
  ///
  /// Where items are damaged, or what tells where they are, nothing is changed.
  /// - Parameter progress: Is told what is being done, again and again while it takes long.
  /// - Throws: `readOnly`, `full`, `busy`; the store is then as it was.
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

  /// Saves what can still be read of a damaged file to a new store, numbers and all.
  ///
  /// The damaged file is not changed, nor is anything written beside it, and it need not be one that
  /// can be opened. Entities are taken as the store recorded them.
  /// - Parameters:
  ///   - schemas: The entities that are known, for those whose record cannot be read.
  ///   - progress: Is told what is being done, again and again while it takes long.
  ///   - records: Is told what became of runs, jobs and receipts of shares, where there were some.
  /// - Throws: `conflict` when there is a file already, `corrupt` when nothing can be read, `full`,
  ///   `io`; there is no new file then.
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
    let copy = WorkFile(for: path)
    defer { copy.remove() }
    try copy.make()
    let draft = WorkFile(for: path)
    defer { draft.remove() }
    do {
      try FileCopy(damaged).write(to: copy.path)
      let target = try Database(at: .file(draft.path), context: context)
      defer { target.shutDown() }
      let recovery = Recovery(of: copy.path, named: damaged, to: target, schemas)
      let results = try recovery.run(progress)
      guard recovery.isSound || results.contains(where: { $0.saved > 0 }) else {
        throw StoreError(
          .corrupt, "nothing can be read of “\(damaged)”, so “\(path)” was not written")
      }
      let hashes = try target.runs.hashesInJournal()
      // The log is written back when the last connection closes.
      target.shutDown()
      try copyValues(hashes, ofStore: damaged, besides: path)
      try draft.publish()
      records(recovery.records)
      return results
    } catch let error as StoreError where error.code == .full {
      throw StoreError(
        .full,
        "the disk or your quota is full: “\(path)” was not written; free some space there, or name "
          + "a file on another disk", sqliteCode: error.sqliteCode)
    }
  }
}
