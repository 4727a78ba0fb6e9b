import CEL
package import Items
package import Store

/// A store in memory, with a clock that advances one second per reading.
package struct StoreFixture {
  package let store: Database

  package init(at location: StoreLocation = .memory, _ schemas: EntitySchema...) throws {
    store = try Database(at: location, context: Self.context())
    for schema in schemas { try store.prepare(schema) }
  }

  /// A context with a clock that starts in November 2026, and UTC as the zone.
  package static func context() -> StoreContext {
    var seconds: Int64 = 1_795_000_000
    // A cheap source of randomness, so that measurements show the store; different in every
    // process.
    var state = UInt64.random(in: 1...UInt64.max)
    return StoreContext(
      world: StoreWorld(
        now: {
          seconds += 1
          return Timestamp(seconds: seconds)
        },
        randomBytes: { count in
          (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
          }
        },
        dateText: { CivilDay($0).text },
        midnight: { CivilDay(text: $0)?.midnight }),
      rules: StoreRules(
        canonicalURL: { url in
          let lowered = url.lowercased()
          return lowered.hasSuffix("/") ? String(lowered.dropLast()) : lowered
        },
        isURL: { $0.hasPrefix("https://") }))
  }

  /// A saved web page, as declared by the built-in library.
  package static let link = EntitySchema(
    name: "Link",
    properties: [
      PropertySchema(name: "url", type: .url, searchWeight: 2),
      PropertySchema(name: "title", type: .string, isOptional: true, searchWeight: 10),
      PropertySchema(name: "summary", type: .string, isOptional: true, searchWeight: 3),
      PropertySchema(
        name: "tags", type: .list(.string), default: .list([]), searchWeight: 5, isIndexed: true),
      PropertySchema(
        name: "status",
        type: .enumeration(["queued", "processing", "ready", "failed", "archived"]),
        default: .string("queued"), isIndexed: true),
      PropertySchema(name: "source", type: .string, isOptional: true),
    ], identity: "url")
}
