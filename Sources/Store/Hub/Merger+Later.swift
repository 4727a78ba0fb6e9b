import CEL
import Items
import Replication

/// Changes and items that wait for a later release or another definition.
extension Merger {
  // MARK: Unread changes

  /// Keeps a change that a later release may read, or this one once the hub's clock has reached it.
  func keepUnread(_ message: Outbox.Message) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_unread (name, entity, uid, delta) VALUES \
      (\(.blob(message.name.bytes)), \(.text(message.entity)), \(.blob(message.uid.bytes)), \
      \(.text(message.text)))
      """)
  }

  /// The number of changes of other machines that cannot be merged now.
  package func unreadCount() throws -> Int {
    guard try hub.hasTables else { return 0 }
    return Int(try connection.number("SELECT count(*) FROM errand_hub_unread") ?? 0)
  }

  /// Merges changes that could not be read before.
  private func readAgain(_ clock: inout HybridClock) throws {
    guard try unreadCount() > 0, let member = try hub.membership() else { return }
    let messages = try connection.map(
      "SELECT name, entity, uid, delta FROM errand_hub_unread ORDER BY name"
    ) { row -> Outbox.Message? in
      guard let name = GlobalID(bytes: row.blob(0)), let uid = GlobalID(bytes: row.blob(2)),
        (try? DeltaCoder.delta(row.text(1), row.text(3), upTo: clock.latest)) != nil
      else { return nil }
      return .init(name: name, kind: .item, entity: row.text(1), uid: uid, text: row.text(3))
    }.compactMap { $0 }
    guard !messages.isEmpty else { return }
    _ = try apply(messages, upTo: member.seen, named: member.seenName, &clock)
    try database.transaction {
      for message in messages {
        try connection.run(
          "DELETE FROM errand_hub_unread WHERE name = \(.blob(message.name.bytes))")
      }
    }
  }

  // MARK: Definitions

  private static let definitions = "hub-definitions"

  /// Merges changes that can be read now, and shows what waited for a definition if definitions have
  /// changed since the last call.
  func followDefinitions(_ clock: inout HybridClock) throws {
    try readAgain(&clock)
    let known = try connection.storedLayouts().compactMap {
      try shared.table($0.name)?.definition
    }.joined(separator: "\n")
    let mark = "\(known.utf8.count) \(known.utf8.reduce(5381 as UInt64) { $0 &* 33 ^ UInt64($1) })"
    guard try database.metadata(Self.definitions) != mark else { return }
    try hub.withHubCause {
      try stage(&clock)
      let waiting = try shared.uids(
        """
        SELECT uid FROM errand_hub_items WHERE \(SharedItems.living) AND (id IS NULL \
        OR json_type(state, '$.v') IS NOT NULL)
        """)
      for uid in waiting { try show(uid) }
      try database.setMetadata(Self.definitions, to: mark)
    }
  }

  // MARK: Stamps

  private static let isRepaired = "hub-stamps"
  /// The life that an impossible one becomes, with room for others after it.
  private static let repairedLife: Int64 = 1 << 20

  /// Gives values with impossible stamps, as earlier releases merged them, new ones, once for each
  /// library, and sends them as changes of this machine, since others refuse them as they are.
  ///
  /// Called after staging, so that an item's row holds what its state says.
  func repairStamps(_ clock: inout HybridClock) throws {
    guard try database.metadata(Self.isRepaired) == nil else { return }
    try hub.withHubCause {
      let suspects = try shared.uids(
        """
        SELECT uid FROM errand_hub_items WHERE state IS NOT NULL \
        OR NOT time BETWEEN 0 AND \(.int(clock.latest)) \
        OR NOT machine BETWEEN 0 AND \(.int(Stamp.highestMachine)) \
        OR NOT life BETWEEN 1 AND \(.int(ItemState.lastLife))
        """)
      let unfit = try outbox.itemsWithImpossibleDeltas(upTo: clock.latest)
      for uid in Set(suspects + unfit) { try repairStamps(of: uid, &clock) }
      try outbox.remember(clock)
      try database.setMetadata(Self.isRepaired, to: "1")
    }
  }

  private func repairStamps(of uid: GlobalID, _ clock: inout HybridClock) throws {
    guard let loaded = try shared.load(uid) else { return }
    var (item, state) = (loaded.item, loaded.state)
    let stamp = clock.stamp(at: database.context.world.now().microseconds)
    state.fields = state.fields.mapValues { $0.mended(upTo: clock.latest, with: stamp) }
    if !(1...ItemState.lastLife).contains(state.life) {
      state.life = Self.repairedLife + (state.isAlive ? 1 : 2)
    }
    let isBaseFit = item.base.isPossible(upTo: clock.latest)
    if state == loaded.state, isBaseFit { return }
    if !isBaseFit { item.base = stamp }
    // The whole state includes the unsent changes.
    try outbox.removeDeltas(of: uid)
    try outbox.post(ItemDelta(item.entity, state, base: item.base), of: uid)
    try shared.write(state, of: item, shown: nil)
    try show(uid)
  }
}
