import Glibc
import Store

/// Looks for runs whose journals can't be followed: of which a line, a definition or a large value
/// is lost.
struct JournalCheck {
  private let connection: Connection
  /// The folder with the values that are too large for a line; nil where there is none.
  private let values: String?

  /// What is wrong with the journal of one run.
  struct Flaw: Hashable {
    let run: Int64
    let name: String
    /// Whether nothing more comes of the run, so that only looking at it suffers.
    let isOver: Bool
    /// What is lost, in words.
    let loss: String

    /// What is wrong, in a sentence.
    var message: String {
      isOver
        ? "the journal of run \(run) of `\(name)` has \(loss)"
        : "run \(run) of `\(name)` can't go on: its journal has \(loss)"
    }
  }

  init(_ connection: Connection, values: String?) {
    self.connection = connection
    self.values = values
  }

  /// A check of a store; nil where it has no runs.
  init?(of store: Database) throws {
    guard try store.connection.hasTable("errand_runs") else { return nil }
    var values: String?
    if case .file(let path) = store.location { values = Database.valueFolder(ofStore: path) }
    self.init(store.connection, values: values)
  }

  /// How many flaws are told at most.
  private static let limit = 50

  /// A line whose data is neither JSON nor the name of a file.
  private static let isUnreadable: SQL = """
    errand_journal.data <> '' AND substr(errand_journal.data, 1, 1) <> '#' \
    AND NOT json_valid(errand_journal.data)
    """

  static let isOver: SQL = "errand_runs.state IN ('done', 'failed', 'cancelled')"

  /// What may be lost of a run: the rows that tell of it, and the name of a file that must be there.
  private static let losses: [(rows: SQL, file: SQL, loss: String)] = [
    (
      "errand_runs JOIN errand_journal ON run = number WHERE \(isUnreadable)", "NULL",
      "a line that can't be read"
    ),
    (
      "errand_runs WHERE NOT \(isOver) AND durable AND NOT json_valid(call)", "NULL",
      "lost what it was asked with"
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

  /// What is wrong with the journals of all runs, one flaw of each at most.
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

  /// Ends the runs that can't go on, and empties the lines that can't be read.
  ///
  /// - Parameter lost: Runs of which lines are lost.
  /// - Returns: What is lost, a sentence each.
  func mend(losing lost: [Flaw], at time: Int64) throws -> [String] {
    var losses: [String] = []
    var found = lost
    // As many as are told at once; what is mended is not found again.
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
