import CEL
import Items
import Replication
import Store
import StoreFixtures
import TestSupport
import Testing

/// Malformed hub rows: merging, editing, undoing and syncing them stops no machine, and changes of
/// an honest machine still arrive.
@Suite struct HubRowTests {
  private static let count = Amount.of("ERRAND_HUB_ROWS", quick: 60, whole: 20_000)
  private static let start: Int64 = 1_795_000_000_000_000

  /// A library that has joined.
  private func machine(_ number: Int64) throws -> Database {
    var context = StoreFixture.context()
    context.world.now = { Timestamp(microseconds: Self.start) }
    context.rules.schema = { $0 == "Link" ? StoreFixture.link : nil }
    let store = try Database(at: .memory, context: context)
    try store.prepare(StoreFixture.link)
    store.session.cause = "test"
    try store.hub.join(
      HubStore.Membership(hub: "hub", machine: number, name: "m\(number)", service: ""))
    return store
  }

  @Test func noRowStopsAMachine() throws {
    for seed in 0..<Self.count { try check(UInt64(seed)) }
  }

  private func check(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hub = MemoryHub()
    let (one, two) = (try machine(1), try machine(2))
    _ = try one.items.create(
      "Link", set: [("url", "https://a.org"), ("title", "a"), ("tags", ["x"])])
    for _ in 0..<2 { for store in [one, two] { _ = try HubSync(store, hub).run() } }
    let item = try #require(try one.items.find(Query("Link")).first)
    let uid = try #require(item.uid.flatMap(GlobalID.init(text:)))
    let other = GlobalID(high: random.next(), low: random.next())
    for round in 0..<3 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        hub.add(
          Outbox.Message(
            name: GlobalID(high: random.next(), low: random.next()),
            kind: random.chance(oneIn: 6) ? .merge : .item,
            entity: random.pick(["Link", "Link", "Link", "Note", "", "errand_runs"]),
            uid: random.pick([uid, uid, other]), text: text(&random, [uid, other])), of: 77)
      }
      for store in [one, two] { _ = try HubSync(store, hub).run() }
      let author = random.pick([one, two])
      for link in try author.items.find(Query("Link")) {
        guard let reference = link.reference else { continue }
        do {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: _ = try author.items.update(reference, remove: [("tags", ["x"])])
          case 1: _ = try author.items.update(reference, add: [("tags", ["y"])])
          case 2: try author.items.delete(reference)
          default: _ = try author.items.update(reference, set: [("title", .string("t\(round)"))])
          }
          if random.chance(oneIn: 2) { _ = try author.changes.undo() }
        } catch let error as StoreError where error.code == .conflict || error.code == .notFound {}
      }
      for store in [one, two] { _ = try HubSync(store, hub).run() }
    }
    // An honest change and a new item reach the peer machine with plausible times.
    _ = try one.items.create("Link", set: [("url", "https://honest.org"), ("title", "new")])
    for link in try one.items.find(Query("Link")) {
      if let reference = link.reference {
        _ = try one.items.update(reference, set: [("title", "honest")])
      }
    }
    for _ in 0..<2 { for store in [one, two] { _ = try HubSync(store, hub).run() } }
    let (mine, theirs) = (try links(one), try links(two))
    try #require(mine == theirs && mine.contains("https://honest.org honest"), "seed \(seed)")
    for link in try one.items.find(Query("Link")) {
      let bound = Self.start + 3_600_000_000
      try #require(link.updatedAt.map { $0.microseconds < bound } == true, "seed \(seed)")
    }
  }

  private func links(_ store: Database) throws -> [String] {
    func text(_ value: Value?) -> String { if case .string(let text)? = value { text } else { "" } }
    return try store.items.find(Query("Link")).map {
      text($0.field("url")) + " " + text($0.field("title"))
    }.sorted()
  }

  // MARK: Texts

  private func number(_ random: inout SeededGenerator) -> String {
    random.pick([
      "0", "1", "-1", "2", "\(Int64.max)", "\(Int64.max - 1)", "\(Int64.min)",
      "9223372036854775808",
      "\(Self.start)", "\(Self.start - 1)", "\(Self.start + 299_000_000)",
      "\(Self.start + 3_600_000_000_000)", "7258118400000000", "253402300799999999",
      "\(1 << 40)", "\((1 << 40) - 1)", "\((1 << 40) + 1)", "1e300", "0.5", "true", "null",
      #""1""#, "[]", "{}",
    ])
  }

  private func stamp(_ random: inout SeededGenerator) -> String {
    random.chance(oneIn: 3)
      ? "[\(number(&random)),\(number(&random))]" : "[\(Self.start + 1),77]"
  }

  private func value(_ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: number(&random)
    case 1: #""\#(String(repeating: "x", count: random.pick([0, 1, 100_000])))""#
    case 2: String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    case 3: #"["a","a",\#(number(&random))]"#
    default: #""text""#
    }
  }

  private func text(_ random: inout SeededGenerator, _ uids: [GlobalID]) -> String {
    let name = random.pick(["title", "tags", "url", "createdAt", "unknown", ""])
    func entry(_ key: String, _ value: String) -> String? {
      random.chance(oneIn: 3) ? #""\#(key)":{"\#(name)":\#(value)}"# : nil
    }
    if random.chance(oneIn: 8) { return value(&random) }
    if random.chance(oneIn: 8) { return #""\#(random.pick(uids).text)""# }
    let life = random.chance(oneIn: 3) ? number(&random) : "1"
    var parts = [#""l":\#(life)"#]
    if random.chance(oneIn: 2) { parts.append(#""b":\#(stamp(&random))"#) }
    if random.chance(oneIn: 4) { parts.append(#""d":\#(stamp(&random))"#) }
    let lists = #"[\#(stamp(&random)),["a","b","a"]]"#
    let elements = #"{"a":[\#(number(&random)),\#(number(&random)),\#(number(&random))]}"#
    parts += [
      entry("v", value(&random)), entry("s", stamp(&random)), entry("t", #"["a","x"]"#),
      entry("o", lists), entry("e", elements), entry("p", stamp(&random)),
    ].compactMap { $0 }
    return "{" + parts.joined(separator: ",") + "}"
  }

  // MARK: Libraries of earlier releases

  /// A library that an earlier release left with impossible stamps syncs again, and its changes
  /// reach those that refuse such stamps.
  @Test(arguments: [Int64.max - 1, 7_258_118_400_000_000])
  func impossibleStampsAreMended(time: Int64) throws {
    let hub = MemoryHub()
    let (one, two) = (try machine(1), try machine(2))
    _ = try one.items.create(
      "Link", set: [("url", "https://a.org"), ("title", "a"), ("tags", ["x"])])
    for _ in 0..<2 { for store in [one, two] { _ = try HubSync(store, hub).run() } }
    let damage = [
      "UPDATE errand_hub_items SET time = \(time), life = \(Int64.max), state = "
        + #"'{"e":{"tags":{"x":[\#(time),77,1]}}}'"#,
      "DELETE FROM errand_meta WHERE key = 'hub-stamps'",
      "UPDATE Link SET updatedAt = \(time)",
      "UPDATE errand_meta SET value = json_set(value, '$.lastStamp', \(time)) "
        + "WHERE key = 'hub-member'",
    ]
    for statement in damage { try one.connection.run("\(raw: statement)") }
    let reference = try #require(try one.items.find(Query("Link")).first?.reference)
    _ = try one.items.update(reference, set: [("title", "mine")])
    for _ in 0..<2 { for store in [one, two] { _ = try HubSync(store, hub).run() } }
    #expect(try links(one) == ["https://a.org mine"] && links(one) == links(two))
    for store in [one, two] {
      let date = try store.items.find(Query("Link")).first?.updatedAt
      #expect(date.map { $0.microseconds < Self.start + 3_600_000_000 } == true)
      #expect(try store.hub.merger.unreadCount() == 0)
    }
    _ = try one.items.update(reference, remove: [("tags", ["x"])])
    try one.items.delete(reference)
    for store in [one, two] { _ = try HubSync(store, hub).run() }
    #expect(try links(two).isEmpty)
    _ = try one.changes.undo()
    for store in [one, two] { _ = try HubSync(store, hub).run() }
    #expect(try links(two) == ["https://a.org mine"])
  }
}
