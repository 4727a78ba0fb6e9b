import CEL
import Items
import JSON
import Replication

/// The membership of a store in a hub, through which machines share their items.
///
/// Its parts are the outbox, which holds the messages to send, the merger, which applies the
/// messages of other machines, the conflict log and the jobs. Each has separate tables, which a
/// store without a hub lacks. None of them uses the network.
package struct HubStore {
  let database: Database
  private var connection: Connection { database.connection }

  /// The messages of this machine that the hub has not acknowledged.
  package var outbox: Outbox { Outbox(database: database) }
  /// The merging of changes of other machines.
  package var merger: Merger { Merger(database: database) }
  /// The log of merges that may need review.
  package var conflicts: ConflictLog { ConflictLog(database: database) }
  /// The jobs that machines do for each other.
  package var jobs: HubJobs { HubJobs(database: database) }

  /// The cause of changes from other machines in the change log.
  package static let cause = "hub"
  /// The cause of those that a machine merges when it joins.
  package static let joinCause = "hub join"

  // MARK: Membership

  /// The membership in a hub.
  package struct Membership: Hashable, Sendable {
    /// The random name of the hub.
    package var hub = ""
    /// The random number of this machine.
    package var machine: Int64 = 0
    /// The machine's name, for people.
    package var name = ""
    /// The number of pushes of this machine that the hub has accepted.
    package var turn: Int64 = 0
    /// The random name of the last of them.
    package var turnName = ""
    /// The number of the last change of the hub that was merged; 0 for none.
    package var seen: Int64 = 0
    /// The random name of that change.
    package var seenName = ""
    /// The time of the machine's last stamp.
    package var lastStamp: Int64 = 0
    /// Whether all items that existed before joining are in the outbox or on the hub.
    package var isWhole = false
    /// The service of `pg_service.conf` with the hub's address; empty for the environment's.
    package var service = ""
    /// Whether everything that was on the hub when the machine joined is merged.
    package var isSettled = false
    /// The time of the last sync in microseconds since 1970; 0 for none.
    package var synced: Int64 = 0

    package init(hub: String, machine: Int64, name: String, service: String) {
      (self.hub, self.machine, self.name, self.service) = (hub, machine, name, service)
    }

    private static var texts: [(String, WritableKeyPath<Membership, String>)] {
      [
        ("hub", \.hub), ("name", \.name), ("service", \.service), ("turnName", \.turnName),
        ("seenName", \.seenName),
      ]
    }
    private static var numbers: [(String, WritableKeyPath<Membership, Int64>)] {
      [
        ("machine", \.machine), ("turn", \.turn), ("seen", \.seen), ("lastStamp", \.lastStamp),
        ("synced", \.synced),
      ]
    }
    private static var flags: [(String, WritableKeyPath<Membership, Bool>)] {
      [("whole", \.isWhole), ("settled", \.isSettled)]
    }

    /// Reads a recorded membership; nil for a damaged one.
    fileprivate init?(_ text: String) {
      guard case .map(let map)? = try? JSONParser().parse(text), case .string? = map["hub"],
        case .int(let machine)? = map["machine"], HubStore.machineNumbers.contains(machine),
        case .string? = map["name"]
      else { return nil }
      for (key, path) in Self.texts {
        if case .string(let text)? = map[.string(key)] { self[keyPath: path] = text }
      }
      for (key, path) in Self.numbers {
        if case .int(let number)? = map[.string(key)] { self[keyPath: path] = number }
      }
      for (key, path) in Self.flags { self[keyPath: path] = map[.string(key)] == .bool(true) }
    }

    fileprivate var value: Value {
      .map(
        MapValue(
          Self.texts.map { ($0, .string(self[keyPath: $1])) }
            + Self.numbers.map { ($0, .int(self[keyPath: $1])) }
            + Self.flags.map { ($0, .bool(self[keyPath: $1])) }))
    }
  }

  private static let key = "hub-member"
  /// The numbers that a machine may have.
  package static let machineNumbers = 0...Stamp.highestMachine

  /// The membership; nil for a store without a hub.
  package func membership() throws -> Membership? {
    guard let text = try database.metadata(Self.key) else { return nil }
    guard let member = Membership(text) else {
      throw StoreError(.corrupt, "the membership in the hub is damaged: leave and join again")
    }
    return member
  }

  /// Changes the membership, if there is one.
  func update(_ body: (inout Membership) -> Void) throws {
    try database.transaction {
      guard let old = try membership() else { return }
      var member = old
      body(&member)
      if member != old { try write(member) }
    }
  }

  private func write(_ member: Membership) throws {
    try database.setMetadata(Self.key, to: LoggedColumns.text(of: member.value))
  }

  /// Makes the store a member; its items are staged by the next sync.
  package func join(_ member: Membership) throws {
    try database.transaction {
      try makeTables()
      try SystemTables.queue.make(in: database)
      try database.changes.extend()
      try write(member)
      try outbox.moveCursor(to: database.changes.last())
    }
  }

  /// Ends the membership; items stay as they are.
  package func leave() throws {
    try database.transaction {
      try database.setMetadata(Self.key, to: nil)
      try outbox.removeCursor()
      guard try SystemTables.hub.exist(in: database) else { return }
      for table in SystemTables.hub.tables {
        try connection.run("DELETE FROM \(name: table.name)")
      }
    }
  }

  /// Gives this machine a new number, after its store was found to be a copy of another machine's
  /// or the hub was restored from a backup: messages sent under the old number now count as another
  /// machine's.
  ///
  /// Stamps already assigned stay; two equal ones are ordered by their values when merged.
  func becomeNewMachine(_ number: Int64) throws {
    try database.transaction {
      try outbox.renameMessages()
      try jobs.dropLeases()
      try update { ($0.machine, $0.turn, $0.turnName) = (number, 0, "") }
    }
  }

  /// Whether there are changes that the hub lacks.
  package func hasNews() throws -> Bool {
    if try outbox.unstagedCount() > 0 { return true }
    return try hasTables && (!outbox.isEmpty() || jobs.hasNews())
  }

  // MARK: Tables

  /// Whether the store has the tables of this release, which its first sync makes.
  var hasTables: Bool {
    get throws {
      try SystemTables.hub.exist(in: database) && SystemTables.hub.isCurrent(in: database)
    }
  }

  func makeTables() throws { try SystemTables.hub.make(in: database) }

  /// Runs `body` in one transaction whose log entries have the hub as their cause.
  func withHubCause<Result>(_ body: () throws -> Result) throws -> Result {
    let cause = database.session.cause
    database.session.cause = try membership()?.isSettled == false ? Self.joinCause : Self.cause
    defer { database.session.cause = cause }
    return try database.transaction(body)
  }
}
