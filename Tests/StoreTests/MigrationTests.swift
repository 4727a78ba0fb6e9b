import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Migrations of stored items to a changed schema.
@Suite struct MigrationTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  private static func task(_ properties: PropertySchema..., identity: String? = nil) -> EntitySchema
  {
    EntitySchema(
      name: "Task",
      properties: [PropertySchema(name: "title", type: .string, searchWeight: 1)] + properties,
      identity: identity)
  }

  private func open(_ schema: EntitySchema) throws -> Database {
    try StoreFixture(at: .file(path), schema).store
  }

  private func fill() throws {
    let store = try open(
      Self.task(
        PropertySchema(name: "size", type: .int, isOptional: true),
        PropertySchema(name: "state", type: .enumeration(["open", "done"]), default: "open"),
        PropertySchema(name: "label", type: .string, isOptional: true)))
    for (number, title) in ["one", "two", "two"].enumerated() {
      _ = try store.items.create(
        "Task",
        set: [
          ("title", .string(title)), ("size", number == 0 ? .null : .int(Int64(number))),
          ("state", number == 2 ? "done" : "open"), ("label", .string("l\(number)")),
        ])
    }
  }

  private func backups() throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".backup") }
  }

  @Test func formerValuesAreMovedAndRenamed() throws {
    try fill()
    let outcome = PropertySchema(
      name: "outcome", type: .enumeration(["over", "none"]), isOptional: true, isIndexed: true,
      formerValues: ["state": ["done": "over"]])
    let store = try open(
      Self.task(
        PropertySchema(name: "state", type: .enumeration(["open", "done"]), default: "open"),
        outcome))
    let states = try store.items.find(Query("Task", sort: [SortKey("id")])).map {
      [$0.text("state"), $0.text("outcome")]
    }
    #expect(states == [["open", nil], ["open", nil], ["open", "over"]])
    #expect(try store.check() == [])
  }

  @Test func renamedPropertyKeepsItsValues() throws {
    try fill()
    let store = try open(
      Self.task(
        PropertySchema(
          name: "points", type: .int, isOptional: true, isIndexed: true, formerName: "size"),
        PropertySchema(
          name: "state", type: .enumeration(["open", "done"]), default: "open"),
        PropertySchema(
          name: "note", type: .string, isOptional: true, searchWeight: 2, formerName: "label")))
    let items = try store.items.find(Query("Task", sort: [SortKey("id")]))
    #expect(items.map { $0.field("points") } == [.null, .int(1), .int(2)])
    #expect(items.map { $0.text("note") } == ["l0", "l1", "l2"])
    #expect(try store.items.find(Query("Task", match: "l1")).map(\.id) == [2])
    #expect(try store.check() == [])
    #expect(try backups().count == 1)
  }

  @Test func newPropertyGetsDefault() throws {
    try fill()
    let store = try open(
      Self.task(
        PropertySchema(name: "done", type: .bool, default: false, isIndexed: true),
        PropertySchema(name: "tags", type: .list(.string), default: ["new"], isIndexed: true),
        PropertySchema(name: "note", type: .string, isOptional: true, searchWeight: 2)))
    let item = try #require(try store.items.get("Task", id: 1))
    #expect(item.field("done") == false)
    #expect(item.texts("tags") == ["new"])
    #expect(item.field("note") == .null)
    _ = try store.items.update(ItemReference(entity: "Task", id: 1), set: [("note", "hello")])
    #expect(try store.items.find(Query("Task", match: "hello one")).map(\.id) == [1])
    #expect(try store.check() == [])
    #expect(try backups().count == 1)
    let backup = try StoreFixture(
      at: .file(folder.path + "/" + #require(try backups().first)), Self.task()
    ).store
    #expect(try backup.items.find(Query("Task")).count == 3)
  }

  @Test func hostIsNotifiedOfMigrationsOnly() throws {
    try fill()
    var heard: [String] = []
    var context = StoreFixture.context()
    context.events.willMigrate = { entity, count in heard.append("\(entity) \(count)") }
    for _ in 0..<2 {
      let store = try Database(at: .file(path), context: context)
      try store.prepare(Self.task())
      try store.prepare(StoreFixture.link)
    }
    #expect(heard == ["Task 3"])
  }

  @Test func removedPropertyIsKeptAndRestored() throws {
    try fill()
    do {
      let store = try open(Self.task())
      #expect(try store.items.get("Task", id: 2)?.field("label") == nil)
      _ = try store.items.create("Task", set: [("title", "four")])
    }
    let store = try open(
      Self.task(
        PropertySchema(name: "label", type: .string, isOptional: true),
        PropertySchema(name: "state", type: .enumeration(["open", "done"]), default: "open")))
    #expect(try store.items.get("Task", id: 2)?.text("label") == "l1")
    #expect(try store.items.get("Task", id: 3)?.text("state") == "done")
    #expect(try store.items.get("Task", id: 4)?.text("state") == "open")
  }

  @Test func losslessConversionsAreMade() throws {
    try fill()
    let store = try open(
      Self.task(
        PropertySchema(name: "size", type: .double, isOptional: true),
        PropertySchema(
          name: "label", type: .list(.string), default: [], searchWeight: 1, isIndexed: true),
        PropertySchema(
          name: "state", type: .enumeration(["open", "waiting", "done"]), default: "open")))
    let item = try #require(try store.items.get("Task", id: 3))
    #expect(item.field("size") == .double(2))
    #expect(item.texts("label") == ["l2"])
    #expect(try store.items.find(Query("Task", match: "label:l2")).map(\.id) == [3])
    _ = try store.items.update(ItemReference(entity: "Task", id: 1), set: [("size", 1.5)])
    #expect(try store.items.get("Task", id: 1)?.field("size") == 1.5)
    #expect(try store.check() == [])
  }

  private static let environment = Environment(allowsUndeclaredNames: true)

  private func ids(_ condition: String, in store: Database) throws -> [Int64] {
    let program = try Self.environment.compile(Expression.parse(condition))
    let filter = try Filter(program, in: Self.environment)
    return try store.items.find(Query("Task", filter: filter)).compactMap(\.id).sorted()
  }

  private static func measured(_ type: DataType, weight: Double? = nil) -> EntitySchema {
    task(
      PropertySchema(
        name: "size", type: type, isOptional: true, searchWeight: weight, isIndexed: true))
  }

  /// SQLite divides integers differently, and a column keeps the type it was created with.
  @Test func convertedIntIsComputedAsDouble() throws {
    do {
      let store = try open(Self.measured(.int))
      for size in [3, 4, nil] as [Int64?] {
        _ = try store.items.create(
          "Task", set: [("size", size.map(Value.int) ?? .null), ("title", "t")])
      }
    }
    let store = try open(Self.measured(.double, weight: 1))
    _ = try store.items.create("Task", set: [("size", 7), ("title", "t")])
    #expect(try ids("self.size / 2.0 == 1.5", in: store) == [1])
    #expect(try ids("self.size > 3.0", in: store) == [2, 4])
    #expect(try ids("self.size / self.size == 1.0", in: store) == [1, 2, 4])
    #expect(try ids("self.size / self.size == 1.0 && self.size > 3.0", in: store) == [2, 4])
    #expect(try ids("self.size / 2.0 == 3.5", in: store) == [4])
    #expect(try store.check() == [])
    #expect(try open(Self.measured(.double, weight: 1)).items.find(Query("Task")).count == 4)
    #expect(try backups().count == 1)
  }

  @Test func inexactIntPreventsMigration() throws {
    let limit: Int64 = 1 << 53
    do {
      let store = try open(Self.measured(.int))
      for size in [limit, limit + 2, .min, -limit, limit + 1, .max] {
        _ = try store.items.create("Task", set: [("size", .int(size)), ("title", "t")])
      }
    }
    for (id, size) in [(5, "9007199254740993"), (6, "9223372036854775807")] as [(Int64, String)] {
      let error = #expect(throws: StoreError.self) { try open(Self.measured(.double)) }
      #expect(error?.code == .incompatible)
      #expect(
        error?.message.hasPrefix("task:\(id) has \(size) as its “size”, which") == true,
        "\(error?.message ?? "")")
      try open(Self.measured(.int)).items.delete(ItemReference(entity: "Task", id: id))
    }
    let store = try open(Self.measured(.double))
    #expect(try store.items.get("Task", id: 3)?.field("size") == .double(-0x1p63))
    #expect(try ids("self.size > 9007199254740992.0", in: store) == [2])
  }

  /// A property without stored values may change to any type, and its column with it.
  @Test func textInFormerNumberColumnIsUnchanged() throws {
    do { _ = try open(Self.measured(.int)).items.create("Task", set: [("title", "t")]) }
    let store = try open(Self.measured(.string, weight: 1))
    _ = try store.items.create("Task", set: [("title", "t"), ("size", "1e3")])
    #expect(try store.items.get("Task", id: 2)?.field("size") == "1e3")
    #expect(try ids("self.size == '1e3'", in: store) == [2])
    #expect(try store.check() == [])
  }

  /// An earlier release left the column unchanged; the next migration or start recreates it.
  @Test func outdatedColumnIsRecreated() throws {
    do {
      let store = try open(Self.measured(.int))
      _ = try store.items.create("Task", set: [("title", "t"), ("size", 3)])
      let key = "entity:Task"
      let definition = try #require(try store.metadata(key))
      let earlier = definition.replacing(" columns 2", with: "").replacing(" int", with: " double")
      try store.setMetadata(key, to: earlier)
      let columns = try #require(try store.metadata("columns:Task"))
      try store.setMetadata("columns:Task", to: columns.replacing(" int", with: " double"))
    }
    let store = try open(Self.measured(.double))
    #expect(try ids("self.size / 2.0 == 1.5", in: store) == [1])
    #expect(try store.check() == [])
  }

  @Test func textBecomesURLOnlyIfAllValuesAre() throws {
    func labelled(_ type: DataType) -> EntitySchema {
      Self.task(PropertySchema(name: "label", type: type, isOptional: true))
    }
    let reference = ItemReference(entity: "Task", id: 2)
    do {
      let store = try open(labelled(.string))
      for label in ["https://a.example", "no url", nil] as [String?] {
        _ = try store.items.create(
          "Task", set: [("title", "t"), ("label", label.map(Value.string) ?? .null)])
      }
    }
    for type in [DataType.url, .list(.url)] {
      let error = #expect(throws: StoreError.self) { try open(labelled(type)) }
      #expect(error?.code == .incompatible)
      #expect(
        error?.message
          == "task:2 has “no url” as its “label”, which is not a URL: change it first, or declare "
          + "“label” as \(type == .url ? "string" : "list<string>")", "\(error?.message ?? "")")
    }
    do {
      let store = try open(labelled(.string))
      _ = try store.items.update(reference, set: [("label", "https://b.example")])
    }
    let store = try open(labelled(.url))
    #expect(try store.items.get("Task", id: 2)?.text("label") == "https://b.example")
    _ = try open(labelled(.list(.url)))
  }

  @Test(arguments: [
    (
      task(PropertySchema(name: "size", type: .string, isOptional: true)),
      "task:2 has a Task.size that is stored as int, which cannot become string"
    ),
    (
      task(PropertySchema(name: "due", type: .date)),
      "task:1 has no “due”: give it a default or make it optional (date?)"
    ),
    (
      task(PropertySchema(name: "size", type: .int)),
      "task:1 has no “size”: give it a default or make it optional (int?)"
    ),
    (
      task(PropertySchema(name: "state", type: .enumeration(["open"]), default: "open")),
      "task:3 has “done” as its “state”: keep it in the enum, or change the item first"
    ),
    (task(identity: "title"), "task:2 and task:3 have the same title"),
    (task(PropertySchema(name: "Size", type: .int, isOptional: true)), "write it “size”"),
  ])
  func incompatibleChangeSuggestsFixAndChangesNothing(
    _ schema: EntitySchema, _ message: String
  ) throws {
    try fill()
    let error = #expect(throws: StoreError.self) { try open(schema) }
    #expect(error?.code == .incompatible)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(try backups() == [])
    try fill()
    let store = try open(Self.task(PropertySchema(name: "size", type: .int, isOptional: true)))
    #expect(try store.items.find(Query("Task")).count == 6)
    #expect(try store.items.get("Task", id: 3)?.field("size") == 2)
  }

  private static let size = PropertySchema(name: "size", type: .int, isOptional: true)

  @Test(arguments: [
    task(), task(PropertySchema(name: "size", type: .int, isOptional: true, searchWeight: 2)),
    task(PropertySchema(name: "size", type: .int, isOptional: true, isIndexed: true)),
    task(PropertySchema(name: "state", type: .enumeration(["open", "done", "new"]))),
    EntitySchema(name: "Task", properties: [PropertySchema(name: "title", type: .string)]),
  ])
  func indexChangesMakeNoBackup(_ schema: EntitySchema) throws {
    try fill()
    var context = StoreFixture.context()
    var heard: [String] = []
    context.events.didCopyBeforeMigrating = { _, path in heard.append(path) }
    let store = try Database(at: .file(path), context: context)
    try store.prepare(schema)
    #expect(try store.items.find(Query("Task")).count == 3)
    #expect(try store.check() == [])
    #expect(try backups() == [])
    #expect(heard == [])
  }

  @Test(arguments: [
    task(PropertySchema(name: "size", type: .double, isOptional: true)),
    task(PropertySchema(name: "size", type: .int, default: 0)),
    task(PropertySchema(name: "label", type: .list(.string), isOptional: true)),
    task(PropertySchema(name: "done", type: .bool, default: false)),
    task(size, PropertySchema(name: "note", type: .string, isOptional: true)),
    task(PropertySchema(name: "label", type: .string), identity: "label"),
  ])
  func hostIsNotifiedOfBackup(_ schema: EntitySchema) throws {
    try fill()
    var context = StoreFixture.context()
    var heard: [String] = []
    context.events.didCopyBeforeMigrating = { entity, path in heard.append("\(entity) \(path)") }
    let store = try Database(at: .file(path), context: context)
    try store.prepare(schema)
    #expect(heard == ["Task \(folder.path)/\(try #require(try backups().first))"])
    let size = PropertySchema(name: "size", type: .int, isOptional: true)
    let label = PropertySchema(name: "label", type: .string, isOptional: true)
    let copy = try StoreFixture(
      at: .file(folder.path + "/" + #require(try backups().first)), Self.task(size, label)
    ).store
    #expect(try copy.items.get("Task", id: 1)?.field("size") == .null)
    #expect(try copy.items.get("Task", id: 2)?.field("size") == 1)
    #expect(try copy.items.get("Task", id: 2)?.field("label") == "l1")
  }

  @Test func unchangedSchemaNeedsNoMigration() throws {
    try fill()
    try fill()
    #expect(try backups() == [])
  }

  @Test func deletionSetsReferencesToNull() throws {
    let project = EntitySchema(
      name: "Project", properties: [PropertySchema(name: "name", type: .string)])
    let task = Self.task(
      PropertySchema(name: "project", type: .entity("Project"), isOptional: true),
      PropertySchema(name: "others", type: .list(.entity("Project")), default: []))
    let strict = EntitySchema(
      name: "Strict", properties: [PropertySchema(name: "project", type: .entity("Project"))])
    let store = try StoreFixture(at: .file(path), project, task, strict).store
    let first = try store.items.create("Project", set: [("name", "first")])
    let second = try store.items.create("Project", set: [("name", "second")])
    _ = try store.items.create(
      "Task",
      set: [
        ("title", "t"), ("project", .object(first)), ("others", [.object(first), .object(second)]),
      ])
    let stored = try #require(try store.items.get("Task", id: 1))
    guard case .object(let referenced)? = stored.field("project") else {
      Issue.record("no project")
      return
    }
    #expect(referenced.field("name") == "first")
    try store.items.delete(ItemReference(entity: "Project", id: 1))
    let left = try #require(try store.items.get("Task", id: 1))
    #expect(left.field("project") == .null)
    #expect(left.field("others") == [.object(second)])
    _ = try store.items.create("Strict", set: [("project", .object(second))])
    let error = #expect(throws: StoreError.self) {
      try store.items.delete(ItemReference(entity: "Project", id: 2))
    }
    #expect(error?.message.contains("strict:1 needs project:2") == true)
    #expect(try store.check() == [])
  }
}
