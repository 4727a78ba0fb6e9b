import Glibc
import Store

/// Finds runs with an incomplete journal: a lost line, definition or large value.
struct JournalCheck {
  private let connection: Connection
  /// The folder of values that are too large for a line; nil when there is none.
  private let values: String?

  /// A flaw in the journal of one run.
  struct Flaw: Hashable {
    let run: Int64
    let name: String
    /// Whether the run has ended, so that only its history is incomplete.
    let isOver: Bool
    /// The loss, in words.
    let loss: String

    /// The problem, as a sentence.
    var message: String {
      isOver
        ? "the journal of run \(run) of `\(name)` has \(loss)"
        : "run \(run) of `\(name)` cannot continue: its journal has \(loss)"
    }
  }

  init(_ connection: Connection, values: String?) {
    self.connection = connection
    self.values = values
  }

  /// A check of a store; nil when it has no runs.
  init?(of store: Database) throws {
    guard try store.connection.hasTable("errand_runs") else { return nil }
    var values: String?
    if case .file(let path) = store.location { values = Database.valueFolder(ofStore: path) }
    self.init(store.connection, values: values)
  }

  /// The maximum number of flaws reported.
  private static let limit = 50

  /// A line whose data is neither JSON nor the name of a file.
  private static let isUnreadable: SQL = """
    errand_journal.data <> '' AND substr(errand_journal.data, 1, 1) <> '#' \
    AND NOT json_valid(errand_journal.data)
    """

  static let isOver: SQL = "errand_runs.state IN ('done', 'failed', 'cancelled')"

  /// The possible losses: the affected rows, and the name of a file that must exist.
  private static let losses: [(rows: SQL, file: SQL, loss: String)] = [
    (
      "errand_runs JOIN errand_journal ON run = number WHERE \(isUnreadable)", "NULL",
      "an unreadable line"
    ),
    (
      "errand_runs WHERE NOT \(isOver) AND durable AND NOT json_valid(call)", "NULL",
      "lost its call"
    ),
    (
      """
      errand_runs, json_each(errand_runs.definitions) WHERE NOT \(isOver) AND durable \
      AND value NOT IN (SELECT hash FROM errand_contents)
      """, "NULL", "lost a definition"
    ),
    (
      """
      errand_runs JOIN errand_journal ON run = number WHERE NOT \(isOver) AND durable \
      AND substr(data, 1, 1) = '#'
      """, "substr(data, 2)", "lost a value, the file "
    ),
  ]

  /// The flaws in all journals, at most one per run.
  func flaws() throws -> [Flaw] {
    var flaws: [Flaw] = []
    for (rows, file, loss) in Self.losses {
      try connection.rows(
        """
        SELECT DISTINCT number, errand_runs.name, \(Self.isOver), \(file) FROM \(rows) \
        ORDER BY number
        """
      ) { row in
        let run = row.int(0)
        if flaws.contains(where: { $0.run == run }) { return true }
        let path = row.isNull(3) ? nil : "\(values ?? "")/\(row.text(3))"
        if let path, values == nil || access(path, R_OK) == 0 { return true }
        flaws.append(
          Flaw(run: run, name: row.text(1), isOver: row.int(2) == 1, loss: loss + (path ?? "")))
        return flaws.count < Self.limit
      }
    }
    return flaws
  }

  /// Ends the runs that cannot continue, and clears unreadable lines.
  ///
  /// - Parameter lost: Runs that lost lines.
  /// - Returns: The losses, a sentence each.
  func repair(losing lost: [Flaw], at time: Int64) throws -> [String] {
    var losses: [String] = []
    var found = lost
    // Repeats while the report is truncated; repaired runs are not found again.
    repeat {
      for flaw in found {
        let isThisRun: SQL = "run = \(.int(flaw.run))"
        try connection.run(
          "UPDATE errand_journal SET data = '' WHERE \(isThisRun) AND \(Self.isUnreadable)")
        guard !flaw.isOver else { continue }
        losses.append("run \(flaw.run) of `\(flaw.name)` was ended: its journal has \(flaw.loss)")
        try connection.run(
          """
          UPDATE errand_runs SET state = 'cancelled', ended = \(.int(time)) \
          WHERE number = \(.int(flaw.run))
          """)
        try connection.run("DELETE FROM errand_leases WHERE \(isThisRun)")
      }
      found = try flaws()
    } while !found.isEmpty
    return losses
  }
}
