import CEL
import Items
import Store
import StoreFixtures
import Testing

/// The division of conditions between SQL and evaluation in process.
@Suite struct PushdownTests {
  private static let environment = Environment(allowsUndeclaredNames: true)

  private static let task = EntitySchema(
    name: "Task",
    properties: [
      PropertySchema(name: "title", type: .string),
      PropertySchema(name: "note", type: .string, isOptional: true),
      PropertySchema(name: "done", type: .bool, isOptional: true),
      PropertySchema(name: "count", type: .int, isOptional: true),
      PropertySchema(name: "price", type: .double),
      PropertySchema(name: "due", type: .date, isOptional: true),
      PropertySchema(name: "start", type: .timestamp, isOptional: true),
      PropertySchema(name: "length", type: .duration),
      PropertySchema(
        name: "state", type: .enumeration(["open", "closed"]), isIndexed: true),
      PropertySchema(name: "tags", type: .list(.string), isIndexed: true),
      PropertySchema(name: "labels", type: .list(.string), isOptional: true),
      PropertySchema(name: "scores", type: .list(.double), isOptional: true),
      PropertySchema(name: "fields", type: .map(.string), isOptional: true),
    ])

  private static func explanation(of text: String) throws -> QueryExplanation {
    try explanation(of: text, in: StoreFixture(task).store)
  }

  private static func explanation(
    of text: String, in store: Database
  ) throws -> QueryExplanation {
    let program = try environment.compile(Expression.parse(text))
    let filter = Filter(program, in: environment) { name in
      name == "words" ? .list([.string("a"), .string("b")]) : nil
    }
    return try store.search.explain(Query("Task", filter: filter, limit: 10))
  }

  @Test(arguments: [
    "self.state == 'open'", "!(self.state in ['open', 'closed'])", "self.id in [1, 2, 3]",
    "'swift' in self.tags", "words.all(w, w in self.tags) && self.note.contains('x')",
    "self.createdAt > timestamp('2026-01-01T00:00:00Z') - duration('24h')",
    "has(self.note) && self.note.startsWith('A') || self.title.endsWith('.org')",
    "self.tags.exists(t, t.startsWith('sw'))", "size(self.tags) > 2 && self.note != null",
    "self.title.lowerAscii() == 'swift'", "self.tags == []", "self.count >= 1 && self.count < 9",
    "self.due != null && self.due < timestamp('2026-01-01T00:00:00Z')",
    "string(self.count) == '3'", "double(self.count) < 2.5", "string(self.done) == 'true'",
    "self.length.getHours() > 2", "self.start.getFullYear() == 2026",
    "self.createdAt.getHours() < 12",
    "int(self.start) > 1700000000", "self.title.indexOf('a') == 2", "self.title.trim() == 'a'",
    "self.title.replace('a', 'b') == 'b'", "self.title.contains(self.note)",
    // Defaults for null.
    "coalesce(self.note, '').contains('x')", "coalesce(self.note, self.title) == 'x'",
    "self.?note.orValue('').startsWith('x')", "self.?note.hasValue()",
    "coalesce(self.count, 0) < 3",
    "'x' in coalesce(self.labels, [])", "size(self.?labels.orValue([])) == 0",
    "coalesce(self.done, false)", "!coalesce(self.done, false)", "self.labels == null",
    "(self.note == null ? self.title : self.note) == 'x'", "size(self.scores) > 1",
    "self.fields != null", "self.title.startsWith('a') == self.done",
  ])
  func conditionRunsAsSQL(_ text: String) throws {
    let explanation = try Self.explanation(of: text)
    #expect(explanation.inProcess == [])
    #expect(!explanation.inSQL.isEmpty)
    #expect(explanation.statements.last?.hasSuffix("LIMIT ?") == true)
  }

  @Test(arguments: [
    "self.id % 2 == 0", "size(self.tags) * 2 - 1 > 3", "self.title + '!' == 'a!'",
    "self.count + 1 > 3", "-self.count > 3", "self.price / 3.0 > 1.0", "int(self.price) == 3",
    "self.createdAt + duration('24h') > timestamp('2026-01-01T00:00:00Z')",
    "self.tags[0] == 'a'", "self.title.substring(1, 3) == 'bc'", "self.title.charAt(2) == 'c'",
    "self.state == 'x' || self.count + 1 > 3",
    "self.title.matches('^a')", "self.price + 1 > 2.0", "self.title < 3",
    "self.due + duration('24h') > timestamp('2026-01-01T00:00:00Z')", "self.tags[-1] == 'a'",
    "self.tags.exists(t, size(t) / size(t) == 1)", "string(self.price) == '1.5'",
    "coalesce(self.note.lowerAscii(), '') == 'a'", "self.title + '\\u0000' == 'a'",
    "self.state == 'open' || self.title.matches('^a')", "1 / 0 == self.count",
  ])
  func conditionIsEvaluatedInProcess(_ text: String) throws {
    let explanation = try Self.explanation(of: text)
    #expect(explanation.inProcess.count == 1)
    #expect(explanation.inSQL == [])
  }

  @Test func conjunctionIsDivided() throws {
    let explanation = try Self.explanation(
      of: "self.title.matches('^a') && self.count + 1 > 3 && self.state == 'open'")
    #expect(explanation.inProcess == ["self.title.matches(\"^a\")", "self.count + 1 > 3"])
    #expect(explanation.inSQL == ["self.state == \"open\""])
  }

  private static let layers = [
    ("words.all(x, words.exists(y, ", "))"), ("(", " ? self.done : true)"),
    ("(true ? self.done : ", ")"), ("string(", ".endsWith(self.title))"), ("!(", ")"),
    ("[1, 2, 3].exists(x, ", " && x > 0)"), ("(", " in [self.title.matches('a'), true])"),
    ("(", " in [true, false])"), ("coalesce(", ", self.done)"), ("coalesce(self.done, ", ")"),
    ("(self.count + 1 > 3 && ", ")"), ("(self.done == ", ")"), ("-(", ")"), ("(self.count - ", ")"),
    ("('a' in self.tags || ", ")"), ("size(self.note + string(", "))"),
    ("(self.state in ['open', 'closed'] && self.title < '' || ", ")"),
  ]

  /// Constructs that repeat their parts must not grow with every level, and no depth is too much
  /// for SQLite's parser.
  @Test(arguments: layers.indices)
  func nestedConditionsTerminateQuickly(_ index: Int) throws {
    let store = try StoreFixture(Self.task).store
    let (before, after) = Self.layers[index]
    for core in ["self.done", "self.title"] {
      var same = core
      var mixed = core
      for depth in 0..<20 {
        // Every other layer is of another form.
        let other = Self.layers[(index + 1 + depth / 2) % Self.layers.count]
        same = before + same + after
        mixed = depth % 2 == 0 ? before + mixed + after : other.0 + mixed + other.1
        for text in [same, mixed + " == true && self.title.matches('x')"] {
          let parts = try Self.explanation(of: text, in: store)
          #expect(!(parts.inProcess + parts.inSQL).isEmpty)
        }
      }
    }
  }

  // MARK: Failures

  private static func items(_ counts: [Int64?]) throws -> Database {
    let schema = EntitySchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "count", type: .int, isOptional: true),
        PropertySchema(name: "tags", type: .list(.string), isOptional: true, isIndexed: true),
      ])
    let store = try StoreFixture(schema).store
    for count in counts {
      _ = try store.items.create("Thing", set: [("count", count.map(Value.int) ?? .null)])
    }
    return store
  }

  private static func find(_ text: String, in store: Database) throws -> [Int64] {
    let filter = try Filter(environment.compile(Expression.parse(text)), in: environment)
    return try store.items.find(Query("Thing", filter: filter)).compactMap(\.id)
  }

  @Test func overflowFailsUnlessAnotherPartDecides() throws {
    let store = try Self.items([1, .max, nil, 5])
    for text in [
      "self.count + 1 > 3", "!(self.count + 1 > 3)", "self.count + 1 > 3 && self.id > 0",
      "self.count * 2 == 3 || self.id > 3", "-self.count - 2 < 0",
    ] {
      #expect(throws: EvaluationError.self, "\(text)") { try Self.find(text, in: store) }
    }
    #expect(try Self.find("self.count + 1 > 3 || self.id == 2", in: store) == [4, 2])
    #expect(try Self.find("self.id != 2 && self.count + 1 > 1", in: store) == [4, 1])
    #expect(try Self.find("self.count + 1 > 1 && self.id != 2", in: store) == [4, 1])
    #expect(try Self.find("self.count != null && self.count - 1 > 1", in: store) == [4, 2])
  }

  @Test func failureBeforeIndexedListIsNotSkipped() throws {
    let store = try Self.items([0])
    #expect(throws: EvaluationError.self) {
      try Self.find("1 / self.count > 0 && 'a' in self.tags", in: store)
    }
    #expect(throws: EvaluationError.self) {
      try Self.find("[1][self.count + 1] > 0 && 'a' in self.tags", in: store)
    }
    #expect(try Self.find("'a' in self.tags && 1 / self.count > 0", in: store) == [])
  }

  /// Unrolled as SQL, nested macros over constants would multiply.
  @Test(arguments: ["all", "exists"])
  func nestedMacrosAreNotUnrolled(_ macro: String) throws {
    let list = "lists.range(100).\(macro)"
    let nested = (0..<9).reduce("self.count > 0") { "\(list)(v\($1), \($0))" }
    let explanation = try Self.explanation(of: nested)
    #expect(explanation.inProcess.count == 1, "\(explanation)")
  }
}
