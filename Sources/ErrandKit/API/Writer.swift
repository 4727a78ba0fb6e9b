import CEL
import Catalog
import Engine
import Inbox
import Items
import Source
import Store
import YAML

/// A writer of the library's items, for use on one thread.
///
/// Each call is one atomic change, which is logged and can be undone. A call waits for other
/// writers, and creates the library if necessary. For actions of the person, start an intent
/// instead; a writer is for edits by the front itself, such as a field edited in place.
public final class Writer {
  /// A committed change.
  public struct Change: Hashable, Sendable {
    /// The number in the change log, for ``Writer/undo(_:)``; nil if nothing changed.
    public let number: Int64?
    /// The items after the change; deleted items as they were before.
    public let items: [ItemSnapshot]
  }

  /// The policy if an item with the same identity exists.
  public enum Conflict: String, Sendable {
    /// The call throws `conflict`.
    case fail
    /// Keeps the existing item unchanged.
    case keep
    /// Null keeps the stored value, lists are united, any other given value replaces the stored
    /// one.
    case merge
    /// The given properties are set.
    case update
    /// All properties are set; those not given take their defaults.
    case replace
  }

  let errand: Errand
  private let cause: String
  private var opened: OpenCatalog

  init(_ errand: Errand, cause: String) throws {
    self.errand = errand
    self.cause = cause
    opened = try OpenCatalog(errand, changesAs: cause)
  }

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - entity: The entity's name, such as `Link`.
  ///   - properties: Values by property name; a missing one takes its default.
  /// - Throws: `not-found` for an unknown entity, `invalid-value`, `needs-value` for a missing
  ///   property, `conflict`, `store`, `busy`.
  public func create(
    _ entity: String, _ properties: [String: JSONValue], onConflict conflict: Conflict = .fail
  ) throws(ErrandError) -> Change {
    try changing { run in
      _ = try run.store(for: entity)
      let values = try self.values(properties, of: entity, in: run)
      let policy = ConflictPolicy(rawValue: conflict.rawValue) ?? .fail
      if policy == .fail || policy == .replace {
        try run.expectRequired(of: entity, in: values.map(\.name))
      }
      return { [try run.create(entity, values, onConflict: policy)] }
    }
  }

  /// Updates items of one entity.
  ///
  /// - Parameters:
  ///   - references: References such as `link:42`.
  ///   - properties: Values by property name; null removes a value.
  ///   - added: Elements to add to list properties, such as `["tags": ["swift"]]`.
  ///   - removed: Elements to remove from list properties.
  ///   - check: Called with the current state of each item within the transaction; an error
  ///     prevents the change.
  /// - Throws: `not-found`, `invalid-value`, `conflict` with the identity of another item, `store`,
  ///   `busy`.
  public func update(
    _ references: [String], set properties: [String: JSONValue] = [:],
    add added: [String: JSONValue] = [:], remove removed: [String: JSONValue] = [:],
    expecting check: ((ItemSnapshot) throws -> Void)? = nil
  ) throws(ErrandError) -> Change {
    try changing { run in
      let items = try references.map { try run.item($0, of: nil) }
      guard let entity = items.first?.entity else { return { [] } }
      if let other = items.first(where: { $0.entity != entity }) {
        throw RunError(
          .invalidValue, "the items are of several entities: \(entity), \(other.entity)")
      }
      let set = try values(properties, of: entity, in: run)
      let add = try values(added, of: entity, in: run)
      let remove = try values(removed, of: entity, in: run)
      return {
        try self.expect(references, check, in: run)
        return try run.update(items, set: set, add: add, remove: remove)
      }
    }
  }

  /// Deletes items without confirmation.
  ///
  /// - Parameters:
  ///   - references: References such as `link:42`.
  ///   - check: Called with each item as it is in the transaction of the change; an error prevents
  ///     the change.
  /// - Throws: `not-found`, `store`, `busy`.
  public func delete(
    _ references: [String], expecting check: ((ItemSnapshot) throws -> Void)? = nil
  ) throws(ErrandError) -> Change {
    try changing { run in
      let items = try references.map { try run.item($0, of: nil) }
      return {
        try self.expect(references, check, in: run)
        try run.delete(items)
        return items
      }
    }
  }

  /// Checks items as they are in the open transaction.
  private func expect(
    _ references: [String], _ check: ((ItemSnapshot) throws -> Void)?, in run: Run
  ) throws {
    guard let check else { return }
    for reference in references { try check(ItemSnapshot(run.item(reference, of: nil), run)) }
  }

  // MARK: Undo

  /// Undoes a change atomically, including file moves.
  ///
  /// - Parameter number: The number of an entry in the change log, such as ``Change/number``; nil
  ///   for the latest change that is not undone.
  /// - Returns: The change that undid it; its `number` is nil if there was nothing to undo.
  /// - Throws: `not-found` for an unknown number, `conflict` if the items were changed since,
  ///   `store`, `busy`.
  @discardableResult
  public func undo(_ number: Int64? = nil) throws(ErrandError) -> Change {
    try reverting { try $0.undo(number.map(UndoTarget.number) ?? .latest) { _, _ in } }
  }

  /// Undoes all changes of a run.
  ///
  /// - Parameter run: The run's ``RunHandle/id``.
  /// - Throws: As ``undo(_:)``.
  @discardableResult
  public func undo(run: String) throws(ErrandError) -> Change {
    try reverting { try $0.undo(.run(run)) { _, _ in } }
  }

  /// Redoes the change that was undone last.
  ///
  /// - Throws: As ``undo(_:)``.
  @discardableResult
  public func redo() throws(ErrandError) -> Change { try reverting { try $0.redo { _, _ in } } }

  private func reverting(_ body: (Run) throws -> [Items.Change]) throws(ErrandError) -> Change {
    try writing { run in
      let changed = try body(run)
      let number = try changed.isEmpty ? nil : run.store().changes.last()
      var seen: Set<ItemReference> = []
      let items = try changed.filter { $0.kind == .update }.compactMap { change in
        let reference = ItemReference(entity: change.entity, id: change.id)
        guard seen.insert(reference).inserted else { return nil as ItemSnapshot? }
        return try ItemSnapshot(run.item("\(reference)", of: nil), run)
      }
      return Change(number: number, items: items)
    }
  }

  // MARK: Runs, jobs and shares

  /// Ends a run of another process, or a suspended run, permanently.
  ///
  /// Waits up to 15 seconds for the run's `finally` steps. For a run with a ``RunHandle``,
  /// ``RunHandle/cancel()`` is faster.
  ///
  /// - Parameter run: The run number.
  /// - Returns: Whether it ended by itself; if not, its write access is revoked.
  /// - Throws: `not-found`, `conflict` if it has ended already.
  @discardableResult
  public func cancel(run number: Int64) throws(ErrandError) -> Bool {
    try writing { run in
      guard let record = try run.store().runs.run(number) else {
        throw RunError(.notFound, "there is no run \(number)")
      }
      return try run.cancel(record)
    }
  }

  /// Cancels waiting or running jobs.
  ///
  /// - Returns: The cancelled jobs, in the form of ``Reader/jobs(_:of:limit:)``.
  /// - Throws: `store`, `busy`.
  @discardableResult
  public func cancel(jobs numbers: [Int64]) throws(ErrandError) -> [JSONValue] {
    try writing { try Self.values($0.store().jobs.cancelAtOnce(.init(numbers: numbers)), in: $0) }
  }

  /// Requeues dead, cancelled or suspended jobs, and makes waiting ones due now.
  ///
  /// - Returns: The jobs that are waiting now, in the form of ``Reader/jobs(_:of:limit:)``.
  /// - Throws: `store`, `busy`.
  @discardableResult
  public func retry(jobs numbers: [Int64]) throws(ErrandError) -> [JSONValue] {
    try writing { try Self.values($0.store().jobs.retry(.init(numbers: numbers)), in: $0) }
  }

  /// The current state of changed jobs.
  private static func values(_ jobs: [Job], in run: Run) throws -> [JSONValue] {
    try run.store().jobs.all(JobSelection(numbers: jobs.map(\.number))).map { JSONValue($0.value) }
  }

  /// Imports the shares in the inbox: their jobs are queued when this returns.
  ///
  /// - Returns: The number of imported shares; nil if another process is importing.
  /// - Throws: `io`, `store`, `busy`.
  @discardableResult
  public func takeInShares() throws(ErrandError) -> Int? {
    let path = try errand.storePath()
    let inbox = InboxFolder(besideStore: path, vault: errand.places?.vault)
    return try writing { try ShareIntake($0, inbox, besideStore: path).takeIn()?.taken }
  }

  /// Discards a share.
  ///
  /// - Parameter share: Its name, from ``Reader/shares()`` or ``Errand/share(_:title:from:for:)``.
  /// - Throws: `not-found`, `io`, `store`, `busy`.
  public func discard(share: String) throws(ErrandError) {
    let inbox = InboxFolder(
      besideStore: try errand.storePath(), vault: errand.places?.vault)
    try writing { run in
      let listing = InboxListing(inbox, run)
      let entries = try listing.entries().filter { $0.name == share }
      if entries.isEmpty { throw RunError(.notFound, "there is no share “\(share)” in the inbox") }
      for entry in entries { try listing.discard(entry) }
    }
  }

  // MARK: Writing

  /// Converts values to the types of their properties.
  func values(
    _ properties: [String: JSONValue], of entity: String, in run: Run
  ) throws -> [(name: String, value: Value)] {
    guard let definition = try errand.catalog.entity(entity) else {
      throw RunError(
        .notFound, "there is no entity `\(entity)`",
        help: Suggestion.help(for: entity, in: errand.catalog.entityNames))
    }
    return try properties.sorted { $0.key < $1.key }.map { name, value in
      guard let property = definition.property(name) else {
        throw RunError(
          .invalidValue, "\(entity) has no property `\(name)`",
          help: Suggestion.help(for: name, in: definition.properties.map(\.name.text)))
      }
      let value = try run.converted(value.normalized.value, to: property.type, named: name)
      if let problem = property.constraints?.problem(with: value) {
        throw RunError(.invalidValue, "`\(name)` \(problem)")
      }
      return (name, value)
    }
  }

  /// Makes a change in one transaction and returns it with its number.
  ///
  /// - Parameter prepare: Resolves the items, and returns the closure that writes them. Separate
  ///   because tables are prepared in separate transactions.
  private func changing(
    _ prepare: (Run) throws -> () throws -> [Item]
  ) throws(ErrandError) -> Change {
    try writing { run in
      let change = try prepare(run)
      let store = try run.store()
      return try store.transaction {
        let before = try store.changes.last()
        let items = try change().map { try ItemSnapshot($0, run) }
        let after = try store.changes.last()
        return Change(number: after == before ? nil : after, items: items)
      }
    }
  }

  /// Runs `body` on the current file at the path.
  func writing<Result>(_ body: (Run) throws -> Result) throws(ErrandError) -> Result {
    try ErrandError.translating {
      // Reopen a file that was created or replaced since.
      if !opened.isCurrent { opened = try OpenCatalog(errand, changesAs: cause) }
      return try body(opened.run)
    }
  }
}
