import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Random entities, items and conditions: queries against evaluation of each item.
@Suite struct DifferentialTests {
  private static let environment = Environment(allowsUndeclaredNames: true)

  @Test(arguments: 0..<Amount.of("ERRAND_QUERIES", quick: 15, whole: 60))
  func queriesMatchEvaluation(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let schema = RandomEntity.schema(using: &random)
    let store = try StoreFixture(schema).store
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      _ = try store.items.create(
        schema.name, set: RandomEntity.values(of: schema, using: &random), onConflict: .fail)
    }
    #expect(try store.check() == [])
    let items = try store.items.find(Query(schema.name))
    for _ in 0..<80 {
      let text = RandomCondition(schema).text(depth: 3, using: &random)
      try compare(text, items, in: store, schema, using: &random)
    }
  }

  /// The same after a migration of existing items.
  @Test(arguments: 0..<Amount.of("ERRAND_QUERIES", quick: 15, whole: 60) / 3)
  func queriesMatchEvaluationAfterMigration(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(1_000 + seed))
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let schema = RandomEntity.schema(using: &random)
    let changed = RandomEntity.changed(schema, using: &random)
    do {
      let store = try StoreFixture(at: .file(path), schema).store
      for _ in 0..<20 {
        _ = try store.items.create(
          schema.name, set: RandomEntity.values(of: schema, before: changed, using: &random),
          onConflict: .fail)
      }
    }
    let store = try StoreFixture(at: .file(path), changed).store
    for _ in 0..<5 {
      _ = try store.items.create(
        changed.name, set: RandomEntity.values(of: changed, using: &random), onConflict: .fail)
    }
    #expect(try store.check() == [])
    let items = try store.items.find(Query(changed.name))
    #expect(items.count == 25)
    for _ in 0..<80 {
      let text = RandomCondition(changed).text(depth: 3, using: &random)
      try compare(text, items, in: store, changed, using: &random)
    }
  }

  private func compare(
    _ text: String, _ items: [Item], in store: Database, _ schema: EntitySchema,
    using random: inout SeededGenerator
  ) throws {
    let program = try Self.environment.compile(Expression.parse(text))
    let variables = RandomCondition.variables
    var expected: Result<[Int64], EvaluationError> = .success([])
    var matches: [Int64] = []
    for item in items {
      do throws(EvaluationError) {
        let value = try program.evaluate { index in
          program.variables[index] == "self" ? .object(item) : variables[program.variables[index]]
        }
        if case .bool(true) = value, let id = item.id { matches.append(id) }
        expected = .success(matches)
      } catch {
        if error.code == .nullOperand { continue }
        expected = .failure(error)
        break
      }
    }
    let filter = Filter(program, in: Self.environment) { variables[$0] }
    var query = Query(schema.name, filter: filter)
    switch expected {
    case .success(let ids):
      let found = try store.items.find(query).compactMap(\.id)
      #expect(found == matches && ids.count == found.count, "\(text)")
      if let limit = (1...5).randomElement(using: &random) {
        query.limit = limit
        #expect(
          try store.items.find(query).compactMap(\.id) == Array(matches.prefix(limit)), "\(text)")
      }
      query.sort = RandomOrder.keys(of: schema, using: &random)
      query.limit = nil
      let sorted = RandomOrder.sorted(found.compactMap { id in items.first { $0.id == id } }, query)
      try comparePages(of: query, sorted.compactMap(\.id), in: store, text, using: &random)
    case .failure(let error):
      do {
        _ = try store.items.find(query)
        Issue.record("\(text) does not fail with: \(error)")
      } catch let found as EvaluationError {
        #expect(found.code == error.code, "\(text)")
      }
    }
  }

  /// Reads the pages of a query, in its order and by date.
  private func comparePages(
    of query: Query, _ expected: [Int64], in store: Database, _ text: String,
    using random: inout SeededGenerator
  ) throws {
    var query = query
    #expect(try store.items.find(query).compactMap(\.id) == expected, "\(text) by \(query.sort)")
    query.limit = Int.random(in: 1...12, using: &random)
    var found: [Int64] = []
    while found.count <= expected.count {
      query.after = found.last.map { ItemReference(entity: query.entity, id: $0) }
      let page = try store.items.find(query).compactMap(\.id)
      if page.isEmpty { break }
      found += page
    }
    #expect(found == expected, "pages of \(text) by \(query.sort)")
  }
}
