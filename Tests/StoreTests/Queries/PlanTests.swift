import CEL
import Items
import Store
import StoreFixtures
import Testing

/// The query plans of interactive queries, which use an index if possible.
@Suite struct PlanTests {
  private static let environment = Environment(allowsUndeclaredNames: true)

  /// A query with its expected plan.
  private struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var filter: String?
    var sort: [String] = []
    var after: Int64?
    let plan: [String]

    var testDescription: String { name }
  }

  private static let rows = [
    Row(name: "recent", plan: ["SCAN t USING INDEX Link_by_date"]),
    Row(
      name: "recent without some", filter: "!(self.status in ['failed', 'archived'])",
      plan: ["SCAN t USING INDEX Link_by_date"]),
    Row(
      name: "a tag", filter: "'swift' in self.tags",
      plan: [
        "SEARCH l USING PRIMARY KEY (value=?)", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
      ]),
    Row(
      name: "an indexed value", filter: "self.status == 'ready'",
      plan: ["SEARCH t USING INDEX Link_by_status_ (status=?)"]),
    Row(
      name: "a number", filter: "self.id == 7",
      plan: ["SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"]),
    Row(
      name: "a span of time", filter: "self.createdAt > timestamp('2026-01-01T00:00:00Z')",
      plan: ["SEARCH t USING INDEX Link_by_date (createdAt>?)"]),
    Row(
      name: "the next page", after: 1,
      plan: ["SEARCH t USING INDEX Link_by_date (createdAt<?)"]),
    Row(
      name: "the next page of an order by date", sort: ["-createdAt"], after: 1,
      plan: ["SEARCH t USING INDEX Link_by_date (createdAt<?)"]),
    Row(
      name: "the oldest first", sort: ["createdAt"],
      plan: ["SCAN t USING INDEX Link_by_date", "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"]),
  ]

  private static let probe = "SEARCH l USING PRIMARY KEY (value=? AND createdAt=? AND id=?)"

  private static let taskRows = [
    Row(
      name: "between two ints", filter: "5 <= self.count && self.count < 10",
      plan: [
        "SEARCH t USING INDEX Task_by_count_ (count>? AND count<?)", "USE TEMP B-TREE FOR ORDER BY",
      ]),
    Row(
      name: "between two days",
      filter: """
        self.due >= timestamp('2026-01-01T00:00:00Z') && \
        self.due < timestamp('2026-02-01T00:00:00Z')
        """,
      plan: [
        "SEARCH t USING INDEX Task_by_due_ (due>? AND due<?)", "USE TEMP B-TREE FOR ORDER BY",
      ]),
    Row(
      name: "a beginning", filter: "self.title.startsWith('ab')",
      plan: [
        "SEARCH t USING INDEX Task_by_title_ (title>? AND title<?)", "USE TEMP B-TREE FOR ORDER BY",
      ]),
    Row(
      name: "an optional value", filter: "self.state == 'open'",
      plan: ["SEARCH t USING INDEX Task_by_state_ (state=?)"]),
    Row(name: "one of two values", filter: "self.state in ['open', 'closed']", plan: states),
    Row(
      name: "one value or another", filter: "self.state == 'open' || self.state == 'closed'",
      plan: states),
    Row(
      name: "one of two values, the next page", filter: "self.state in ['open', 'closed']",
      sort: ["-createdAt"], after: 1,
      plan: [
        "MERGE (UNION ALL)", "LEFT",
        "SEARCH t USING INDEX Task_by_state_ (state=? AND createdAt<?)", "RIGHT",
        "SEARCH t USING INDEX Task_by_state_ (state=? AND createdAt<?)",
      ]),
    Row(
      name: "an element", filter: "self.tags.exists(t, t == 'a')",
      plan: [
        "SEARCH l USING PRIMARY KEY (value=?)", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
      ]),
    Row(
      name: "one of two elements", filter: "self.tags.exists(t, t in ['a', 'b'])",
      plan: [
        "MERGE (UNION ALL)", "LEFT", "SEARCH l USING PRIMARY KEY (value=?)",
        "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "CORRELATED SCALAR SUBQUERY 1", probe,
        "RIGHT", "SEARCH l USING PRIMARY KEY (value=?)",
        "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "CORRELATED SCALAR SUBQUERY 3", probe,
        "CORRELATED SCALAR SUBQUERY 4", probe,
      ]),
    Row(
      name: "a value or an element", filter: "self.state == 'open' || 'b' in self.tags",
      plan: [
        "MERGE (UNION ALL)", "LEFT", "SEARCH t USING INDEX Task_by_state_ (state=?)",
        "CORRELATED SCALAR SUBQUERY 1", probe, "RIGHT", "SEARCH l USING PRIMARY KEY (value=?)",
        "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "CORRELATED SCALAR SUBQUERY 3", probe,
      ]),
    Row(
      name: "one of two values, by another order", filter: "self.state in ['open', 'closed']",
      sort: ["title"],
      plan: [
        "SEARCH t USING INDEX Task_by_state_ (state=?)", "USE TEMP B-TREE FOR ORDER BY",
      ]),
  ]

  private static let states = [
    "MERGE (UNION ALL)", "LEFT", "SEARCH t USING INDEX Task_by_state_ (state=?)", "RIGHT",
    "SEARCH t USING INDEX Task_by_state_ (state=?)",
  ]

  private static let task = EntitySchema(
    name: "Task",
    properties: [
      PropertySchema(name: "title", type: .string, isIndexed: true),
      PropertySchema(name: "count", type: .int, isOptional: true, isIndexed: true),
      PropertySchema(name: "due", type: .date, isOptional: true, isIndexed: true),
      PropertySchema(
        name: "state", type: .enumeration(["open", "closed", "gone"]), isOptional: true,
        isIndexed: true),
      PropertySchema(name: "tags", type: .list(.string), isIndexed: true),
    ])

  @Test(arguments: taskRows)
  private func valuesAreFoundByIndex(_ row: Row) throws {
    let store = try StoreFixture(Self.task).store
    _ = try store.items.create("Task", set: [("title", .string("a")), ("tags", .list([]))])
    let explanation = try store.search.explain(Self.query("Task", row))
    #expect(explanation.plan == row.plan)
    #expect(explanation.inProcess == [])
  }

  @Test(arguments: [
    ("self.state in ['open', 'closed']", 3), ("self.state == 'gone' || 'a' in self.tags", 2),
    ("self.state == 'open' || self.state == 'open'", 2),
  ])
  func countsOfSeveralValuesEvaluateNoItem(_ filter: String, _ count: Int) throws {
    var context = StoreFixture.context()
    context.filterSteps = 0
    let store = try Database(at: .memory, context: context)
    try store.prepare(Self.task)
    for (state, tags) in [("open", ["a"]), ("open", []), ("closed", ["b"]), ("gone", ["c"])] {
      _ = try store.items.create(
        "Task",
        set: [
          ("title", .string("t")), ("state", .string(state)),
          ("tags", .list(tags.map(Value.string))),
        ])
    }
    let row = Row(name: "", filter: filter, plan: [])
    #expect(try store.items.count(Self.query("Task", row)) == count)
  }

  private static func query(_ entity: String, _ row: Row) throws -> Query {
    var query = Query(entity, sort: row.sort.map(SortKey.init(parsing:)), limit: 10)
    if let text = row.filter {
      query.filter = try Filter(environment.compile(Expression.parse(text)), in: environment)
    }
    query.after = row.after.map { ItemReference(entity: entity, id: $0) }
    return query
  }

  @Test(arguments: rows)
  private func queryUsesExpectedPlan(_ row: Row) throws {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.items.create("Link", set: [("url", "https://a.org")])
    let explanation = try store.search.explain(Self.query("Link", row))
    #expect(explanation.plan == row.plan)
    #expect(explanation.inProcess == [])
  }

  /// If an index finds many rows, the first ones in order are found along the order's own index.
  @Test func manyRowsAreNotSorted() throws {
    let store = try StoreFixture(Self.task).store
    let importer = Importer(into: store) { _, error in Issue.record(error) }
    let count = 10_400
    for number in 1...count {
      try importer.add(
        NewItem(
          "Task",
          [
            ("title", .string("t\(number)")), ("tags", .list([])),
            ("count", number % 50 == 0 ? .int(Int64(number)) : .int(-1)),
            ("due", number % 4_000 == 0 ? .string("2026-01-0\(number / 4_000)") : .null),
            ("state", number % 100 == 7 ? "closed" : "open"),
          ], createdAt: Timestamp(seconds: Int64(number))), line: number)
    }
    _ = try importer.finish()
    func query(_ filter: String, _ sort: String...) throws -> (ids: [Int64], plan: [String]) {
      var query = Query("Task", sort: sort.map(SortKey.init(parsing:)), limit: 3)
      query.filter = try Filter(
        Self.environment.compile(Expression.parse(filter)), in: Self.environment)
      return (try store.items.find(query).compactMap(\.id), try store.search.explain(query).plan)
    }
    let newest = try query("self.count < 0")
    #expect(newest.ids == [10_399, 10_398, 10_397])
    #expect(newest.plan == ["SCAN t USING INDEX Task_by_date"])
    let few = try query("self.count > 10_300".replacing("_", with: ""))
    #expect(few.ids == [10_400, 10_350])
    #expect(few.plan.last == "USE TEMP B-TREE FOR ORDER BY")
    let due = try query("self.state == 'open'", "due", "-createdAt")
    #expect(due.ids == [4_000, 8_000, 10_400])
    #expect(due.plan.filter { $0.contains("Task_by_due_") }.count == 2)
    let last = try query("self.state == 'open'", "-due")
    #expect(last.ids == [8_000, 4_000, 10_400])
    let closed = try query("self.state == 'closed'", "due")
    #expect(closed.ids == [10_307, 10_207, 10_107])
    #expect(
      closed.plan == [
        "SEARCH t USING INDEX Task_by_state_ (state=?)", "USE TEMP B-TREE FOR ORDER BY",
      ])
    let numbered = try query("self.state == 'open'", "id")
    #expect(numbered.ids == [1, 2, 3])
    #expect(numbered.plan == ["SCAN t"])
    let titled = try query("self.count < 0", "-title")
    #expect(titled.ids == [9_999, 9_998, 9_997])
    #expect(titled.plan.first == "SCAN t USING INDEX Task_by_title_")
  }

  /// The most selective of several indexes is used.
  @Test func mostSelectiveIndexIsUsed() throws {
    let schema = EntitySchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "n", type: .int, isIndexed: true),
        PropertySchema(name: "d", type: .double, isOptional: true, isIndexed: true),
      ])
    let store = try StoreFixture(schema).store
    for number in 0..<300 {
      _ = try store.items.create(
        "Thing",
        set: [
          ("n", .int(Int64(number % 100))),
          ("d", number % 3 == 0 ? .null : .double(Double(number) / 300)),
        ])
    }
    for (filter, index, count) in [
      ("self.n < 3 && self.d > 0.5", "Thing_by_n_", 2),
      ("self.d > 0.5 && self.n < 3", "Thing_by_n_", 2),
      ("self.n < 90 && self.d > 0.99", "Thing_by_d_", 0),
      ("self.n < 90 && self.d > 0.9 && self.d < 0.92 && self.n >= 70", "Thing_by_d_", 4),
      ("self.n >= 10 && self.n < 12 && self.d >= 0.0 && self.d < 2.0", "Thing_by_n_", 4),
    ] {
      var query = Query("Thing", limit: 10)
      query.filter = try Filter(
        Self.environment.compile(Expression.parse(filter)), in: Self.environment)
      let explanation = try store.search.explain(query)
      #expect(explanation.plan.first?.contains(" INDEX \(index) ") == true, "\(filter)")
      #expect(try store.items.find(query).count == count, "\(filter)")
    }
  }

  @Test(arguments: [false, true])
  func pagingWorksInEveryOrder(isIndexed: Bool) throws {
    let schema = EntitySchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "size", type: .int, isOptional: true, isIndexed: isIndexed),
        PropertySchema(name: "level", type: .enumeration(["low", "medium", "high"])),
        PropertySchema(name: "due", type: .date, isOptional: true, isIndexed: isIndexed),
      ])
    let store = try StoreFixture(schema).store
    for number in 0..<40 {
      _ = try store.items.create(
        "Thing",
        set: [
          ("size", number % 5 == 0 ? .null : .int(Int64(number % 3))),
          ("level", .string(["low", "medium", "high"][number % 3])),
          ("due", number % 4 == 0 ? .null : .timestamp(Timestamp(seconds: 86_400 * Int64(number)))),
        ])
    }
    for sort in [[], ["size"], ["-size"], ["level", "-size"], ["-due"], ["due", "id"], ["-id"]] {
      let keys = sort.map(SortKey.init(parsing:))
      let all = try store.items.find(Query("Thing", sort: keys)).compactMap(\.id)
      var pages: [Int64] = []
      while true {
        let after = pages.last.map { ItemReference(entity: "Thing", id: $0) }
        let page = try store.items.find(Query("Thing", sort: keys, limit: 7, after: after))
        if page.isEmpty { break }
        pages += page.compactMap(\.id)
      }
      #expect(pages == all, "\(sort)")
      #expect(all.count == 40)
    }
    let levels = try store.items.find(Query("Thing", sort: [SortKey("level")])).compactMap {
      $0.text("level")
    }
    #expect(levels.first == "low" && levels.last == "high", "an enum sorts as it was declared")
    let sizes = try store.items.find(Query("Thing", sort: [SortKey("size", descending: true)]))
    #expect(sizes.last?.field("size") == .null, "null comes last")
  }

  @Test func unorderedTypeIsNotASortKey() throws {
    let store = try StoreFixture(StoreFixture.link).store
    for key in ["tags", "nonsense"] {
      #expect(throws: StoreError.self) {
        try store.items.find(Query("Link", sort: [SortKey(key)]))
      }
    }
  }
}
