import CEL
import Items
package import Replication

/// Stamps that no hub has given, in libraries that merged them with an earlier release.
extension HubStore {
  private static let isMended = "hub-stamps"
  /// The life that an impossible one becomes, with room for others after it.
  private static let mendedLife: Int64 = 1 << 20

  /// Gives values with impossible stamps new ones, once for each library, and sends them as changes
  /// of this machine: others refuse them as they are.
  ///
  /// Called after staging, so that an item's row holds what its state says.
  package func mendStamps(_ clock: inout HybridClock) throws {
    guard try database.metadata(Self.isMended) == nil else { return }
    try asHub {
      var uids = Set(
        try connection.map(
          """
          SELECT uid FROM errand_hub_items WHERE state IS NOT NULL \
          OR NOT time BETWEEN 0 AND \(.int(clock.latest)) \
          OR NOT machine BETWEEN 0 AND \(.int(Stamp.highestMachine)) \
          OR NOT life BETWEEN 1 AND \(.int(ItemState.lastLife))
          """
        ) { $0.blob(0) })
      try connection.rows(
        "SELECT entity, uid, delta FROM errand_hub_outbox WHERE kind = 0"
      ) { row in
        let isFit = (try? DeltaCoder.delta(row.text(0), row.text(2), upTo: clock.latest)) != nil
        if !isFit { uids.insert(row.blob(1)) }
        return true
      }
      for uid in uids.compactMap(GlobalID.init(bytes:)) { try mend(uid, &clock) }
      try remember(clock)
      try database.setMetadata(Self.isMended, to: "1")
    }
  }

  private func mend(_ uid: GlobalID, _ clock: inout HybridClock) throws {
    guard var known = try known(uid) else { return }
    let table = try sharedTable(known.entity)
    let record = try known.id.flatMap { id in
      try table.flatMap { try items.record(id: id, in: $0) }
    }
    let old = try state(of: known, record, in: table)
    let stamp = clock.stamp(at: database.context.now().microseconds)
    var state = old
    state.fields = old.fields.mapValues { $0.mended(upTo: clock.latest, with: stamp) }
    if !(1...ItemState.lastLife).contains(old.life) {
      state.life = Self.mendedLife + (old.isAlive ? 1 : 2)
    }
    let isBaseFit = known.base.isPossible(upTo: clock.latest)
    if state == old, isBaseFit { return }
    if !isBaseFit { known.base = stamp }
    // The whole has what was not sent.
    try connection.run(
      "DELETE FROM errand_hub_outbox WHERE kind = 0 AND uid = \(.blob(uid.bytes))")
    let delta = ItemDelta(known.entity, state, base: known.base)
    try post(.item, known.entity, uid, DeltaCoder.text(of: delta))
    try write(state, of: known, shown: nil)
    try showAgain(uid)
  }

  /// Gives the row of an item whose lives are used up a new global id: it comes back as another.
  func renamed(_ record: Record, _ known: Known, in table: EntityTable) throws -> Record {
    var (record, known) = (record, known)
    known.id = nil
    try write(known)
    let uid = database.makeUID()
    record.uid = uid
    try connection.run(
      """
      UPDATE \(name: table.name) SET uid = \(.blob(uid.bytes)) WHERE id = \(.int(record.id ?? 0))
      """)
    return record
  }
}
