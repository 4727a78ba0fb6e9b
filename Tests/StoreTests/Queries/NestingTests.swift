import CEL
import CSQLite
import Items
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// Conditions with the maximum nesting of expressions, and long lists: those that SQLite rejects
/// are evaluated in process, with the same result.
@Suite struct NestingTests {
  private static let environment = Environment(allowsUndeclaredNames: true)

  private static let schema = EntitySchema(
    name: "Thing",
    properties: [
      PropertySchema(name: "a", type: .bool), PropertySchema(name: "b", type: .bool),
      PropertySchema(name: "n", type: .int), PropertySchema(name: "m", type: .double),
      PropertySchema(name: "title", type: .string, isIndexed: true),
      PropertySchema(name: "note", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .list(.string), isIndexed: true),
    ])

  private static func store() throws -> Database {
    let store = try StoreFixture(schema).store
    for number in 0..<4 {
      _ = try store.items.create(
        "Thing",
        set: [
          ("a", .bool(number % 2 == 0)), ("b", .bool(number > 1)), ("n", .int(Int64(number))),
          ("m", .double(Double(number) / 2)), ("title", number == 0 ? "X y" : "x"),
          ("note", number == 3 ? .null : "x"), ("tags", ["x", .string("t\(number)")]),
        ])
    }
    return store
  }

  private static func chain(_ before: String, _ core: String, _ after: String, _ depth: Int)
    -> String
  {
    String(repeating: before, count: depth) + core + String(repeating: after, count: depth)
  }

  private static let forms: [(name: String, text: @Sendable (Int) -> String)] = [
    ("ternaries", { chain("self.a ? self.b : (", "self.a", ")", $0) }),
    ("ternaries of values", { chain("(self.a ? 'x' : ", "self.title", ")", $0) + " == 'x'" }),
    ("ternaries of choices", { chain("(", "self.a", " ? self.b : self.a)", $0) }),
    ("calls", { chain("", "self.title", ".lowerAscii().trim()", $0) + " == 'x'" }),
    ("logic", { chain("(self.a || (self.b && ", "self.n > 1", "))", $0) }),
    ("defaults", { chain("coalesce(self.note, ", "self.title", ")", $0) + " == 'x'" }),
    ("replacements", { chain("", "self.title", ".replace('X', 'x')", $0) + " == 'x'" }),
    ("signs", { chain("-(", "self.n", ")", $0) + " < 2" }),
    ("signs of doubles", { chain("-(", "self.m", ")", $0) + " < 1.0" }),
    ("negations", { chain("!", "self.a", "", $0) }),
    ("nested texts", { chain("self.title + (", "self.title", ")", $0) + " != 'xx'" }),
    ("flat texts", { chain("self.title + ", "self.title", "", $0) + " != 'xx'" }),
    ("flat sums", { chain("", "self.n", " + 1", $0) + " > 3" }),
    ("comparisons", { chain("(", "self.a", " == self.b)", $0) }),
    ("texts of truth", { chain("string(", "self.a", " == self.b)", $0) + " == 'true'" }),
    ("elements", { chain("self.tags.exists(t, t == 'q' || ", "self.a", ")", $0) }),
    ("constants", { chain("['x', 'y'].exists(t, t == self.title && ", "self.a", ")", $0) }),
  ]

  private static func found(
    _ text: String, _ program: Program, _ items: [Item]
  ) -> Result<[Int64], EvaluationError> {
    var ids: [Int64] = []
    for item in items {
      do throws(EvaluationError) {
        let value = try program.evaluate { _ in .object(item) }
        if case .bool(true) = value, let id = item.id { ids.append(id) }
      } catch {
        if error.code != .nullOperand { return .failure(error) }
      }
    }
    return .success(ids)
  }

  private static func compare(_ text: String, in store: Database, _ items: [Item]) throws {
    let program = try environment.compile(Expression.parse(text))
    let filter = try Filter(program, in: environment)
    let query = Query("Thing", filter: filter)
    switch found(text, program, items) {
    case .success(let ids):
      #expect(try store.items.find(query).compactMap(\.id) == ids, "\(text.prefix(200))")
    case .failure(let error):
      let thrown = #expect(throws: EvaluationError.self, "\(text.prefix(200))") {
        try store.items.find(query)
      }
      #expect(thrown?.code == error.code)
    }
  }

  /// A text that grows at every step ends with an evaluation error, before memory runs out.
  @Test func growingTextFailsAsInProcess() throws {
    let store = try Self.store()
    let items = try store.items.find(Query("Thing"))
    for depth in [1, 4, 12] {
      let grown = Self.chain("", "self.title", ".replace('x', 'xxxxxxxxxx')", depth)
      try Self.compare("\(grown) != 'y'", in: store, items)
    }
  }

  /// A long list is one binding for SQLite, and so is a long disjunction.
  @Test func longListsRunAsSQL() throws {
    let store = try Self.store()
    let items = try store.items.find(Query("Thing"))
    let texts = (0..<3_000).map { $0 == 1_234 ? "'x'" : "'t\($0)\"\\u00e9'" }
    for condition in [
      "self.title in [\(texts.joined(separator: ", "))]",
      "self.note in [\(texts.joined(separator: ", ")), null]",
      "!(self.note in [\(texts.joined(separator: ", "))])",
      texts.map { "self.title == \($0)" }.joined(separator: " || "),
      "self.n in [\((3..<900).map(String.init).joined(separator: ", "))]",
      "self.m in [\((1..<900).map { "\($0).5" }.joined(separator: ", "))]",
    ] {
      try Self.compare(condition, in: store, items)
      let program = try Self.environment.compile(Expression.parse(condition))
      let filter = try Filter(program, in: Self.environment)
      let explanation = try store.search.explain(Query("Thing", filter: filter))
      #expect(explanation.inProcess.isEmpty == !condition.hasPrefix("self.m"))
    }
  }

  /// A condition that exceeds any of SQLite's limits is evaluated in process.
  @Test func rejectedSQLIsEvaluatedInProcess() throws {
    let store = try Self.store()
    let logic = Self.chain("(self.a || (self.b && ", "self.n > 1", "))", 5)
    let condition = "\(logic) && self.title != 'q'"
    let program = try Self.environment.compile(Expression.parse(condition))
    let filter = try Filter(program, in: Self.environment)
    let items = try store.items.find(Query("Thing"))
    sqlite3_limit(store.connection.handle, SQLITE_LIMIT_EXPR_DEPTH, 8)
    #expect(try store.search.explain(Query("Thing", filter: filter)).inProcess.count == 2)
    try Self.compare(condition, in: store, items)
  }

  @Test(arguments: forms.indices)
  func anyDepthWorks(_ index: Int) throws {
    let store = try Self.store()
    let items = try store.items.find(Query("Thing"))
    let step = Amount.of("ERRAND_NESTING", quick: 16, whole: 1)
    var depth = 1
    while depth <= 250, (try? Expression.parse(Self.forms[index].text(depth))) != nil {
      try Self.compare(Self.forms[index].text(depth), in: store, items)
      // Small steps up to SQLite's limits, larger ones beyond.
      depth += depth < 24 ? step : 56
    }
    #expect(depth > 9)
  }
}
