import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Undo after a schema change: old values are converted to the new schema or refused.
@Suite struct RedefinedUndoTests {
  private let folder: TemporaryFolder
  private let path: String
  private let first = ItemReference(entity: "Task", id: 1)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  /// A property of a task before and after a schema change.
  struct Redefinition: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let was: DataType
    /// The old value, and the value when the schema changes.
    let had: Value
    let has: Value
    let type: DataType
    var isOptional = true
    var preset: Value?
    /// The value after the undo; nil when that is impossible.
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

  /// Types that stored values keep from changing back.
  private static let staysForStoredItems: Set<DataType> = [.double, .list(.url)]

  private func task(_ property: PropertySchema?) -> EntitySchema {
    EntitySchema(
      name: "Task",
      properties: [PropertySchema(name: "title", type: .string, searchWeight: 1)]
        + (property.map { [$0] } ?? []))
  }

  private func open(_ property: PropertySchema?) throws -> Database {
    try StoreFixture(at: .file(path), task(property)).store
  }

  /// Undoes the last change, and checks that the result fits the schema or is unchanged.
  private func expectUndo(_ redefinition: Redefinition, kept: Value?) throws {
    do {
      let store = try open(redefinition.after)
      let log = try store.changes.entries().count
      if let result = redefinition.result {
        #expect(try store.changes.undo().count == 1)
        #expect(try store.items.get("Task", id: 1)?.field("label") == result)
        #expect(try store.check() == [])
        return
      }
      let error = #expect(throws: StoreError.self) { try store.changes.undo() }
      #expect(error?.code == .conflict)
      let message = error?.message ?? ""
      #expect(message.contains("task:1") && message.contains("“label”"), "\(message)")
      #expect(try store.items.get("Task", id: 1)?.field("label") == kept)
      #expect(try store.changes.entries().count == log)
    }
    // The solution that the message suggests.
    let store = try open(
      PropertySchema(name: "label", type: redefinition.was, isOptional: true))
    #expect(try store.changes.undo().count == 1)
    #expect(try store.items.get("Task", id: 1)?.field("label") == redefinition.had)
  }

  @Test(arguments: redefinitions)
  func changeIsUndoneUnderNewSchema(_ redefinition: Redefinition) throws {
    do {
      let store = try open(redefinition.before)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", redefinition.had)])
      _ = try store.items.update(first, set: [("label", redefinition.has)])
    }
    if redefinition.result == nil, Self.staysForStoredItems.contains(redefinition.type) { return }
    try expectUndo(redefinition, kept: redefinition.has)
  }

  @Test(arguments: redefinitions)
  func deletedItemIsRestoredUnderNewSchema(_ redefinition: Redefinition) throws {
    do {
      let store = try open(redefinition.before)
      _ = try store.items.create("Task", set: [("title", "t"), ("label", redefinition.had)])
      try store.items.delete(first)
    }
    try expectUndo(redefinition, kept: nil)
  }

  @Test func deletedItemLackingRequiredValueStaysDeleted() throws {
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
  func refusedUndoLeavesItemUnchanged(_ redefinition: Redefinition) throws {
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

  /// A removed property is kept and ignored, also that of an item that was deleted meanwhile.
  @Test(arguments: [true, false])
  func removedPropertyIsRestored(_ isDeclaredWhenDeleted: Bool) throws {
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
      #expect(try store.check() == [])
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

  private func withBook(_ body: (Database, ItemReference) throws -> Void) throws {
    let store = try StoreFixture(at: .file(path), Self.author, Self.book).store
    let author = try store.items.create("Author", set: [("name", "Ada")])
    let book = try store.items.create(
      "Book", set: [("title", "Notes"), ("author", .object(author)), ("tags", ["old"])])
    try body(store, try #require(book.reference))
  }

  @Test func undefinedEntityIsUndoneByRecordedSchema() throws {
    var recorded: String?
    try withBook { store, book in
      _ = try store.items.update(
        book, set: [("title", "Letters"), ("author", .null), ("tags", ["new"])])
      try store.items.delete(book)
      recorded = try store.metadata("entity:Book")
    }
    do {
      let store = try open(nil)
      #expect(try store.changes.undo().map(\.kind) == [.delete])
      #expect(try store.changes.undo().map(\.kind) == [.update])
      #expect(try store.metadata("entity:Book") == recorded)
      #expect(try store.check() == [])
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
    #expect(try store.check() == [])
    #expect(
      try StoreFixture(at: .file(path), Self.author).store.items.find(Query("Author")).isEmpty)
  }

  /// An earlier release may have created its indexes in another version, which only its definition
  /// can migrate.
  @Test func outdatedRecordedSchemaNeedsItsDefinition() throws {
    try withBook { store, book in
      let recorded = try #require(try store.metadata("entity:Book"))
      try store.setMetadata("entity:Book", to: recorded.replacing(" words 3", with: ""))
      try store.items.delete(book)
    }
    let error = #expect(throws: StoreError.self) { try open(nil).changes.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("Book") == true)
    let store = try StoreFixture(at: .file(path), Self.author, Self.book).store
    #expect(try store.changes.undo().map(\.kind) == [.delete])
  }
}
