import Catalog
import Engine
import Inbox
import Items
import Store

/// A reader of a library's items, for one thread.
///
/// It has a connection of its own that cannot write, and compiled definitions of its own. Each call
/// sees the library as it is at that moment; a library that nobody has saved to yet is empty. Make one
/// for each thread, by an ``Errand`` of that thread, and keep it: the first search compiles.
public final class Reader {
  private let errand: Errand
  private var opened: OpenLibrary

  init(_ errand: Errand) throws {
    self.errand = errand
    opened = try OpenLibrary(errand)
  }

  /// The items of an entity, by words, by a condition, or all.
  ///
  /// - Parameters:
  ///   - entity: The entity's name, such as `Link`.
  ///   - words: The words to search for, in the language of `errand search`; nil for any. The best
  ///     match comes first, and each item has a ``ItemSnapshot/snippet``.
  ///   - condition: An expression over `self`, such as `'swift' in self.tags`; nil for any.
  ///   - sort: Names of properties, each with `-` before it for the largest first; without words and
  ///     without them the newest come first.
  ///   - limit: The largest number of items; nil for all.
  ///   - last: The reference of the last item of the page before, after which this one begins.
  /// - Throws: `not-found` for an unknown entity, `invalid-definition` where the condition is wrong,
  ///   `invalid-value` for an unknown property, `store`, `busy`.
  /// - Complexity: O(n) for n items found where an index serves the condition and the order, and
  ///   O(items of the entity) at most.
  public func find(
    _ entity: String, matching words: String? = nil, where condition: String? = nil,
    sort: [String] = [], limit: Int? = nil, after last: String? = nil
  ) throws(ErrandError) -> [ItemSnapshot] {
    try reading { run in
      var search = Self.search(entity, words, condition)
      search.sort = sort
      search.limit = limit
      search.after = last
      return try run.find(search).map { try ItemSnapshot($0, run, hasSnippet: words != nil) }
    }
  }

  /// The number of items that a search finds.
  ///
  /// - Throws: As ``find(_:matching:where:sort:limit:after:)``.
  /// - Complexity: As there; no item is read where an index serves the condition.
  public func count(
    _ entity: String, matching words: String? = nil, where condition: String? = nil
  ) throws(ErrandError) -> Int {
    try reading { try $0.count(Self.search(entity, words, condition)) }
  }

  /// The item that a text stands for: a reference such as `link:42`, or of a given entity also its
  /// number, its identity, its title or words that only it has.
  ///
  /// - Throws: `not-found`, `ambiguous` with the references in question.
  public func item(
    _ text: String, of entity: String? = nil
  ) throws(ErrandError) -> ItemSnapshot {
    try reading { try ItemSnapshot($0.item(text, of: entity), $0) }
  }

  // MARK: Runs, jobs and shares

  /// The recorded runs, the latest first, each as `errand runs --json` has it: `run` (its number), `id`,
  /// `name`, `state`, `began`, `ended`, `durable`, `mode`, `process`, `result` and `error`.
  ///
  /// - Parameters:
  ///   - name: The intent or shortcut whose runs are meant; nil for all.
  ///   - failed: Whether only those are meant that failed, or whose process died.
  ///   - limit: The largest number of runs.
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

  /// A recorded run as ``runs(of:failed:limit:)`` has it, and its `steps`, each with `name`, `state`,
  /// `at`, `took` in seconds, `value`, `error` and its own `steps`.
  ///
  /// - Parameter word: The number of a run, the beginning of an id, or `last`.
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

  /// The jobs of the queue, the latest first, each as `errand queue --json` has it: `job` (its number),
  /// `name`, `state`, `key`, `origin`, `requires`, `created`, `due`, `began`, `ended`, `failures`,
  /// `retries`, `run` and `error`.
  ///
  /// - Parameters:
  ///   - states: The states that are meant: `waiting`, `running`, `done`, `dead`, `cancelled`,
  ///     `suspended`; empty for all.
  ///   - name: The intent or shortcut that does them; nil for any.
  ///   - limit: The largest number of jobs.
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

  /// The shares that are not done, the oldest first, each as `errand inbox --json` has it: `share` (its
  /// name), `state`, `what`, `from`, `handler`, `reason`, `time` and `job`.
  ///
  /// - Throws: `io`, `store`, `busy`.
  public func shares() throws(ErrandError) -> [JSONValue] {
    let inbox = InboxFolder(besideStore: try errand.storePath())
    return try reading { try InboxListing(inbox, $0).entries().map { JSONValue($0.value) } }
  }

  private static func search(
    _ entity: String, _ words: String?, _ condition: String?
  ) -> Run.Search {
    var search = Run.Search(entity: entity)
    search.match = words
    search.filter = condition
    search.isRelaxed = false
    return search
  }

  /// Reads from the file that is there now.
  func reading<Result>(_ body: (Run) throws -> Result) throws(ErrandError) -> Result {
    try ErrandError.translating {
      // It was made, or put back from a copy, since.
      if !opened.isCurrent { opened = try OpenLibrary(errand) }
      do { return try body(opened.run) } catch let error as RunError where error.code == .store {
        // Where a definition has changed, only a writer can make its table follow.
        let writer = try OpenLibrary(errand, changesAs: "")
        for entity in errand.library.entityNames { _ = try writer.run.store(for: entity) }
        opened = try OpenLibrary(errand)
        return try body(opened.run)
      }
    }
  }
}
