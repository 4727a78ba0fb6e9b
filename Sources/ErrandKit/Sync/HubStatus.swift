package import CEL
package import Engine
import Items
import Program
import Source
package import Store

/// The state of sharing a library through a hub, for a front to draw.
package struct HubStatus {
  /// The membership of this machine.
  package let member: HubStore.Membership
  /// The number of changes that are not sent.
  package let unsent: Int
  package let conflicts: Int
  /// The number of changes of other machines that this release cannot merge.
  package let unread: Int
  /// The number of jobs of other machines that could not be read and are dead.
  package let dead: Int

  /// Reads the state; nil for a library without a hub.
  package init?(_ store: Database) throws {
    let hub = store.hub
    guard let member = try RunError.reportingStore({ try hub.membership() }) else { return nil }
    self.member = member
    (unsent, conflicts, unread, dead) = try RunError.reportingStore {
      (
        try hub.outbox.unsentCount(), try hub.conflicts.all().count, try hub.merger.unreadCount(),
        try hub.jobs.deadCount()
      )
    }
  }

  /// The time of the last sync; nil for none.
  package var synced: Timestamp? {
    member.synced == 0 ? nil : Timestamp(microseconds: member.synced)
  }

  /// The state in the form of `errand hub --json`.
  package var value: Value {
    .record([
      "hub": member.hub, "machine": member.name, "service": member.service, "unsent": unsent,
      "conflicts": conflicts, "unread": unread, "deadJobs": dead,
      "synced": synced.map(Value.timestamp) ?? .null,
    ])
  }
}

/// A possibly unintended merge, in words.
package struct MergeConflict {
  package let conflict: ConflictLog.Conflict

  package var number: Int64 { conflict.number }
  /// The item's reference, or its kind if it is gone.
  package var item: String {
    guard let id = conflict.id else { return "\(EntitySchema.kind(of: conflict.entity)) (gone)" }
    return "\(ItemReference(entity: conflict.entity, id: id))"
  }
  /// The event that made it one.
  package var summary: String {
    switch conflict.kind {
    case .value: "\(conflict.property) was set twice"
    case .deleted: "changed on one machine, deleted on another"
    case .needed: "deleted, but another item needs it"
    case .merged: "\(conflict.property) of two items that became one"
    }
  }
  package var lost: String { Self.text(conflict.lost) }
  package var kept: String { Self.text(conflict.kept) }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .string(let text): text
    case .map(let map): map["title"].map(text) ?? map["name"].map(text) ?? "\(value)"
    default: "\(value)"
    }
  }

  /// The conflict in the form of `errand hub conflicts --json`.
  package var value: Value {
    .record([
      "number": Value.int(number), "kind": conflict.kind.rawValue, "item": item,
      "uid": conflict.uid.text, "property": conflict.property, "lost": conflict.lost,
      "kept": conflict.kept, "time": Value.timestamp(conflict.time),
    ])
  }
}

extension Run {
  /// The conflicts of the library with other machines, latest first.
  package func conflicts() throws -> [MergeConflict] {
    try RunError.reportingStore { try store().hub.conflicts.all() }.map(MergeConflict.init)
  }

  /// Removes a conflict; first gives the item the value that lost, if `restoring`.
  ///
  /// - Returns: A sentence about it.
  /// - Throws: `notFound`; `conflict` if the value cannot be restored.
  package func settle(conflict number: Int64, restoring: Bool) throws -> String {
    guard let conflict = try conflicts().first(where: { $0.number == number })?.conflict else {
      throw RunError(
        .notFound, "there is no conflict \(number)", help: "`errand hub conflicts` lists them")
    }
    let store = try restoring ? store(for: conflict.entity) : store()
    return try RunError.reportingStore {
      var sentence = "Forgot conflict \(number)."
      if restoring {
        let cause = store.session.cause
        store.session.cause = "hub conflicts"
        defer { store.session.cause = cause }
        let item = try store.hub.conflicts.restore(conflict)
        sentence =
          conflict.property.isEmpty
          ? "\(item) is back." : "\(item) has the lost value of \(conflict.property) again."
      }
      try store.hub.conflicts.settle(number)
      return sentence
    }
  }
}
