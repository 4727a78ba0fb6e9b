import CEL
package import Items
import Replication

/// The messages of this machine that the hub has not acknowledged, the position in the change log up
/// to which they were made, and the files whose bytes the hub lacks.
package struct Outbox {
  let database: Database
  var connection: Connection { database.connection }
  var items: ItemStore { database.items }
  var shared: SharedItems { SharedItems(database: database) }

  // MARK: Messages

  /// The kind of a message on the hub.
  package enum Kind: Int64, Sendable {
    /// A delta of an item.
    case item = 0
    /// Two items became one: the message's item lost, its text is the id of the winner.
    case merge = 1
    /// A job for a worker of another machine; not part of the log.
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

    package init(name: GlobalID, kind: Kind, entity: String, uid: GlobalID, text: String) {
      (self.name, self.kind, self.entity, self.uid, self.text) = (name, kind, entity, uid, text)
    }
  }

  /// Adds a message.
  ///
  /// - Parameter entity: The item's entity; for a job the name of its handler.
  func post(_ kind: Kind, _ text: String, of uid: GlobalID, entity: String) throws {
    let columns: [SQLValue] = [
      .blob(database.makeUID().bytes), .int(kind.rawValue), .text(entity), .blob(uid.bytes),
      .text(text),
    ]
    try connection.run(
      """
      INSERT INTO errand_hub_outbox (name, kind, entity, uid, delta) \
      VALUES (\(SQL.values(columns)))
      """)
  }

  func post(_ delta: ItemDelta, of uid: GlobalID) throws {
    try post(.item, DeltaCoder.text(of: delta), of: uid, entity: delta.entity)
  }

  func postMerge(of loser: GlobalID, into winner: GlobalID, entity: String) throws {
    try post(.merge, "\"\(winner.text)\"", of: loser, entity: entity)
  }

  /// The oldest messages and jobs, with the number of the last.
  func batch(limit: Int) throws -> (batch: HubBatch, last: Int64) {
    var last: Int64 = 0
    var batch = HubBatch()
    let now = database.context.world.now().microseconds
    try connection.each(
      """
      SELECT number, name, kind, entity, uid, delta FROM errand_hub_outbox \
      ORDER BY number LIMIT \(.int(Int64(clamping: limit)))
      """
    ) { row in
      last = row.int(0)
      guard let name = GlobalID(bytes: row.blob(1)), let kind = Kind(rawValue: row.int(2)),
        let uid = GlobalID(bytes: row.blob(4))
      else { return }
      batch.lastName = name
      if kind == .job {
        let job = HubJob(uid: uid, handler: row.text(3), text: row.text(5), now: now)
        if let job { batch.jobs.append(job) }
      } else {
        batch.messages.append(
          Message(name: name, kind: kind, entity: row.text(3), uid: uid, text: row.text(5)))
      }
    }
    return (batch, last)
  }

  /// The number of a message; nil if it is missing.
  func number(of name: GlobalID) throws -> Int64? {
    try connection.number(
      "SELECT number FROM errand_hub_outbox WHERE name = \(.blob(name.bytes))")
  }

  /// Whether there are jobs.
  func hasJobs() throws -> Bool {
    try connection.exists(
      "SELECT 1 FROM errand_hub_outbox WHERE kind = \(.int(Kind.job.rawValue)) LIMIT 1")
  }

  func isEmpty() throws -> Bool {
    try !connection.exists("SELECT 1 FROM errand_hub_outbox LIMIT 1")
  }

  /// The number of messages and of log entries that were not staged.
  package func unsentCount() throws -> Int {
    guard try SystemTables.hub.exist(in: database) else { return 0 }
    let messages = try connection.number("SELECT count(*) FROM errand_hub_outbox") ?? 0
    return Int(messages) + (try unstagedCount())
  }

  /// The number of log entries that were not staged.
  func unstagedCount() throws -> Int {
    Int(
      try connection.number(
        """
        SELECT count(*) FROM errand_changes WHERE sequence > \(.int(cursor())) \
        AND cause NOT IN (\(.text(HubStore.cause)), \(.text(HubStore.joinCause))) AND kind <> 5
        """) ?? 0)
  }

  /// Removes the messages up to a number.
  func remove(upTo last: Int64) throws {
    try connection.run("DELETE FROM errand_hub_outbox WHERE number <= \(.int(last))")
  }

  /// Removes the deltas of an item.
  func removeDeltas(of uid: GlobalID) throws {
    try connection.run(
      "DELETE FROM errand_hub_outbox WHERE kind = 0 AND uid = \(.blob(uid.bytes))")
  }

  /// Gives all messages new names.
  func renameMessages() throws {
    try connection.run("UPDATE errand_hub_outbox SET name = randomblob(16)")
  }

  /// The items with deltas that a hub whose latest possible stamp is `latest` refuses.
  func itemsWithImpossibleDeltas(upTo latest: Int64) throws -> [GlobalID] {
    try connection.map("SELECT entity, uid, delta FROM errand_hub_outbox WHERE kind = 0") { row in
      let isFit = (try? DeltaCoder.delta(row.text(0), row.text(2), upTo: latest)) != nil
      return isFit ? nil : GlobalID(bytes: row.blob(1))
    }.compactMap { $0 }
  }

  // MARK: The cursor

  /// The name of the cursor on the change log.
  private static let cursor = "hub"

  /// The last log entry that was staged.
  func cursor() throws -> Int64 {
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

  func removeCursor() throws {
    try connection.run("DELETE FROM errand_cursors WHERE name = \(.text(Self.cursor))")
  }

  // MARK: Files

  /// The hashes of files here that were not offered to the hub since the machine joined.
  package func unsentFiles(limit: Int) throws -> [String] {
    if try !database.hub.hasTables { try database.transaction { try database.hub.makeTables() } }
    let known = Set(try connection.texts("SELECT hash FROM errand_hub_files"))
    return Array(try fileHashes().lazy.filter { !known.contains($0) }.prefix(limit))
  }

  /// The hashes of all files.
  package func fileHashes() throws -> [String] {
    guard let table = try shared.table(ItemStore.keptFileEntity), !table.isAbsent,
      table.layout.index(of: "hash") != nil
    else { return [] }
    return try connection.texts("SELECT hash FROM \(name: table.name) WHERE hash IS NOT NULL")
  }

  /// Records that the bytes of a file are on the hub, or too large for it.
  package func markSent(_ hash: String) throws {
    try connection.run("INSERT OR IGNORE INTO errand_hub_files (hash) VALUES (\(.text(hash)))")
  }

  /// Marks all files as unsent, after the hub was restored from a backup.
  func markFilesUnsent() throws {
    if try database.hub.hasTables { try connection.run("DELETE FROM errand_hub_files") }
  }
}
