import CEL
import Items
import Store
import Testing

@testable import Engine

/// Query plans of the built-in intents, shortcuts and entities: entirely in SQL, with an index
/// where one helps.
@Suite struct ShippedQueryTests {
  private struct Row: Sendable, CustomTestStringConvertible {
    let action: String
    var given: [String: String] = [:]
    let plans: [[String]]
    /// The conditions that are evaluated outside of SQL.
    var inProcess: [String] = []

    var testDescription: String { "\(action) \(given)" }
  }

  private static let byDate = ["SCAN t USING INDEX Link_by_date"]
  private static let byPeriod = [
    "SEARCH t USING INDEX Link_by_date (createdAt>? AND createdAt<?)"
  ]
  /// By full-text match (`M`) and by descending ID (`<`), in index order.
  private static let byDone = [
    "SEARCH t USING INDEX Task_by_done_ (done=?)", "USE TEMP B-TREE FOR ORDER BY",
  ]
  private static let byRank = [
    "SCAN Link_search VIRTUAL TABLE INDEX 192:M7<", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
  ]
  private static let byTag = [
    "SEARCH l USING PRIMARY KEY (value=?)", "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
  ]

  private static let hasTag = "SEARCH l USING PRIMARY KEY (value=? AND createdAt=? AND id=?)"

  private static let rows = [
    Row(action: "recent", plans: [byPeriod]),
    Row(action: "search", plans: [byPeriod]),
    Row(action: "search", given: ["query": "swift"], plans: [byRank]),
    Row(action: "search", given: ["tags": "a"], plans: [byTag]),
    Row(
      action: "search", given: ["tags": "a,b"],
      plans: [
        byTag + ["CORRELATED SCALAR SUBQUERY 1", hasTag, "CORRELATED SCALAR SUBQUERY 2", hasTag]
      ]),
    Row(
      action: "search", given: ["query": "swift", "tags": "a"],
      plans: [byRank + ["CORRELATED SCALAR SUBQUERY 1", hasTag]]),
    Row(action: "find-by-tag", given: ["input": "a"], plans: [byTag]),
    // What must be done first is looked up for each task, until there are enough.
    Row(
      action: "tasks",
      plans: [byDone, byDone],
      inProcess: ["isWhole || self.after.all(t, t.done)"]),
    Row(
      action: "tasks", given: ["due": "2026-12-01"],
      plans: [byDone, byDone]),
    Row(action: "open-recent", plans: [byPeriod]),
    Row(action: "search-and-share", given: ["input": "swift"], plans: [byRank]),
  ]

  /// The suggestions when a run asks for an item.
  @Test func suggestions() throws {
    let run = try TestRun(replies: [.text("1")])
    try run.perform("save", ["url": "https://swift.org", "title": "Swift"])
    try run.perform("add-task", ["title": "Write"])
    var plans: [[String]] = []
    run.session.queryObserver = { query in
      plans.append(try run.session.explain(query).plan)
    }
    do { try run.perform("open") } catch is RunError {}
    do { try run.perform("toggle-task") } catch is RunError {}
    #expect(
      plans == [
        Self.byDate,
        ["SEARCH t USING INDEX Task_by_done_ (done=?)", "USE TEMP B-TREE FOR ORDER BY"],
      ])
  }

  @Test(arguments: rows)
  private func isRunAsPlanned(_ row: Row) throws {
    let run = try TestRun()
    try run.perform(
      "save", ["url": "https://swift.org", "title": "Swift", "tags": "a,b"])
    try run.perform("add-task", ["title": "Write"])
    var plans: [[String]] = []
    run.session.queryObserver = { query in
      let explanation = try run.session.explain(query)
      #expect(explanation.inProcess == row.inProcess)
      plans.append(explanation.plan)
    }
    // Steps after the query may ask a question without an answer.
    do { try run.perform(row.action, row.given) } catch is RunError {}
    #expect(plans == row.plans)
  }
}
