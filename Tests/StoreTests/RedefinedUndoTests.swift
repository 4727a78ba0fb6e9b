import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// What is taken back after the definition changed is as the definition is now, or stays.
@Suite struct RedefinedUndoTests {
  private let folder: TemporaryFolder
  private let path: String
  private let first = ItemReference(entity: "Task", id: 1)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  /// A property of a task before and after its definition changed.
  struct Redefinition: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let was: DataType
    /// What the task had, and what it has instead when the definition changes.
    let had: Value
    let has: Value
    let type: DataType
    var isOptional = true
    var preset: Value?
    /// What it has once the change is taken back; nil when that cannot be.
    let result: Value?

    var before: PropertySchema { PropertySchema(name: "label", type: was, isOptional: true) }
    var after: PropertySchema {
      PropertySchema(name: "label", type: type, isOptional: isOptional, default: preset)
    }
  }

  private static let moment = Value.timestamp(Timestamp(seconds: 1_700_000_000))
  private static let large: Int64 = (1 << 53) + 1

  static let redefinitions = [
    Redefinition(
      testDescription: "needed", was: .string, had: .null, has: "b", type: .string,
      isOptional: false, result: nil),
    Redefinition(
      testDescription: "needed, with a default", was: .string, had: .null, has: "b", type: .string,
      isOptional: false, preset: "d", result: "d"),
    Redefinition(
      testDescription: "list of texts", was: .string, had: "a", has: "b", type: .list(.string),
      result: ["a"]),
    Redefinition(
      testDescription: "list of texts, of which one looks like JSON", was: .string, had: "[1]",
      has: "b", type: .list(.string), result: ["[1]"]),
    Redefinition(
      testDescription: "list of numbers", was: .int, had: 1, has: 2, type: .list(.int),
      result: [1]),
    Redefinition(
      testDescription: "list of doubles", was: .double, had: .double(.infinity), has: .double(2),
      type: .list(.double), result: [.double(.infinity)]),
    Redefinition(
      testDescription: "list of bools", was: .bool, had: true, has: false, type: .list(.bool),
      result: [true]),
    Redefinition(
      testDescription: "list of moments", was: .timestamp, had: moment, has: .null,
      type: .list(.timestamp), result: .list([moment])),
    Redefinition(
      testDescription: "url", was: .string, had: "no url", has: "https://b.example", type: .url,
      result: nil),
    Redefinition(
      testDescription: "url that was one", was: .string, had: "https://a.example",
      has: "https://b.example", type: .url, result: "https://a.example"),
    Redefinition(
      testDescription: "list of URLs", was: .string, had: "no url", has: "https://b.example",
      type: .list(.url), result: nil),
    Redefinition(
      testDescription: "fewer values", was: .enumeration(["a", "b"]), had: "a", has: "b",
      type: .enumeration(["b"]), result: nil),
    Redefinition(
      testDescription: "double", was: .int, had: 3, has: 4, type: .double, result: .double(3)),
    Redefinition(
      testDescription: "too large for a double", was: .int, had: .int(large), has: 4,
      type: .double, result: nil),
    Redefinition(
      testDescription: "another type", was: .int, had: 3, has: .null, type: .string, result: nil),
    Redefinition(
      testDescription: "anything", was: .string, had: "a {", has: .null, type: .any, result: nil),
  ]

  /// Types that what is stored now keeps from becoming again what they were.
  private static let staysForStoredItems: Set<DataType> = [.double, .list(.url)]

  private func task(_ property: PropertySchema?) -> EntitySchema {
    EntitySchema(
      name: "Task",
      properties: [PropertySchema(name: "title", type: .string, searchWeight: 1)]
        + (property.map { [$0] } ?? []))
  }

  private func open(_ property: PropertySchema?) throws -> EntityStore {
    try StoreFixture(at: .file(path), task(property)).store
  }

  /// Takes the last change back, and expects that it either fits the definition or stays.
  private func expectUndo(_ redefinition: Redefinition, kept: Value?) throws {
    do {
      let store = try open(redefinition.after)
      let log = try store.changes.entries().count
      if let result = redefinition.result {
        #expect(try store.changes.undo().count == 1)
        #expect(try store.items.get("Task", id: 1)?.field("label") == result)
        #expect(try store.database.check() == [])
        return
      }
      let error = #expect(throws: StoreError.self) { try store.changes.undo() }
      #expect(error?.code == .conflict)
      let message = error?.message ?? ""
      #expect(message.contains("task:1") && message.contains("“label”"), "\(message)")
      #expect(try store.items.get("Task", id: 1)?.field("label") == kept)
      #expect(try store.changes.entries().count == log)
    }
    // The way out that the message names.
    let store = try open(
      PropertySchema(name: "label", type: redefinition.was, isOptional: true))
    #expect(try store.changes.undo().count == 1)
    #expect(try store.items.get("Task", id: 1)?.field("label") == redefinition.had)
  }

  @Test(arguments: redefinitions)
  func aChangeIsTakenBackAsTheDefinitionIsNow(_ redefinition: Redefinition) throws {
    do {
      let store = try open(redefinition.before)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", redefinition.had)])
      _ = try store.items.update(first, set: [("label", redefinition.has)])
    }
    if redefinition.result == nil, Self.staysForStoredItems.contains(redefinition.type) { return }
    try expectUndo(redefinition, kept: redefinition.has)
  }

  @Test(arguments: redefinitions)
  func aDeletedItemComesBackAsTheDefinitionIsNow(_ redefinition: Redefinition) throws {
    do {
      let store = try open(redefinition.before)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", redefinition.had)])
      try store.items.delete(first)
    }
    try expectUndo(redefinition, kept: nil)
  }

  @Test func aDeletedItemWithoutWhatIsNeededNowStaysDeleted() throws {
    do {
      let store = try open(nil)
      _ = try store.items.create("Task", set: [("title", "t")])
      try store.items.delete(first)
    }
    let store = try open(PropertySchema(name: "due", type: .date))
    let error = #expect(throws: StoreError.self) { try store.changes.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("“due”") == true)
    #expect(error?.message.contains("default") == true)
    #expect(try store.items.find(Query("Task")).isEmpty)
  }

  @Test(
    arguments: redefinitions.filter {
      staysForStoredItems.contains($0.type) && $0.result == nil
    })
  func whatIsRefusedLeavesTheItemAsItIs(_ redefinition: Redefinition) throws {
    do {
      let store = try open(redefinition.before)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", redefinition.had)])
      _ = try store.items.update(first, set: [("label", redefinition.has)])
    }
    let store = try open(redefinition.after)
    let kept = try store.items.get("Task", id: 1)?.field("label")
    let error = #expect(throws: StoreError.self) { try store.changes.undo() }
    #expect(error?.code == .conflict)
    #expect(try store.items.get("Task", id: 1)?.field("label") == kept)
  }

  /// A property that is gone is kept and ignored, also that of an item that was away.
  @Test(arguments: [true, false])
  func whatIsNotDeclaredAnyMoreComesBack(_ isDeclaredWhenDeleted: Bool) throws {
    let label = PropertySchema(name: "label", type: .list(.double), isOptional: true)
    let value = Value.list([.double(.infinity), .double(1)])
    do {
      let store = try open(label)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", value)])
      if isDeclaredWhenDeleted { try store.items.delete(first) }
    }
    do {
      let store = try open(nil)
      if !isDeclaredWhenDeleted { try store.items.delete(first) }
      #expect(try store.changes.undo().map(\.kind) == [.delete])
      #expect(try store.database.check() == [])
    }
    #expect(try open(label).items.get("Task", id: 1)?.field("label") == value)
  }

  // MARK: Entities that are not defined here

  private static let author = EntitySchema(
    name: "Author", properties: [PropertySchema(name: "name", type: .string, searchWeight: 1)],
    identity: "name")
  private static let book = EntitySchema(
    name: "Book",
    properties: [
      PropertySchema(name: "title", type: .string, searchWeight: 1),
      PropertySchema(name: "author", type: .entity("Author"), isOptional: true),
      PropertySchema(name: "tags", type: .list(.string), default: [], isIndexed: true),
    ])

  private func withBook(_ body: (EntityStore, ItemReference) throws -> Void) throws {
    let store = try StoreFixture(at: .file(path), Self.author, Self.book).store
    let author = try store.items.create("Author", set: [("name", "Ada")])
    let book = try store.items.create(
      "Book", set: [("title", "Notes"), ("author", .object(author)), ("tags", ["old"])])
    try body(store, try #require(book.reference))
  }

  @Test func whatIsNotDefinedHereIsTakenBackAsItWasRecorded() throws {
    var recorded: String?
    try withBook { store, book in
      _ = try store.items.update(
        book, set: [("title", "Letters"), ("author", .null), ("tags", ["new"])])
      try store.items.delete(book)
      recorded = try store.database.metadata("entity:Book")
    }
    do {
      let store = try open(nil)
      #expect(try store.changes.undo().map(\.kind) == [.delete])
      #expect(try store.changes.undo().map(\.kind) == [.update])
      #expect(try store.database.metadata("entity:Book") == recorded)
      #expect(try store.database.check() == [])
      #expect(throws: StoreError.self) { try store.items.find(Query("Book")) }
    }
    do {
      let store = try StoreFixture(at: .file(path), Self.author, Self.book).store
      let found = try store.items.find(Query("Book", match: "notes tags:old"))
      #expect(found.count == 1)
      guard case .object(let author)? = found.first?.field("author") else {
        Issue.record("no author")
        return
      }
      #expect(author.field("name") == "Ada")
    }
    let store = try open(nil)
    #expect(try store.changes.undo().map(\.kind) == [.create])
    #expect(try store.changes.undo().map(\.kind) == [.create])
    #expect(try store.changes.undo().isEmpty)
    #expect(try store.database.check() == [])
    #expect(
      try StoreFixture(at: .file(path), Self.author).store.items.find(Query("Author")).isEmpty)
  }

  /// An earlier release may have made its indexes in another form, which only its definition brings
  /// up to date.
  @Test func whatAnEarlierReleaseRecordedWaitsForItsDefinition() throws {
    try withBook { store, book in
      let recorded = try #require(try store.database.metadata("entity:Book"))
      try store.database.setMetadata("entity:Book", to: recorded.replacing(" words 3", with: ""))
      try store.items.delete(book)
    }
    let error = #expect(throws: StoreError.self) { try open(nil).changes.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("Book") == true)
    let store = try StoreFixture(at: .file(path), Self.author, Self.book).store
    #expect(try store.changes.undo().map(\.kind) == [.delete])
  }
}
