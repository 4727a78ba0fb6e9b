import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Random edits on several machines with cut connections, copies and a restored hub: all must end
/// with the same items, and nothing that was acknowledged may be missing.
@Suite struct HubModelTests {
  private static let schemas = [
    StoreFixture.link,
    EntitySchema(
      name: "Project",
      properties: [
        PropertySchema(name: "name", type: .string, searchWeight: 5),
        PropertySchema(name: "links", type: .list(.entity("Link")), default: .list([])),
      ]),
    EntitySchema(
      name: "Step",
      properties: [
        PropertySchema(name: "title", type: .string, searchWeight: 5),
        PropertySchema(name: "project", type: .entity("Project")),
        PropertySchema(name: "link", type: .entity("Link"), isOptional: true),
        PropertySchema(name: "local", type: .string, isOptional: true, isShared: false),
      ]),
  ]

  /// A machine with an independent clock.
  private final class Machine {
    let store: Database
    var isConnected = true

    /// - Parameter location: The file of a copy of another machine's store; memory for a new one.
    init(
      at location: StoreLocation = .memory, _ random: inout SeededGenerator, schemas: [EntitySchema]
    ) throws {
      var context = StoreFixture.context()
      var time =
        1_795_000_000_000_000 + Int64.random(in: -3_600...3_600, using: &random) * 1_000_000
      context.world.now = {
        time += 500_000
        return Timestamp(microseconds: time)
      }
      let known = Dictionary(uniqueKeysWithValues: schemas.map { ($0.name, $0) })
      context.rules.schema = { known[$0] }
      store = try Database(at: location, context: context)
      for schema in schemas { try store.prepare(schema) }
      store.session.cause = "test"
    }
  }

  private static let count = Amount.of("ERRAND_HUB_MODELS", quick: 16, whole: 2_000)

  @Test(arguments: 0..<count) func machinesEndEqual(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let hub = MemoryHub()
    var machines: [Machine] = []
    for _ in 1...Int.random(in: 2...5, using: &random) {
      machines.append(try Machine(&random, schemas: Self.schemas))
    }
    let folder = try TemporaryFolder()
    // Some have items before they join.
    for machine in machines {
      for _ in 0..<Int.random(in: 0...3, using: &random) { try edit(machine.store, &random) }
      try machine.store.hub.join(
        HubStore.Membership(
          hub: "hub", machine: Int64.random(in: 1...1 << 40, using: &random), name: "m",
          service: ""))
    }
    var backup: MemoryHub.Backup?
    var faults = random
    hub.failing = { (faults.chance(oneIn: 12), faults.chance(oneIn: 12)) }
    for _ in 0..<Int.random(in: 5...60, using: &random) {
      let machine = random.pick(machines)
      switch Int.random(in: 0..<21, using: &random) {
      case 0..<12: try edit(machine.store, &random)
      case 12..<18: sync(machine, hub)
      case 20 where machines.count < 6 && random.chance(oneIn: 4):
        // Somebody copies the library to another machine; both go on.
        let path = folder.path + "/\(machines.count).db"
        try machine.store.backup(to: path)
        machines.append(try Machine(at: .file(path), &random, schemas: Self.schemas))
      case 18: if random.chance(oneIn: 3) { backup = hub.backup }
      default:
        if let known = backup, random.chance(oneIn: 2) {
          hub.restore(known)
          backup = nil
        }
      }
      hub.repeats = Int.random(in: 0...3, using: &random)
    }
    hub.failing = { (false, false) }
    for _ in 0..<3 { for machine in machines { _ = try HubSync(machine.store, hub).run() } }
    let first = try dump(machines[0].store)
    for machine in machines.dropFirst() {
      let other = try dump(machine.store)
      try #require(
        other == first, "seed \(seed):\n\(Self.difference(first, other))")
    }
    for machine in machines { try expectSound(machine.store) }
    try expectEditsArrive(machines, hub, &random, seed)
  }

  /// An edit by a machine that has seen everything must reach all others.
  private func expectEditsArrive(
    _ machines: [Machine], _ hub: MemoryHub, _ random: inout SeededGenerator, _ seed: Int
  ) throws {
    for round in 0..<3 {
      let author = random.pick(machines).store
      guard let link = try all("Link", author).randomElement(using: &random),
        let reference = link.reference, let uid = link.uid
      else { return }
      let title = Value.string("edit \(round)")
      _ = try author.items.update(reference, set: [("title", title)])
      for _ in 0..<2 { for machine in machines { _ = try HubSync(machine.store, hub).run() } }
      for machine in machines {
        let found = try machine.store.items.get("Link", uid: uid)?.field("title")
        try #require(found == title, "seed \(seed), round \(round)")
      }
    }
  }

  private func sync(_ machine: Machine, _ hub: MemoryHub) {
    do { _ = try HubSync(machine.store, hub).run() } catch is MemoryHub.Cut {} catch {
      Issue.record("\(error)")
    }
  }

  // MARK: Edits

  private func edit(_ store: Database, _ random: inout SeededGenerator) throws {
    let text = Value.string(random.pick(["a", "b", "c", "d"]))
    let url = Value.string("https://\(random.pick(["a", "b", "c", "d", "e"])).org")
    do {
      switch Int.random(in: 0..<14, using: &random) {
      case 0...2:
        _ = try store.items.create(
          "Link", set: [("url", url), ("title", text), ("tags", [text])], onConflict: .merge)
      case 3:
        _ = try store.items.create(
          "Project", set: [("name", text), ("links", .list(try some("Link", store, &random)))])
      case 4:
        guard let project = try some("Project", store, &random).first else { return }
        var values: [(name: String, value: Value)] = [("title", text), ("project", project)]
        if let link = try some("Link", store, &random).first { values.append(("link", link)) }
        values.append(("local", text))
        _ = try store.items.create("Step", set: values)
      case 5...6: try update(store, "Link", set: [("title", text)], &random)
      case 7: try update(store, "Link", set: [("url", url)], &random)
      case 8: try update(store, "Link", add: [("tags", [text])], &random)
      case 9: try update(store, "Link", remove: [("tags", [text])], &random)
      case 10:
        try update(
          store, "Project", set: [("links", .list(try some("Link", store, &random)))], &random)
      case 11:
        let link = try some("Link", store, &random).first ?? .null
        try update(store, "Step", set: [("link", link)], &random)
      case 12:
        let entity = random.pick(["Link", "Project", "Step"])
        if let reference = try reference(entity, store, &random) {
          try store.items.delete(reference)
        }
      default: _ = try store.changes.undo()
      }
    } catch let error as StoreError where error.code == .conflict || error.code == .notFound {
      // The model edits at random; an edit refused by the store does not count.
    }
  }

  private func update(
    _ store: Database, _ entity: String, set: [(name: String, value: Value)] = [],
    add: [(name: String, value: Value)] = [], remove: [(name: String, value: Value)] = [],
    _ random: inout SeededGenerator
  ) throws {
    guard let reference = try reference(entity, store, &random) else { return }
    _ = try store.items.update(reference, set: set, add: add, remove: remove)
  }

  private func all(_ entity: String, _ store: Database) throws -> [Item] {
    try store.items.find(Query(entity))
  }

  private func reference(
    _ entity: String, _ store: Database, _ random: inout SeededGenerator
  ) throws -> ItemReference? {
    try all(entity, store).randomElement(using: &random)?.reference
  }

  private func some(
    _ entity: String, _ store: Database, _ random: inout SeededGenerator
  ) throws -> [Value] {
    try all(entity, store).shuffled(using: &random).prefix(2).map { .object($0) }
  }

  // MARK: What all must agree on

  /// The items and their references, by global id.
  private func dump(_ store: Database) throws -> [String: String] {
    var result: [String: String] = [:]
    for schema in Self.schemas {
      for item in try all(schema.name, store) {
        let values = schema.properties.filter(\.isShared).map { property in
          "\(property.name)=\(Self.text(item.field(property.name)))"
        }
        let dates = "\(item.createdAt?.microseconds ?? 0) \(item.updatedAt?.microseconds ?? 0)"
        result["\(schema.name) \(item.uid ?? "")"] = (values + [dates]).joined(separator: " ")
      }
    }
    return result
  }

  private static func text(_ value: Value?) -> String {
    switch value {
    case .object(let object)?: (object as? Item)?.uid ?? "?"
    case .list(let values)?: "[" + values.map { text($0) }.joined(separator: ",") + "]"
    case let value?: "\(value)"
    case nil: ""
    }
  }

  private static func difference(_ one: [String: String], _ other: [String: String]) -> String {
    Set(one.keys).union(other.keys).sorted().filter { one[$0] != other[$0] }
      .map { "\($0)\n  \(one[$0] ?? "–")\n  \(other[$0] ?? "–")" }.joined(separator: "\n")
  }

  private func expectSound(_ store: Database) throws {
    for schema in Self.schemas where !schema.properties.filter({ $0.searchWeight != nil }).isEmpty {
      try store.connection.run(
        """
        INSERT INTO \(name: schema.name + "_search") (\(name: schema.name + "_search"), rank) \
        VALUES ('integrity-check', 1)
        """)
    }
  }
}
