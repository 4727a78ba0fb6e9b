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

  /// How many flaws are told at most.
  private static let limit = 50

  /// A line whose data is neither JSON nor the name of a file.
  private static let isUnreadable: SQL = """
    errand_journal.data <> '' AND substr(errand_journal.data, 1, 1) <> '#' \
    AND NOT json_valid(errand_journal.data)
    """

  private static let isOver: SQL = "errand_runs.state IN ('done', 'failed', 'cancelled')"

  /// What is wrong with the journals of all runs.
  func flaws() throws -> [Flaw] { try flaws(where: "1") }

  /// What is wrong with the journal of one run.
  func flaws(ofRun run: Int64) throws -> [Flaw] { try flaws(where: "number = \(.int(run))") }

  private func flaws(where condition: SQL) throws -> [Flaw] {
    var flaws: [Flaw] = []
    func collect(_ query: SQL, _ loss: String) throws {
      try connection.rows(query) { row in
        let flaw = Flaw(
          run: row.int(0), name: row.text(1), isOver: row.int(2) == 1, loss: loss)
        if !flaws.contains(where: { $0.run == flaw.run }) { flaws.append(flaw) }
        return flaws.count < Self.limit
      }
    }
    let columns: SQL = "number, errand_runs.name, \(Self.isOver)"
    try collect(
      """
      SELECT DISTINCT \(columns) FROM errand_runs JOIN errand_journal ON run = number \
      WHERE \(condition) AND \(Self.isUnreadable) ORDER BY number
      """, "a line that can't be read")
    try collect(
      """
      SELECT \(columns) FROM errand_runs WHERE \(condition) AND NOT \(Self.isOver) AND durable \
      AND NOT json_valid(call) ORDER BY number
      """, "lost what it was asked with")
    try collect(
      """
      SELECT DISTINCT \(columns) FROM errand_runs, json_each(errand_runs.definitions) \
      WHERE \(condition) AND NOT \(Self.isOver) AND durable \
      AND value NOT IN (SELECT hash FROM errand_contents) ORDER BY number
      """, "lost a definition")
    for flaw in try lostValues(condition) where !flaws.contains(where: { $0.run == flaw.run }) {
      flaws.append(flaw)
    }
    return flaws
  }

  /// Runs that may go on, of which a file with a large value is gone.
  private func lostValues(_ condition: SQL) throws -> [Flaw] {
    guard let values else { return [] }
    var flaws: [Flaw] = []
    try connection.rows(
      """
      SELECT number, errand_runs.name, substr(data, 2) FROM errand_runs \
      JOIN errand_journal ON run = number WHERE \(condition) AND NOT \(Self.isOver) \
      AND durable AND substr(data, 1, 1) = '#' ORDER BY number
      """
    ) { row in
      let run = row.int(0)
      if flaws.last?.run != run, access("\(values)/\(row.text(2))", R_OK) != 0 {
        flaws.append(
          Flaw(
            run: run, name: row.text(1), isOver: false,
            loss: "lost a value, the file \(values)/\(row.text(2))"))
      }
      return flaws.count < Self.limit
    }
    return flaws
  }

  /// Ends the runs that can't go on, and empties the lines that can't be read.
  ///
  /// - Returns: What is lost, a sentence each.
  func mend(at time: Int64) throws -> [String] {
    var losses: [String] = []
    // As many as are told at once; what is mended is not found again.
    while case let flaws = try flaws(), !flaws.isEmpty {
      for flaw in flaws {
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
    }
    return losses
  }
}
