import CEL
import Catalog
import Engine
import Inbox
import Items
import Store

/// A reader of the library's items, for use on one thread.
///
/// It has its own read-only connection and compiled definitions. Each call sees the latest commits;
/// a library that does not exist yet is empty. Make one per thread, from an ``Errand`` of that
/// thread, and keep it: definitions are compiled on first use.
public final class Reader {
  private let errand: Errand
  private let isForGuests: Bool
  private var opened: OpenCatalog

  /// The maximum number of steps of a guest's condition.
  private static let guestSteps = 1_000_000
  /// The functions that reveal more than the library.
  private static let hiddenFunctions = ["secret", "asSecret", "env", "online"]

  init(_ errand: Errand, isForGuests: Bool = false) throws {
    self.errand = errand
    self.isForGuests = isForGuests
    opened = try Self.opening(errand, isForGuests)
  }

  private static func opening(_ errand: Errand, _ isForGuests: Bool) throws -> OpenCatalog {
    try OpenCatalog(errand, filterSteps: isForGuests ? guestSteps : nil)
  }

  /// Returns items of an entity: all, or those that match words or a condition.
  ///
  /// - Parameters:
  ///   - entity: The entity's name, such as `Link`.
  ///   - words: A query in the syntax of `errand search`; nil for none. The best match comes first,
  ///     and each item has a ``ItemSnapshot/snippet``.
  ///   - condition: An expression over `self`, such as `'swift' in self.tags`; nil for none.
  ///   - range: Days such as `this week` or `2026-11-02/2026-11-08`, within which items take place,
  ///     each occurrence of a series at its time and in the order of time; nil for all items.
  ///   - sort: Property names, prefixed by `-` for descending order; without a sort and words, the
  ///     newest item comes first.
  ///   - limit: The maximum number of items; nil for all.
  ///   - last: The reference of the last item of the previous page; nil for the first page.
  /// - Throws: `not-found` for an unknown entity, `invalid-definition` for an invalid condition,
  ///   `invalid-value` for an unknown property, `store`, `busy`.
  /// - Complexity: O(n) for n items found if an index covers condition and order, at most O(items
  ///   of the entity).
  public func find(
    _ entity: String, matching words: String? = nil, where condition: String? = nil,
    during range: String? = nil, sort: [String] = [], limit: Int? = nil, after last: String? = nil
  ) throws(ErrandError) -> [ItemSnapshot] {
    try reading { run in
      var search = try self.search(entity, words, condition)
      search.during = range
      search.sort = sort
      search.limit = limit
      search.after = last
      return try run.find(search).map { try ItemSnapshot($0, run, hasSnippet: words != nil) }
    }
  }

  /// Returns the number of items that match.
  ///
  /// - Throws: As ``find(_:matching:where:sort:limit:after:)``.
  /// - Complexity: As `find`; if an index covers the condition, no item is read.
  public func count(
    _ entity: String, matching words: String? = nil, where condition: String? = nil
  ) throws(ErrandError) -> Int {
    try reading { try $0.count(search(entity, words, condition)) }
  }

  /// Returns the item that a text identifies: a reference such as `link:42` or, within a given
  /// entity, also an id, an identity, a title or words that match only one item.
  ///
  /// - Throws: `not-found`, or `ambiguous` with the candidates' references.
  public func item(
    _ text: String, of entity: String? = nil
  ) throws(ErrandError) -> ItemSnapshot {
    try reading { try ItemSnapshot($0.item(text, of: entity), $0) }
  }

  // MARK: Runs, jobs and shares

  /// Returns recorded runs, latest first, in the form of `errand runs --json`: `run` (its number),
  /// `id`, `name`, `state`, `began`, `ended`, `durable`, `mode`, `process`, `result` and `error`.
  ///
  /// - Parameters:
  ///   - name: The name of the intent or shortcut; nil for all.
  ///   - failed: Whether to return only runs that failed or whose process died.
  ///   - limit: The maximum number of runs.
  /// - Throws: `store`, `busy`.
  public func runs(
    of name: String? = nil, failed: Bool = false, limit: Int = 20
  ) throws(ErrandError) -> [JSONValue] {
    try reading { run in
      var selection = RunSelection(limit: limit)
      selection.name = name
      selection.isFailed = failed
      let listing = try RunListing(run)
      return try run.store().runs.recorded(selection).map { JSONValue(listing.value($0)) }
    }
  }

  /// Returns a recorded run in the form of ``runs(of:failed:limit:)``, with `steps`, each with
  /// `name`, `state`, `at`, `took` in seconds, `value`, `error` and nested `steps`.
  ///
  /// - Parameter word: A run number, a prefix of an id, or `last`.
  /// - Throws: `not-found`, `store`, `busy`.
  public func run(_ word: String) throws(ErrandError) -> JSONValue {
    try reading { run in
      guard let record = try run.store().runs.run(named: word) else {
        throw RunError(.notFound, "there is no run \(word)")
      }
      let listing = try RunListing(run)
      guard case .object(var members) = JSONValue(listing.value(record)) else { return .null }
      members["steps"] = JSONValue(try listing.tree(record).steps)
      return .object(members)
    }
  }

  /// Returns the transcript of a recorded run as shown to the person: an object with `run` (its
  /// id), `name`, `state`, the number of entries left out as `omitted`, and `entries`
  /// (`docs/events.md`), oldest first.
  ///
  /// - Parameters:
  ///   - word: A run number, a prefix of an id, or `last`.
  ///   - number: Returns only entries with at least this number.
  /// - Returns: Nil for a run without a transcript, such as one of an earlier version.
  /// - Throws: `not-found`, `store`, `busy`.
  public func transcript(
    ofRun word: String, from number: Int64 = 1
  ) throws(ErrandError) -> JSONValue? {
    try reading { run in
      let runs = try run.store().runs
      guard let record = try runs.run(named: word) else {
        throw RunError(.notFound, "there is no run \(word)")
      }
      guard let text = try runs.transcript(ofRun: record.number),
        let transcript = StoredTranscript(text)
      else { return nil }
      return .object([
        "run": .string(record.id), "name": .string(record.name),
        "state": .string(record.state.rawValue), "omitted": .int(Int64(transcript.omitted)),
        "entries": .array(
          transcript.entries.map { JSONValue($0) }.filter { $0["number"]?.int ?? 0 >= number }),
      ])
    }
  }

  /// Returns the change log, latest first, in the form of `errand changes --json`: `number`,
  /// `group`, `time`, `change`, `entity`, `first`, `last`, `by`, `run`, `undone` and `properties`.
  ///
  /// - Parameters:
  ///   - cause: The intent, shortcut or front that made the changes; nil for all.
  ///   - number: Returns only changes after this number, oldest first; nil for the latest changes.
  ///   - limit: The maximum number of changes.
  /// - Throws: `store`, `busy`.
  public func changes(
    by cause: String? = nil, after number: Int64? = nil, limit: Int = 20
  ) throws(ErrandError) -> [JSONValue] {
    try reading { run in
      var selection = ChangeSelection(latestFirst: number == nil, limit: limit)
      selection.after = number
      selection.cause = cause
      let log = try run.store().changes
      return try log.entries(selection).map { change in
        JSONValue(ChangeEntry(change, try log.properties(of: change)).value)
      }
    }
  }

  /// Returns jobs of the queue, latest first, in the form of `errand queue --json`: `job` (its
  /// number), `name`, `state`, `key`, `origin`, `requires`, `created`, `due`, `began`, `ended`,
  /// `failures`, `retries`, `run` and `error`.
  ///
  /// - Parameters:
  ///   - states: The states to include: `waiting`, `running`, `done`, `dead`, `cancelled`,
  ///     `suspended`; empty for all.
  ///   - name: The intent or shortcut that handles them; nil for all.
  ///   - limit: The maximum number of jobs.
  /// - Throws: `store`, `busy`.
  public func jobs(
    _ states: [String] = [], of name: String? = nil, limit: Int = 50
  ) throws(ErrandError) -> [JSONValue] {
    try reading { run in
      let states = states.compactMap(Job.State.init)
      let selection = JobSelection(
        states: states.isEmpty ? nil : states, handler: name, limit: limit)
      return try run.store().jobs.all(selection).map { JSONValue($0.value) }
    }
  }

  /// Returns unfinished shares, oldest first, in the form of `errand inbox --json`: `share` (its
  /// name), `state`, `what`, `from`, `handler`, `reason`, `time` and `job`.
  ///
  /// - Throws: `io`, `store`, `busy`.
  public func shares() throws(ErrandError) -> [JSONValue] {
    let inbox = InboxFolder(
      besideStore: try errand.storePath(), vault: errand.places?.vault)
    return try reading { try InboxListing(inbox, $0).entries().map { JSONValue($0.value) } }
  }

  func search(
    _ entity: String, _ words: String?, _ condition: String?
  ) throws -> Run.Search {
    if isForGuests, let condition, let expression = try? Expression.parse(condition) {
      for name in Self.hiddenFunctions where !expression.calls(of: name).isEmpty {
        throw RunError(.notAllowed, "a condition from outside cannot use `\(name)`")
      }
    }
    var search = Run.Search(entity: entity)
    search.match = words
    search.filter = condition
    return search
  }

  /// Runs `body` on the current file at the path.
  func reading<Result>(_ body: (Run) throws -> Result) throws(ErrandError) -> Result {
    try ErrandError.translating {
      // Reopen a file that was created or replaced since.
      if !opened.isCurrent { opened = try Self.opening(errand, isForGuests) }
      do { return try body(opened.run) } catch let error as RunError where error.code == .store {
        // After a definition has changed, only a writer can migrate its table.
        let writer = try OpenCatalog(errand, changesAs: "")
        for entity in errand.catalog.entityNames { _ = try writer.run.store(for: entity) }
        opened = try Self.opening(errand, isForGuests)
        return try body(opened.run)
      }
    }
  }
}
