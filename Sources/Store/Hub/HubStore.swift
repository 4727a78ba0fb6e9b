import CEL
package import Items
import JSON
import Replication

/// The part of a store that shares its items through a hub: which changes are to be sent, and the
/// merging of those of other machines. It knows nothing of networks; a store without a hub has none
/// of its tables.
package struct HubStore {
  let database: Database
  var connection: Connection { database.connection }
  var items: ItemStore { database.items }
  var codec: PropertyCodec { database.codec }

  /// The cause of changes from other machines in the change log.
  package static let cause = "hub"
  /// The cause of those that a machine merges when it joins.
  package static let joinCause = "hub join"
  /// The name of the cursor on the change log.
  static let cursor = "hub"

  // MARK: Membership

  /// The membership in a hub.
  package struct Membership: Hashable, Sendable {
    /// The random name of the hub.
    package var hub: String
    /// The random number of this machine.
    package var machine: Int64
    /// The machine's name, for people.
    package var name: String
    /// The number of pushes of this machine that the hub has taken.
    package var turn: Int64
    /// The random name of the last of them.
    package var turnName: String
    /// The number of the last change of the hub that was merged; 0 for none.
    package var seen: Int64
    /// The random name of that change.
    package var seenName: String
    /// The time of the machine's last stamp.
    package var lastStamp: Int64
    /// Whether all items that existed before joining are in the outbox or on the hub.
    package var isWhole: Bool
    /// The service of `pg_service.conf` with the hub's address; empty for the environment's.
    package var service: String
    /// Whether everything that was on the hub when the machine joined is merged.
    package var isSettled: Bool
    /// The time of the last sync in microseconds since 1970; 0 for none.
    package var synced: Int64

    package init(hub: String, machine: Int64, name: String, service: String) {
      (self.hub, self.machine, self.name, self.service) = (hub, machine, name, service)
      (turn, turnName, seen, seenName, lastStamp, synced) = (0, "", 0, "", 0, 0)
      (isWhole, isSettled) = (false, false)
    }
  }

  private static let key = "hub-member"
  /// The numbers that a machine may have.
  package static let machineNumbers = 0...Stamp.highestMachine

  /// The membership; nil for a store without a hub.
  package func membership() throws -> Membership? {
    guard let text = try database.metadata(Self.key) else { return nil }
    guard case .map(let map)? = try? JSONParser().parse(text), case .string(let hub)? = map["hub"],
      case .int(let machine)? = map["machine"], Self.machineNumbers.contains(machine),
      case .string(let name)? = map["name"]
    else {
      throw StoreError(.corrupt, "the membership in the hub is damaged: leave and join again")
    }
    func int(_ key: String) -> Int64 {
      if case .int(let int)? = map[.string(key)] { int } else { 0 }
    }
    func string(_ key: String) -> String {
      if case .string(let text)? = map[.string(key)] { text } else { "" }
    }
    var member = Membership(hub: hub, machine: machine, name: name, service: string("service"))
    (member.turn, member.seen, member.seenName) = (int("turn"), int("seen"), string("seenName"))
    member.turnName = string("turnName")
    (member.lastStamp, member.synced) = (int("lastStamp"), int("synced"))
    member.isWhole = map["whole"] == .bool(true)
    member.isSettled = map["settled"] == .bool(true)
    return member
  }

  /// Records the membership.
  package func setMembership(_ member: Membership) throws {
    let entries: [(String, Value)] = [
      ("hub", .string(member.hub)), ("machine", .int(member.machine)),
      ("name", .string(member.name)), ("service", .string(member.service)),
      ("turn", .int(member.turn)), ("turnName", .string(member.turnName)),
      ("seen", .int(member.seen)),
      ("seenName", .string(member.seenName)), ("lastStamp", .int(member.lastStamp)),
      ("whole", .bool(member.isWhole)), ("settled", .bool(member.isSettled)),
      ("synced", .int(member.synced)),
    ]
    try database.setMetadata(Self.key, to: LoggedColumns.text(of: .map(MapValue(entries))))
  }

  /// Makes the store a member; its items are staged by the next sync.
  package func join(_ member: Membership) throws {
    try database.transaction {
      try SystemTables.hub.make(in: database)
      try SystemTables.queue.make(in: database)
      try database.changes.extend()
      try setMembership(member)
      try moveCursor(to: database.changes.last())
    }
  }

  /// Ends the membership; items stay as they are.
  package func leave() throws {
    try database.transaction {
      try database.setMetadata(Self.key, to: nil)
      try connection.run("DELETE FROM errand_cursors WHERE name = \(.text(Self.cursor))")
      guard try SystemTables.hub.exist(in: database) else { return }
      for table in SystemTables.hub.tables {
        try connection.run("DELETE FROM \(name: table.name)")
      }
    }
  }

  /// The last log entry that was staged.
  func cursorPosition() throws -> Int64 {
    try connection.number(
      "SELECT sequence FROM errand_cursors WHERE name = \(.text(Self.cursor))") ?? 0
  }

  func moveCursor(to sequence: Int64) throws {
    try connection.run(
      """
      INSERT INTO errand_cursors (name, sequence) VALUES (\(.text(Self.cursor)), \(.int(sequence))) \
      ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence
      """)
  }

  /// Takes a new number, after this store was found to be a copy of another machine's or the hub was
  /// restored from a backup: what was sent under the old number is another machine's from here on.
  ///
  /// Stamps that were given stay; of two equal ones the merging prefers one by their values.
  package func becomeNewMachine(_ number: Int64) throws {
    guard var member = try membership() else { return }
    (member.machine, member.turn, member.turnName) = (number, 0, "")
    try database.transaction {
      try connection.run("UPDATE errand_hub_outbox SET name = randomblob(16)")
      try dropLeases()
      try setMembership(member)
    }
  }

  // MARK: The outbox

  /// The kind of a message on the hub.
  package enum Kind: Int64, Sendable {
    /// A delta of an item.
    case item = 0
    /// Two items became one: the message's item lost, its text is the id of the winner.
    case merge = 1
    /// A job for a worker of another machine; it is no part of the log.
    case job = 2
  }

  /// A message between machines.
  package struct Message: Hashable, Sendable {
    /// The random name of the message.
    package var name: GlobalID
    package var kind: Kind
    package var entity: String
    package var uid: GlobalID
    package var text: String

    package init(
      name: GlobalID, kind: Kind, entity: String, uid: GlobalID, text: String
    ) {
      (self.name, self.kind, self.entity, self.uid, self.text) = (name, kind, entity, uid, text)
    }
  }

  /// The oldest messages and jobs that the hub has not acknowledged, with the number of the last.
  package func outbox(limit: Int) throws -> (batch: HubBatch, last: Int64) {
    var last: Int64 = 0
    var batch = HubBatch()
    let now = database.context.now().microseconds
    try connection.rows(
      """
      SELECT number, name, kind, entity, uid, delta FROM errand_hub_outbox \
      ORDER BY number LIMIT \(.int(Int64(clamping: limit)))
      """
    ) { row in
      last = row.int(0)
      guard let name = GlobalID(bytes: row.blob(1)), let kind = Kind(rawValue: row.int(2)),
        let uid = GlobalID(bytes: row.blob(4))
      else { return true }
      batch.lastName = name
      if kind == .job {
        let job = HubJob(uid: uid, handler: row.text(3), text: row.text(5), now: now)
        if let job { batch.jobs.append(job) }
      } else {
        batch.messages.append(
          Message(name: name, kind: kind, entity: row.text(3), uid: uid, text: row.text(5)))
      }
      return true
    }
    return (batch, last)
  }

  /// The number in the outbox of a message; nil if it is not there.
  func outboxNumber(of name: GlobalID) throws -> Int64? {
    try connection.number(
      "SELECT number FROM errand_hub_outbox WHERE name = \(.blob(name.bytes))")
  }

  /// The number of messages that the hub has not acknowledged.
  package func outboxCount() throws -> Int {
    guard try SystemTables.hub.exist(in: database) else { return 0 }
    return Int(try connection.number("SELECT count(*) FROM errand_hub_outbox") ?? 0)
  }

  /// The number of log entries that were not staged.
  package func unstagedCount() throws -> Int {
    Int(
      try connection.number(
        """
        SELECT count(*) FROM errand_changes WHERE sequence > \(.int(cursorPosition())) \
        AND cause NOT IN (\(.text(Self.cause)), \(.text(Self.joinCause))) AND kind <> 5
        """) ?? 0)
  }

  /// Removes messages and ended jobs that the hub has acknowledged.
  ///
  /// - Parameter name: The name of the last message.
  package func acknowledge(
    upTo last: Int64, _ ended: [GlobalID] = [], turn: Int64, _ name: GlobalID?
  ) throws {
    guard var member = try membership() else { return }
    (member.turn, member.turnName) = (turn, name?.text ?? "")
    try database.transaction {
      try connection.run("DELETE FROM errand_hub_outbox WHERE number <= \(.int(last))")
      try forget(ended)
      try setMembership(member)
    }
  }

  func post(_ kind: Kind, _ entity: String, _ uid: GlobalID, _ text: String) throws {
    try connection.withStatement(
      "INSERT INTO errand_hub_outbox (name, kind, entity, uid, delta) VALUES (?, ?, ?, ?, ?)"
    ) { statement in
      try statement.bind(.blob(database.makeUID().bytes), at: 1)
      try statement.bind(kind.rawValue, at: 2)
      try statement.bind(entity, at: 3)
      try statement.bind(.blob(uid.bytes), at: 4)
      try statement.bind(text, at: 5)
      _ = try statement.step()
    }
  }
}
