import BenchmarkSupport
import CEL
import Catalog
import Engine
import Items
import Store

/// A store of links that stays open, as the built-in library defines them.
final class Subject {
  /// What `recent` and `search` leave out.
  static let isShown = "self.status != 'failed' && self.reading != 'archived'"

  let store: EntityStore
  private let workspace: Workspace
  private let environment = Environment(allowsUndeclaredNames: true)
  private var saved = 0
  private var stepping: (journal: RunJournal, record: RunRecord)?
  private var steps = 0

  /// Opens a store.
  ///
  /// - Throws: What the store and the built-in definitions throw.
  init(store path: String) throws {
    workspace = Workspace(library: Library(), host: .quiet) {
      try EntityStore(at: StoreLocation(path: path), context: $0)
    }
    store = try workspace.store(for: "Link")
  }

  /// A query for ten links.
  ///
  /// - Parameters:
  ///   - match: The words, or nothing.
  ///   - condition: What must hold, or nothing.
  ///   - sort: A property with `-` before it for the largest first, or nothing.
  ///   - skip: How many come before.
  func query(match: String, condition: String, sort: String, skip: Int) throws -> Query {
    var filter: Filter?
    if !condition.isEmpty {
      let program = try environment.compile(Expression.parse(condition))
      filter = try Filter(program, in: environment)
    }
    var query = Query(
      "Link", match: match, filter: filter, sort: sort.isEmpty ? [] : [SortKey(parsing: sort)],
      limit: 10)
    query.isRelaxed = true
    if skip > 0 {
      query.limit = skip
      guard let last = try store.items.find(query).last?.id else { return query }
      query.limit = 10
      query.after = ItemReference(entity: "Link", id: last)
    }
    return query
  }

  /// Begins to note steps in transactions that stay open, or ends that and commits them.
  func group(_ begins: Bool) throws {
    if begins {
      try store.database.begin(WriteSession(), "bench")
    } else {
      try store.database.endSession()
    }
  }

  /// Notes that a step was done and what came of it, as a durable run does.
  func noteStep() throws {
    if stepping == nil {
      let draft = RunDraft(
        id: "bench", name: "bench", isDurable: true, mode: nil, process: 1, call: "{}",
        definitions: [])
      let record = RunRecord(draft)
      let journal = RunJournal(
        isDurable: true, record: record, now: Host.quiet.now, schema: { _ in nil })
      stepping = (journal, record)
    }
    guard let (journal, record) = stepping else { return }
    steps += 1
    try journal.note(
      "12#\(steps)/4", .done, name: "value", value: .map(MapValue([("0", "a value of a step")])))
    try store.database.transaction { try store.runs.write(record) }
  }

  /// Saves a link that was not there.
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
