import CEL
import Store
import StoreFixtures
import Testing

/// How the queries that people wait for are run: by an index wherever one serves.
@Suite struct PlanTests {
  private static let environment = Environment(allowsUndeclaredNames: true)

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
        "CORRELATED SCALAR SUBQUERY 1",
        "SEARCH l USING PRIMARY KEY (value=? AND createdAt=? AND id=?)",
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

  @Test(arguments: rows)
  private func isRunAsPlanned(_ row: Row) throws {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.create("Link", set: [("url", "https://a.org")])
    var query = Query("Link", sort: row.sort.map(SortKey.init(parsing:)), limit: 10)
    if let text = row.filter {
      query.filter = try Filter(
        Self.environment.compile(Expression.parse(text)), in: Self.environment)
    }
    query.after = row.after.map { ItemReference(entity: "Link", id: $0) }
    let explanation = try store.explain(query)
    #expect(explanation.plan == row.plan)
    #expect(explanation.inProcess == [])
  }

  @Test func pagesFollowOneAnotherInEveryOrder() throws {
    let schema = EntitySchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "size", type: .int, isOptional: true),
        PropertySchema(name: "level", type: .enumeration(["low", "medium", "high"])),
        PropertySchema(name: "due", type: .date, isOptional: true),
      ])
    let store = try StoreFixture(schema).store
    for number in 0..<40 {
      _ = try store.create(
        "Thing",
        set: [
          ("size", number % 5 == 0 ? .null : .int(Int64(number % 3))),
          ("level", .string(["low", "medium", "high"][number % 3])),
          ("due", number % 4 == 0 ? .null : .timestamp(Timestamp(seconds: 86_400 * Int64(number)))),
        ])
    }
    for sort in [[], ["size"], ["-size"], ["level", "-size"], ["-due"], ["due", "id"], ["-id"]] {
      let keys = sort.map(SortKey.init(parsing:))
      let all = try store.find(Query("Thing", sort: keys)).compactMap(\.id)
      var pages: [Int64] = []
      while true {
        let after = pages.last.map { ItemReference(entity: "Thing", id: $0) }
        let page = try store.find(Query("Thing", sort: keys, limit: 7, after: after))
        if page.isEmpty { break }
        pages += page.compactMap(\.id)
      }
      #expect(pages == all, "\(sort)")
      #expect(all.count == 40)
    }
    let levels = try store.find(Query("Thing", sort: [SortKey("level")])).compactMap {
      $0.text("level")
    }
    #expect(levels.first == "low" && levels.last == "high", "an enum sorts as it was declared")
    let sizes = try store.find(Query("Thing", sort: [SortKey("size", descending: true)]))
    #expect(sizes.last?.field("size") == .null, "null comes last")
  }

  @Test func whatHasNoOrderIsNoSortKey() throws {
    let store = try StoreFixture(StoreFixture.link).store
    for key in ["tags", "nonsense"] {
      #expect(throws: StoreError.self) {
        try store.find(Query("Link", sort: [SortKey(key)]))
      }
    }
  }
}
