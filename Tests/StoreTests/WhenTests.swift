import CEL
import Items
import Store
import StoreFixtures
import Testing

/// Properties that have days and moments, and items that repeat.
@Suite struct WhenTests {
  private static let entity = EntitySchema(
    name: "Task",
    properties: [
      PropertySchema(name: "title", type: .string, searchWeight: 1),
      PropertySchema(name: "due", type: .when, isOptional: true, isIndexed: true),
      PropertySchema(name: "done", type: .bool, default: .bool(false)),
      PropertySchema(name: "rule", type: .string, isOptional: true),
      PropertySchema(name: "start", type: .when, isOptional: true),
      PropertySchema(name: "parent", type: .entity("Task"), isOptional: true, isAcyclic: true),
      PropertySchema(
        name: "after", type: .list(.entity("Task")), default: .list([]), isAcyclic: true),
    ], identities: [],
    repetition: EntitySchema.Repetition(done: 2, rule: 3, day: 1, moves: [4], parts: 5, after: 6))

  /// A store in the zone of Tokyo, nine hours before UTC.
  private static func store(_ offset: Int64 = 9) throws -> Database {
    var context = StoreFixture.context()
    let shift = offset * 3_600
    context.world.dateText = { CivilTime(Timestamp(seconds: $0.seconds + shift)).date.iso8601 }
    context.world.midnight = { text in
      CivilDate(iso8601: text).map {
        Timestamp(seconds: Int64($0.daysSinceEpoch) * 86_400 - shift, isDay: true)
      }
    }
    let store = try Database(at: .memory, context: context)
    try store.prepare(entity)
    return store
  }

  private static func moment(_ text: String) throws -> Value {
    .timestamp(try #require(Timestamp(rfc3339: text)))
  }

  private static func day(_ text: String, in store: Database) throws -> Value {
    .timestamp(try #require(store.context.world.midnight(text)))
  }

  private static func titles(
    _ store: Database, where text: String? = nil, sort: String? = nil
  ) throws -> [String] {
    let environment = Environment(allowsUndeclaredNames: true)
    let filter = try text.map {
      try Filter(environment.compile(Expression.parse($0)), in: environment)
    }
    var query = Query("Task", filter: filter)
    query.sort = sort.map { [SortKey(parsing: $0)] } ?? [SortKey(parsing: "id")]
    return try store.items.find(query).map { $0.field("title")?.text ?? "" }
  }

  @Test func aDayStaysADayAndAMomentAMoment() throws {
    let store = try Self.store()
    for (name, value) in [
      ("day", try Self.day("2026-12-02", in: store)),
      ("moment", try Self.moment("2026-12-01T23:00:00.7Z")),
      ("midnight", try Self.moment("2026-12-01T15:00:00Z")),
    ] {
      let item = try store.items.create("Task", set: [("title", .string(name)), ("due", value)])
      let read = try store.items.find(Query("Task")).first { $0.id == item.id }
      guard case .timestamp(let due)? = read?.field("due") else {
        Issue.record("\(name) has no due")
        continue
      }
      #expect(due.isDay == (name == "day"))
      #expect(due.nanoseconds == 0)
    }
    // A change from a day to the moment at which it begins is one.
    _ = try store.items.update(
      ItemReference(entity: "Task", id: 1), set: [("due", Self.moment("2026-12-01T15:00:00Z"))])
    guard
      case .timestamp(let due)? = try store.items.find(Query("Task")).first(where: { $0.id == 1 })?
        .field("due")
    else { return }
    #expect(!due.isDay)
  }

  /// In Tokyo, 2 December begins at 15:00 in UTC on the 1st.
  @Test func ordersAndConditionsAreThoseOfTheZone() throws {
    let store = try Self.store()
    for (title, value) in [
      ("2nd at 8", try Self.moment("2026-12-01T23:00:00Z")),
      ("2nd", try Self.day("2026-12-02", in: store)),
      ("1st at 23", try Self.moment("2026-12-01T14:00:00Z")),
      ("3rd", try Self.day("2026-12-03", in: store)),
    ] { _ = try store.items.create("Task", set: [("title", .string(title)), ("due", value)]) }
    _ = try store.items.create("Task", set: [("title", "none")])
    let order = ["1st at 23", "2nd", "2nd at 8", "3rd"]
    #expect(try Self.titles(store, sort: "due") == order + ["none"])
    #expect(try Self.titles(store, sort: "-due") == order.reversed() + ["none"])
    let start = "timestamp('2026-12-01T15:00:00Z')"
    #expect(try Self.titles(store, where: "self.due < \(start)") == ["1st at 23"])
    #expect(try Self.titles(store, where: "self.due <= \(start)") == ["2nd", "1st at 23"])
    #expect(try Self.titles(store, where: "self.due == \(start)") == ["2nd"])
    #expect(try Self.titles(store, where: "self.due > \(start)") == ["2nd at 8", "3rd"])
    #expect(
      try Self.titles(store, where: "self.due >= \(start)") == ["2nd at 8", "2nd", "3rd"])
    #expect(
      try Self.titles(store, where: "self.due != \(start)")
        == ["2nd at 8", "1st at 23", "3rd", "none"])
    #expect(try Self.titles(store, where: "self.due == null") == ["none"])
    // A search for a day finds what is due on it at a time, too.
    let found = try store.items.find(Query("Task", match: "due:2026-12-02"))
    #expect(found.map { $0.field("title")?.text ?? "" }.sorted() == ["2nd", "2nd at 8"])
  }

  /// Conditions in SQL select the same as those evaluated in process.
  @Test func conditionsAgreeWithTheirEvaluation() throws {
    for offset: Int64 in [-8, 0, 9] {
      let store = try Self.store(offset)
      var state: UInt64 = 7
      func random(_ count: UInt64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64(state >> 33) % Int64(count)
      }
      for number in 0..<60 {
        let second = 1_796_083_200 + random(6) * 43_200 + (random(3) - 1) * random(4_000)
        let text = store.context.world.dateText(Timestamp(seconds: second))
        let value: Value =
          number % 2 == 0 ? try Self.day(text, in: store) : .timestamp(Timestamp(seconds: second))
        _ = try store.items.create(
          "Task", set: [("title", .string("\(number)")), ("due", value)])
      }
      for _ in 0..<40 {
        let bound = Timestamp(seconds: 1_796_083_200 + random(6) * 43_200 + random(2)).text
        for symbol in ["<", "<=", ">", ">=", "==", "!="] {
          let condition = "self.due \(symbol) timestamp('\(bound)')"
          // The second form has no translation.
          let inProcess = condition.replacing("self.due", with: "(self.due + duration('0s'))")
          #expect(
            try Self.titles(store, where: condition) == Self.titles(store, where: inProcess))
        }
      }
    }
  }

  // MARK: Repeating

  private static func done(_ store: Database, _ id: Int64) throws {
    _ = try store.items.update(ItemReference(entity: "Task", id: id), set: [("done", true)])
  }

  @Test func whatIsDoneGetsItsSuccessorAtEachDoor() throws {
    let store = try Self.store()
    _ = try store.items.create(
      "Task",
      set: [
        ("title", "Water"), ("rule", "every day"), ("due", Self.day("2026-12-24", in: store)),
        ("start", Self.day("2026-12-22", in: store)),
      ])
    _ = try store.items.create("Task", set: [("title", "Once")])
    // Several at once, as `update` with a condition does.
    _ = try store.items.update(
      all: [1, 2].map { ItemReference(entity: "Task", id: $0) }, set: [("done", true)], add: [],
      remove: [])
    let items = try store.items.find(Query("Task", sort: [SortKey(parsing: "id")]))
    #expect(items.count == 3)
    #expect(items[0].field("rule") == .null)
    #expect(items[2].field("rule") == "every day")
    #expect(items[2].field("done") == false)
    #expect(try items[2].field("due") == Self.day("2026-12-25", in: store))
    #expect(try items[2].field("start") == Self.day("2026-12-23", in: store))
    // Opening and doing it again makes no second one.
    _ = try store.items.update(ItemReference(entity: "Task", id: 1), set: [("done", false)])
    try Self.done(store, 1)
    #expect(try store.items.find(Query("Task")).count == 3)
  }

  /// Two machines that do the same item make the same successor.
  @Test func aSuccessorHasTheSameIDOnAllMachines() throws {
    let stores = try [Self.store(), Self.store()]
    let ids = try stores.map { store in
      _ = try store.items.create(
        NewItem(
          "Task",
          [
            ("title", "Water"), ("rule", "every day"),
            ("due", Self.day("2026-12-24", in: store)),
          ], uid: "01923456-789a-7bcd-8ef0-123456789abc"))
      try Self.done(store, 1)
      return try store.items.find(Query("Task")).compactMap { $0.record.uid?.text }.sorted()
    }
    #expect(ids[0] == ids[1])
    #expect(ids[0].count == 2)
  }

  /// The items as `id title`, `done`, the day of December, `< parent` and `after` ids.
  private static func lines(_ store: Database) throws -> [String] {
    try store.items.find(Query("Task", sort: [SortKey(parsing: "id")])).map { item in
      var words = ["\(item.id ?? 0)", item.field("title")?.text ?? ""]
      if item.field("done") == .bool(true) { words.append("done") }
      if case .timestamp(let due)? = item.field("due") {
        words.append(String(store.context.world.dateText(due).suffix(2)))
      }
      if case .object(let parent)? = item.field("parent"), let id = (parent as? Item)?.id {
        words.append("< \(id)")
      }
      if case .list(let others)? = item.field("after") {
        words += others.compactMap { other in
          guard case .object(let object) = other else { return nil }
          return (object as? Item)?.id.map { "after \($0)" }
        }
      }
      return words.joined(separator: " ")
    }
  }

  @Test func partsAndOrderGoOnWithTheSuccessor() throws {
    let store = try Self.store()
    var items: [Item] = []
    func add(
      _ title: String, _ rule: String? = nil, parent: Int? = nil, after: [Int] = []
    ) throws {
      items.append(
        try store.items.create(
          "Task",
          set: [
            ("title", .string(title)), ("due", Self.day("2026-12-14", in: store)),
            ("rule", rule.map(Value.string) ?? .null),
            ("parent", parent.map { .object(items[$0 - 1]) } ?? .null),
            ("after", .list(after.map { .object(items[$0 - 1]) })),
          ]))
    }
    try add("Buy", "every week")
    try add("Once")
    try add("Clean", "every week", after: [1, 2])
    try add("Sink", parent: 3)
    try add("Windows", parent: 3, after: [4])
    try add("Frames", parent: 5)
    try add("Water", "every day", parent: 3)
    try add("Rest", after: [3])
    for id: Int64 in [1, 2, 4, 6, 7] { try Self.done(store, id) }
    let before = try Self.lines(store)
    #expect(before.suffix(2) == ["9 Buy 21", "10 Water 15 < 3"])
    try Self.done(store, 3)
    let after = [
      "1 Buy done 14", "2 Once done 14", "3 Clean done 14 after 1 after 2", "4 Sink done 14 < 3",
      // What is open moves, and so does what was done of it.
      "5 Windows 21 < 11 after 12", "6 Frames 21 < 5",
      // A part that repeats on its own keeps its days, and there is one of it.
      "7 Water done 14 < 3", "8 Rest 14 after 3", "9 Buy 21", "10 Water 15 < 11",
      "11 Clean 21 after 9", "12 Sink 21 < 11",
    ]
    #expect(try Self.lines(store) == after)
    _ = try store.changes.undo()
    #expect(try Self.lines(store) == before)
    _ = try store.changes.redo()
    #expect(try Self.lines(store) == after)
    // Opening and doing it again makes no second round.
    _ = try store.items.update(ItemReference(entity: "Task", id: 3), set: [("done", false)])
    try Self.done(store, 3)
    #expect(try Self.lines(store) == after)
    // The next round has the same parts.
    for id: Int64 in [12, 5, 11] { try Self.done(store, id) }
    let open = try Self.lines(store).filter { !$0.contains("done") }
    #expect(
      open == [
        "6 Frames 28 < 14", "8 Rest 14 after 3", "9 Buy 21", "10 Water 15 < 13",
        "13 Clean 28 after 9", "14 Windows 28 < 13 after 15", "15 Sink 28 < 13",
      ])
  }

  @Test func anItemCannotReferToItself() throws {
    let store = try Self.store()
    let items = try ["A", "B", "C"].map {
      try store.items.create("Task", set: [("title", .string($0))])
    }
    func put(_ child: Int, under parent: Int) throws {
      _ = try store.items.update(
        ItemReference(entity: "Task", id: Int64(child + 1)),
        set: [("parent", .object(items[parent]))])
    }
    try put(1, under: 0)
    try put(2, under: 1)
    #expect(throws: StoreError.self) { try put(0, under: 2) }
    #expect(throws: StoreError.self) { try put(0, under: 0) }
    try put(2, under: 0)
  }
}
