import CEL
import Items
import Store
import StoreFixtures
import Testing

/// Receipts of imported shares, and references to files beside the store.
@Suite struct ReceiptTests {
  private static let note = EntitySchema(
    name: "Note",
    properties: [
      PropertySchema(name: "text", type: .string),
      PropertySchema(name: "hash", type: .string, isOptional: true),
    ])

  @Test func shareHasOneReceipt() throws {
    let store = try StoreFixture(Self.note).store
    #expect(try !store.receipts.has("a"))
    #expect(try store.receipts.keep("a"))
    #expect(try !store.receipts.keep("a"))
    #expect(try store.receipts.has("a"))
    #expect(try !store.receipts.has("b"))
  }

  @Test func receiptIsRolledBackWithTransaction() throws {
    struct Failure: Error {}
    let store = try StoreFixture(Self.note).store
    #expect(throws: Failure.self) {
      try store.transaction {
        _ = try store.receipts.keep("a")
        _ = try store.jobs.enqueue(NewJob(handler: "keep-note", origin: "share a"))
        throw Failure()
      }
    }
    #expect(try !store.receipts.has("a"))
    #expect(try store.jobs.all().isEmpty)
    #expect(try store.receipts.keep("a"))
  }

  @Test func oldReceiptsArePrunedUnlessShareIsInInbox() throws {
    var now: Int64 = 1_795_000_000
    var context = StoreFixture.context()
    context.world.now = { Timestamp(seconds: now) }
    let store = try Database(at: .memory, context: context)
    for share in ["old", "kept"] { _ = try store.receipts.keep(share) }
    now += 91 * 86_400
    _ = try store.receipts.keep("new")
    try store.receipts.prune(keeping: ["kept"])
    #expect(try ["old", "kept", "new"].map(store.receipts.has) == [false, true, true])
  }

  @Test func unmentionedHashesAreFound() throws {
    let store = try StoreFixture(Self.note).store
    func hash(_ letter: Character) -> String { String(repeating: letter, count: 64) }
    _ = try store.items.create(
      NewItem("Note", [("text", .string("x")), ("hash", .string(hash("a")))]), onConflict: .fail)
    _ = try store.items.create(
      NewItem("Note", [("text", .string("see /files/\(hash("b")) here"))]), onConflict: .fail)
    var job = NewJob(handler: "keep-file", origin: "share x")
    job.input = #"{"path": "/files/\#(hash("c"))"}"#
    _ = try store.jobs.enqueue(job)
    let deleted = try store.items.create(
      NewItem("Note", [("text", .string("gone")), ("hash", .string(hash("d")))]), onConflict: .fail)
    try store.items.delete(try #require(deleted.reference))
    let all = ["a", "b", "c", "d", "e", "f"].map { hash($0) }
    // A deleted item may be restored by `undo`.
    #expect(try store.items.unmentioned(all, limit: 50) == [hash("e"), hash("f")])
    #expect(try store.items.unmentioned(all, limit: 0) == [])
  }
}
