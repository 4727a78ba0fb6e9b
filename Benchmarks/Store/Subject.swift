import BenchmarkSupport
import CEL
import Catalog
import Engine
import Items
import Store

/// A store of links that stays open, as defined by the built-in library.
final class Subject {
  /// The condition of `recent` and `search`: no failed or archived links.
  static let isShown = "self.status != 'failed' && self.reading != 'archived'"

  let store: Database
  private let workspace: Workspace
  private let environment = Environment(allowsUndeclaredNames: true)
  private var saved = 0
  private var stepping: (journal: RunJournal, record: PendingRun)?
  private var steps = 0

  /// Opens a store.
  ///
  /// - Throws: The errors of the store and the built-in definitions.
  init(store path: String) throws {
    workspace = Workspace(catalog: DefinitionCatalog(), host: .quiet) {
      try Database(at: StoreLocation(path: path), context: $0)
    }
    store = try workspace.store(for: "Link")
  }

  /// A query for ten links.
  ///
  /// - Parameters:
  ///   - match: The search words, or empty.
  ///   - condition: The filter, or empty.
  ///   - sort: A property, with `-` before it for descending order, or empty.
  ///   - skip: The number of items before.
  func query(match: String, condition: String, sort: String, skip: Int) throws -> Query {
    var filter: Filter?
    if !condition.isEmpty {
      let program = try environment.compile(Expression.parse(condition))
      filter = try Filter(program, in: environment)
    }
    var query = Query(
      "Link", match: match, filter: filter, sort: sort.isEmpty ? [] : [SortKey(parsing: sort)],
      limit: 10)
    query.closeMatches = .ifFew
    if skip > 0 {
      query.limit = skip
      guard let last = try store.items.find(query).last?.id else { return query }
      query.limit = 10
      query.after = ItemReference(entity: "Link", id: last)
    }
    return query
  }

  /// Starts grouping steps in transactions that stay open, or commits them.
  func group(_ begins: Bool) throws {
    if begins {
      try store.begin(WriteSession(), "bench")
    } else {
      try store.endSession()
    }
  }

  /// Records a step and its result, as a durable run does.
  func noteStep() throws {
    if stepping == nil {
      let newItem = NewRun(
        id: "bench", name: "bench", isDurable: true, mode: nil, process: 1, call: "{}",
        definitions: [])
      let record = PendingRun(newItem)
      let journal = RunJournal(
        isDurable: true, record: record, now: Host.quiet.now, schema: { _ in nil })
      stepping = (journal, record)
    }
    guard let (journal, record) = stepping else { return }
    steps += 1
    try journal.note(
      "12#\(steps)/4", .done, name: "value", value: .map(MapValue([("0", "a value of a step")])))
    try store.transaction { try store.runs.write(record) }
  }

  /// Saves a new link.
  func save() throws {
    saved += 1
    let now = Host.quiet.now().microseconds
    _ = try store.items.create(
      "Link",
      set: [
        ("url", .string("https://bench.example/\(now)/\(saved)")),
        ("title", .string("A page to measure")),
        ("tags", .list([.string("bench"), .string("page")])),
      ])
  }
}
