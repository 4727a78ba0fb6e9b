package import CEL

/// How far one thing that sets an automation off was seen.
package struct AutomationCursor: Hashable, Sendable {
  /// The automation and what sets it off.
  package let name: String
  /// The last entry of the log of changes that was looked at; below 0 where the log does not count.
  package var sequence: Int64
  /// The last time of day that counted, or the last time anything did.
  package var last: Timestamp?
  /// What else is to be remembered, as its owner writes it.
  package var state: String

  package init(name: String, sequence: Int64 = -1, last: Timestamp? = nil, state: String = "") {
    self.name = name
    self.sequence = sequence
    self.last = last
    self.state = state
  }
}

extension JobQueue {
  /// The cursors of all automations, by name.
  package func cursors() throws -> [String: AutomationCursor] {
    guard try isThere else { return [:] }
    var cursors: [String: AutomationCursor] = [:]
    try connection.rows("SELECT name, sequence, last, state FROM errand_cursors") { row in
      cursors[row.text(0)] = AutomationCursor(
        name: row.text(0), sequence: row.int(1),
        last: row.isNull(2) ? nil : Timestamp(microseconds: row.int(2)), state: row.text(3))
      return true
    }
    return cursors
  }

  /// Moves a cursor within the open transaction; false when another process moved it meanwhile.
  ///
  /// - Parameter old: where it was; nil where there was none.
  package func move(_ cursor: AutomationCursor, from old: AutomationCursor?) throws -> Bool {
    try database.transaction {
      try RecordTables.queue.make(in: database)
      let last = cursor.last.map { SQLValue.int($0.microseconds) } ?? .null
      guard let old else {
        try connection.run(
          """
          INSERT OR IGNORE INTO errand_cursors (name, sequence, last, state) VALUES \
          (\(.text(cursor.name)), \(.int(cursor.sequence)), \(last), \(.text(cursor.state)))
          """)
        return connection.changes == 1
      }
      try connection.run(
        """
        UPDATE errand_cursors SET sequence = \(.int(cursor.sequence)), last = \(last), \
        state = \(.text(cursor.state)) WHERE name = \(.text(old.name)) \
        AND sequence = \(.int(old.sequence)) AND state = \(.text(old.state)) \
        AND last IS \(old.last.map { SQLValue.int($0.microseconds) } ?? .null)
        """)
      return connection.changes == 1
    }
  }

  /// Forgets cursors of what is no more, which would keep the log from being made shorter.
  package func removeCursors(_ names: [String]) throws {
    guard !names.isEmpty else { return }
    try database.transaction {
      for name in names {
        try connection.run("DELETE FROM errand_cursors WHERE name = \(.text(name))")
      }
    }
  }

  /// The first entry of the log that a cursor has not passed; nil without cursors.
  func firstChangeForCursors() throws -> Int64? {
    guard try isThere,
      case .int(let sequence)? = try connection.first(
        "SELECT min(sequence) FROM errand_cursors WHERE sequence >= 0")
    else { return nil }
    return sequence + 1
  }

  /// The names of the automations that led to what the job of a run is, the first one first.
  package func chain(ofRun id: String) throws -> [String] {
    guard try isThere, let run = try database.runs.run(exactID: id),
      case .text(let chain)? = try connection.first(
        "SELECT chain FROM errand_jobs WHERE run = \(.int(run.number)) ORDER BY number DESC LIMIT 1"
      )
    else { return [] }
    return chain.split(separator: " ").map(String.init)
  }
}
