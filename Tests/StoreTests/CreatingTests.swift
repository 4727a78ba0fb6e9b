import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Creating, updating and deleting items.
@Suite struct CreatingTests {
  @Test func itemRoundTrips() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let item = try store.items.create(
      "Link",
      set: [
        ("url", .string("https://swift.org")), ("title", .string("Swift 日本 🕊")),
        ("tags", .list([.string("swift"), .string("a\"b\\c")])),
      ])
    #expect(item.isNew == true)
    #expect(item.reference?.description == "link:1")
    let stored = try #require(try store.items.get("Link", id: 1))
    #expect(stored.text("url") == "https://swift.org")
    #expect(stored.text("title") == "Swift 日本 🕊")
    #expect(stored.texts("tags") == ["swift", "a\"b\\c"])
    #expect(stored.text("status") == "queued")
    #expect(stored.text("summary") == nil)
    #expect(stored.uid == item.uid)
    #expect(stored.createdAt == item.createdAt)
    #expect(stored.isNew == nil)
    #expect(stored.isSaved)
  }

  @Test func valuesOfAnyKeepTheirTypes() throws {
    let page = EntitySchema(
      name: "Page",
      properties: [
        PropertySchema(name: "told", type: .map(.any), isOptional: true),
        PropertySchema(name: "parts", type: .list(.any), default: .list([])),
      ])
    let folder = try TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/library.db")
    let moment = Timestamp(microseconds: 1_795_000_000_123_456)
    let told: Value = .map(
      MapValue([
        ("time", .duration(DurationValue(seconds: 780))), ("date", .timestamp(moment)),
        ("bytes", .bytes([0, 255])), ("text", "780s"),
        (
          "parts",
          .list([
            .map(
              MapValue([("long", .duration(DurationValue(seconds: -1, nanoseconds: 999_999_000)))]))
          ])
        ),
      ]))
    let parts: Value = .list([.duration(DurationValue(seconds: 1)), "1s", .null])
    do {
      let store = try StoreFixture(at: location, page).store
      _ = try store.items.create("Page", set: [("told", told), ("parts", parts)])
    }
    let store = try StoreFixture(at: location, page).store
    let stored = try #require(try store.items.get("Page", id: 1))
    // CEL's equality distinguishes a duration from a text.
    #expect(stored.field("told") == told)
    #expect(stored.field("parts") == parts)
    // An unchanged value is not a change, and a changed one can be undone.
    let reference = ItemReference(entity: "Page", id: 1)
    _ = try store.items.update(reference, set: [("told", told)])
    #expect(try store.changes.entries().count == 1)
    _ = try store.items.update(reference, set: [("told", .null)])
    _ = try store.changes.undo()
    #expect(try store.items.get("Page", id: 1)?.field("told") == told)
    #expect(throws: StoreError.self) {
      try store.items.create("Page", set: [("parts", .list([.map(MapValue([("$errand", "x")]))]))])
    }
  }

  @Test func mergeLosesNothing() throws {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.items.create(
      "Link",
      set: [
        ("url", .string("https://swift.org")), ("title", .string("Swift")),
        ("tags", .list([.string("a"), .string("b")])), ("status", .string("ready")),
      ])
    let merged = try store.items.create(
      "Link",
      set: [
        ("url", .string("https://SWIFT.org/")), ("title", .null),
        ("tags", .list([.string("b"), .string("c")])), ("summary", .string("A language")),
      ], onConflict: .merge)
    #expect(merged.isNew == false)
    let stored = try #require(try store.items.get("Link", identity: "https://swift.org/"))
    #expect(stored.id == 1)
    #expect(stored.text("url") == "https://SWIFT.org/")
    #expect(stored.text("title") == "Swift")
    #expect(stored.texts("tags") == ["a", "b", "c"])
    #expect(stored.text("summary") == "A language")
    #expect(stored.text("status") == "ready")
    #expect(try store.items.find(Query("Link", match: "language c")).map(\.id) == [1])
    #expect(
      try store.items.create(
        "Link", set: [("url", .string("https://x.org"))]
      ).id == 2, "no id is burnt")
  }

  @Test func keepReplaceAndFailPolicies() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let url = Value.string("https://swift.org")
    let first = try store.items.create(
      "Link", set: [("url", url), ("title", .string("Swift")), ("tags", .list([.string("a")]))])
    let kept = try store.items.create(
      "Link", set: [("url", url), ("title", .string("Other"))], onConflict: .keep)
    #expect(kept.text("title") == "Swift")
    #expect(kept.isNew == false)
    let replaced = try store.items.create(
      "Link", set: [("url", url), ("summary", .string("S"))], onConflict: .replace)
    #expect(replaced.uid == first.uid)
    #expect(replaced.text("title") == nil)
    #expect(replaced.texts("tags") == [])
    #expect(replaced.createdAt == first.createdAt)
    let error = #expect(throws: StoreError.self) {
      try store.items.create("Link", set: [("url", url)])
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("link:1") == true)
  }

  @Test func updateSetsAddsAndRemoves() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let item = try store.items.create(
      "Link",
      set: [("url", .string("https://a.org")), ("tags", .list([.string("x"), .string("y")]))])
    let reference = try #require(item.reference)
    let updated = try store.items.update(
      reference, set: [("title", .string("A"))], add: [("tags", .string("z"))],
      remove: [("tags", .list([.string("x")]))])
    #expect(updated.texts("tags") == ["y", "z"])
    #expect(updated.text("title") == "A")
    #expect(try #require(updated.updatedAt) > #require(item.updatedAt))
    #expect(try store.items.find(Query("Link", match: "z")).count == 1)
    #expect(try store.items.find(Query("Link", match: "x")).isEmpty)
  }

  @Test func deletedIdIsNotReused() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let item = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    try store.items.delete(try #require(item.reference))
    #expect(try store.items.get("Link", id: 1) == nil)
    #expect(try store.items.find(Query("Link", match: "a.org")).isEmpty)
    #expect(try store.items.create("Link", set: [("url", .string("https://a.org"))]).id == 2)
    #expect(throws: StoreError.self) {
      try store.items.delete(ItemReference(entity: "Link", id: 1))
    }
  }
}

extension Item {
  /// A text property; nil when it is null.
  func text(_ name: String) -> String? {
    if case .string(let text)? = field(name) { text } else { nil }
  }

  /// A property that is a list of texts.
  func texts(_ name: String) -> [String]? {
    guard case .list(let values)? = field(name) else { return nil }
    return values.map { value in
      if case .string(let text) = value { text } else { "?" }
    }
  }
}
