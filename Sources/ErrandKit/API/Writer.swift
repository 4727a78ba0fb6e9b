import CEL
import Catalog
import Engine
import Inbox
import Items
import Source
import Store
import YAML

/// A writer of a library's items, for one thread.
///
/// Each call is one change: all of it or nothing, in the log of changes, and taken back as one. It
/// waits for other writers, and makes the library when it is not there. What a person asked for is
/// better started as a run of an intent; a writer is for what a front itself changes, such as a field
/// that was edited in place.
public final class Writer {
  /// A change that was made.
  public struct Change: Hashable, Sendable {
    /// The number in the log of changes, which ``Writer/undo(_:)`` takes; nil where nothing changed.
    public let number: Int64?
    /// The items as they are now; those that were deleted as they were.
    public let items: [ItemSnapshot]
  }

  /// What happens when an item of the same identity exists.
  public enum Conflict: String, Sendable {
    /// The call throws `conflict`.
    case fail
    /// The stored item stays as it is.
    case keep
    /// Null leaves the stored value, lists are united, other given values win.
    case merge
    /// The given properties are set.
    case update
    /// Every property is set anew.
    case replace
  }

  private let errand: Errand
  private let cause: String
  private var opened: OpenLibrary

  init(_ errand: Errand, cause: String) throws {
    self.errand = errand
    self.cause = cause
    opened = try OpenLibrary(errand, changesAs: cause)
  }

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - entity: The entity's name, such as `Link`.
  ///   - properties: Values by the names of properties; others take their defaults.
  /// - Throws: `not-found` for an unknown entity, `invalid-value`, `needs-value` where a property is
  ///   missing, `conflict`, `store`, `busy`.
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

  /// Changes items of one entity.
  ///
  /// - Parameters:
  ///   - references: References such as `link:42`.
  ///   - properties: Values by the names of properties; null takes a value away.
  ///   - added: Elements to add to lists, such as `["tags": ["swift"]]`.
  ///   - removed: Elements to take out of lists.
  /// - Throws: `not-found`, `invalid-value`, `conflict` with another item's identity, `store`, `busy`.
  public func update(
    _ references: [String], set properties: [String: JSONValue] = [:],
    add added: [String: JSONValue] = [:], remove removed: [String: JSONValue] = [:]
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
      return { try run.update(items, set: set, add: add, remove: remove) }
    }
  }

  /// Deletes items, without a question.
  ///
  /// - Throws: `not-found`, `store`, `busy`.
  public func delete(_ references: [String]) throws(ErrandError) -> Change {
    try changing { run in
      let items = try references.map { try run.item($0, of: nil) }
      return {
        try run.delete(items)
        return items
      }
    }
  }

  // MARK: Undo

  /// Takes a change back, all of it or nothing, with the files that it moved.
  ///
  /// - Parameter number: The number of an entry in the log of changes, such as ``Change/number``; nil
  ///   for the latest that was not taken back.
  /// - Returns: The change that takes it back; its `number` is nil when there was nothing to undo.
  /// - Throws: `not-found` for a number that the log has not, `conflict` when the items were changed
  ///   since, `store`, `busy`.
  @discardableResult
  public func undo(_ number: Int64? = nil) throws(ErrandError) -> Change {
    try reverting { try $0.undo(number.map(UndoTarget.number) ?? .latest) { _, _ in } }
  }

  /// Takes back all that a run wrote.
  ///
  /// - Parameter run: The id of the run, as ``RunHandle/id`` has it.
  /// - Throws: As ``undo(_:)``.
  @discardableResult
  public func undo(run: String) throws(ErrandError) -> Change {
    try reverting { try $0.undo(.run(run)) { _, _ in } }
  }

  /// Makes the change again that was taken back last.
  ///
  /// - Throws: As ``undo(_:)``.
  @discardableResult
  public func redo() throws(ErrandError) -> Change {
    try reverting { try $0.redo { _, _ in } }
  }

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

  /// Ends a run that another process has, or that was suspended, for good.
  ///
  /// It waits up to 15 seconds for the run's `finally` steps. A run of a ``RunHandle`` is ended sooner
  /// by ``RunHandle/cancel()``.
  ///
  /// - Parameter run: The number of the run.
  /// - Returns: Whether it ended by itself; else it can write nothing any more.
  /// - Throws: `not-found`, `conflict` when it is over.
  @discardableResult
  public func cancel(run number: Int64) throws(ErrandError) -> Bool {
    try writing { run in
      guard let record = try run.store().runs.run(number) else {
        throw RunError(.notFound, "there is no run \(number)")
      }
      return try run.cancel(record)
    }
  }

  /// Ends jobs that wait or run.
  ///
  /// - Returns: The jobs that are ended, as ``Reader/jobs(_:of:limit:)`` gives them.
  /// - Throws: `store`, `busy`.
  @discardableResult
  public func cancel(jobs numbers: [Int64]) throws(ErrandError) -> [JSONValue] {
    try writing { try Self.values($0.store().jobs.cancelAtOnce(.init(numbers: numbers)), in: $0) }
  }

  /// Lets jobs that are dead, cancelled or suspended be done again, and waiting ones at once.
  ///
  /// - Returns: The jobs that wait now, as ``Reader/jobs(_:of:limit:)`` gives them.
  /// - Throws: `store`, `busy`.
  @discardableResult
  public func retry(jobs numbers: [Int64]) throws(ErrandError) -> [JSONValue] {
    try writing { try Self.values($0.store().jobs.retry(.init(numbers: numbers)), in: $0) }
  }

  /// Jobs that were changed, as they are now.
  private static func values(_ jobs: [Job], in run: Run) throws -> [JSONValue] {
    try run.store().jobs.all(JobSelection(numbers: jobs.map(\.number))).map { JSONValue($0.value) }
  }

  /// Takes the shares in that wait in the inbox: their jobs are in the queue when this returns.
  ///
  /// - Returns: The number of shares that were taken in; nil while another process takes shares in.
  /// - Throws: `io`, `store`, `busy`.
  @discardableResult
  public func takeInShares() throws(ErrandError) -> Int? {
    let path = try errand.storePath()
    return try writing { try ShareIntake($0, besideStore: path).takeIn()?.taken }
  }

  /// Gives a share up.
  ///
  /// - Parameter share: Its name, as ``Reader/shares()`` and ``Errand/share(_:title:from:for:)`` give it.
  /// - Throws: `not-found`, `io`, `store`, `busy`.
  public func discard(share: String) throws(ErrandError) {
    let inbox = InboxFolder(besideStore: try errand.storePath())
    try writing { run in
      let listing = InboxListing(inbox, run)
      let entries = try listing.entries().filter { $0.name == share }
      if entries.isEmpty { throw RunError(.notFound, "there is no share “\(share)” in the inbox") }
      for entry in entries { try listing.discard(entry) }
    }
  }

  // MARK: Writing

  /// The values of properties as their types want them.
  private func values(
    _ properties: [String: JSONValue], of entity: String, in run: Run
  ) throws -> [(name: String, value: Value)] {
    guard let definition = try errand.library.entity(entity) else {
      throw RunError(
        .notFound, "there is no entity `\(entity)`",
        help: Suggestion.help(for: entity, in: errand.library.entityNames))
    }
    return try properties.sorted { $0.key < $1.key }.map { name, value in
      guard let property = definition.property(name) else {
        throw RunError(
          .invalidValue, "\(entity) has no property `\(name)`",
          help: Suggestion.help(for: name, in: definition.properties.map(\.name.text)))
      }
      let value = try run.converted(value.value, to: property.type, named: name)
      if let problem = property.constraints?.problem(with: value) {
        throw RunError(.invalidValue, "`\(name)` \(problem)")
      }
      return (name, value)
    }
  }

  /// Makes a change in one transaction, and tells its number.
  ///
  /// - Parameter prepare: Looks at what is to be changed, since tables are made ready in transactions of
  ///   their own, and gives what changes it.
  private func changing(
    _ prepare: (Run) throws -> () throws -> [Item]
  ) throws(ErrandError) -> Change {
    try writing { run in
      let change = try prepare(run)
      let store = try run.store()
      return try store.database.transaction {
        let before = try store.changes.last()
        let items = try change().map { try ItemSnapshot($0, run) }
        let after = try store.changes.last()
        return Change(number: after == before ? nil : after, items: items)
      }
    }
  }

  /// Writes to the file that is there now.
  private func writing<Result>(_ body: (Run) throws -> Result) throws(ErrandError) -> Result {
    try ErrandError.translating {
      // It was made, or put back from a copy, since.
      if !opened.isCurrent { opened = try OpenLibrary(errand, changesAs: cause) }
      return try body(opened.run)
    }
  }
}
