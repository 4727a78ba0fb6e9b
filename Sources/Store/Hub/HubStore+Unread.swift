import CEL
import Items
import JSON
package import Replication

/// Changes and items that wait for a later release or another definition.
extension HubStore {
  /// Keeps a change that a later release, or this one at a later time, may read.
  func keepUnread(_ message: Message) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_unread (name, entity, uid, delta) VALUES \
      (\(.blob(message.name.bytes)), \(.text(message.entity)), \(.blob(message.uid.bytes)), \
      \(.text(message.text)))
      """)
  }

  /// The number of changes of other machines that cannot be merged now.
  package func unreadCount() throws -> Int {
    guard try hasJobTables else { return 0 }
    return Int(try connection.number("SELECT count(*) FROM errand_hub_unread") ?? 0)
  }

  /// Merges changes that could not be read before.
  func readAgain(_ clock: inout HybridClock) throws {
    guard try unreadCount() > 0 else { return }
    let messages = try connection.map(
      "SELECT name, entity, uid, delta FROM errand_hub_unread ORDER BY name"
    ) { row -> Message? in
      guard let name = GlobalID(bytes: row.blob(0)), let uid = GlobalID(bytes: row.blob(2)) else {
        return nil
      }
      return Message(name: name, kind: .item, entity: row.text(1), uid: uid, text: row.text(3))
    }.compactMap { $0 }.filter {
      (try? DeltaCoder.delta($0.entity, $0.text, upTo: clock.latest)) != nil
    }
    guard !messages.isEmpty, let member = try membership() else { return }
    _ = try apply(messages, upTo: member.seen, named: member.seenName, &clock)
    try database.transaction {
      for message in messages {
        try connection.run(
          "DELETE FROM errand_hub_unread WHERE name = \(.blob(message.name.bytes))")
      }
    }
  }

  /// Shows what waited for a definition, if definitions have changed since the last call.
  package func followDefinitions(_ clock: inout HybridClock) throws {
    try readAgain(&clock)
    let known = try connection.storedLayouts().compactMap {
      try sharedTable($0.name)?.definition
    }.joined(separator: "\n")
    let mark = "\(known.utf8.count) \(known.utf8.reduce(5381 as UInt64) { $0 &* 33 ^ UInt64($1) })"
    guard try database.metadata("hub-definitions") != mark else { return }
    try asHub {
      try stage(&clock)
      let uids = try connection.map(
        """
        SELECT uid FROM errand_hub_items WHERE life % 2 = 1 AND (id IS NULL \
        OR json_type(state, '$.v') IS NOT NULL)
        """
      ) { $0.blob(0) }
      for uid in uids.compactMap(GlobalID.init(bytes:)) { try showAgain(uid) }
      try database.setMetadata("hub-definitions", to: mark)
    }
  }
}
