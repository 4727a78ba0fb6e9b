import CEL
import Engine
import Source

/// A list of records: columns for a person, values for programs.
struct Report<Row> {
  /// Layout for terminals and pipes.
  enum Form {
    /// A table on a terminal, tab-separated cells in a pipe.
    case table
    /// A table on a terminal, custom lines in a pipe.
    case tableOrLines((Row) -> String)
    /// Cells separated by two spaces.
    case lines
  }

  /// Headings with their cells.
  var columns: KeyValuePairs<String, (Row) -> String>
  /// Returns a record as a value for programs.
  let value: (Row) -> Value
  /// Message shown on a terminal if there are no rows.
  var empty: TerminalText?
  var form = Form.table
  /// Whether to omit an empty last column of a table.
  var omitsEmptyColumn = false

  /// Returns the cells of a row.
  func cells(_ row: Row) -> [String] { columns.map { $0.value(row) } }

  /// Writes rows in the output mode of a call.
  func write(_ rows: [Row], to invocation: Invocation) throws {
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(rows.map(value)))
    }
    let console = invocation.console
    if rows.isEmpty, console.stdoutIsTerminal, let empty { return invocation.say(empty) }
    switch form {
    case .table, .tableOrLines:
      if console.stdoutIsTerminal { return show(rows.map(cells), to: invocation) }
    case .lines: break
    }
    for row in rows {
      switch form {
      case .table: console.out(line(row, separator: "\t"))
      case .lines: console.out(line(row, separator: "  "))
      case .tableOrLines(let line): console.result(line(row) + "\n")
      }
    }
  }

  private func line(_ row: Row, separator: TerminalText) -> TerminalText {
    cells(row).map { "\($0)" as TerminalText }.joined(separator: separator) + "\n"
  }

  private func show(_ rows: [[String]], to invocation: Invocation) {
    var titles = columns.map(\.key)
    if omitsEmptyColumn, rows.allSatisfy({ $0.last?.isEmpty ?? true }) { titles.removeLast() }
    let shown = rows.map { Array($0.prefix(titles.count)) }
    invocation.front.show(Presentation(.table(columns: titles, rows: shown), value: .null))
  }
}
