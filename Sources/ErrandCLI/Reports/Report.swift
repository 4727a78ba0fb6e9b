import CEL
import Engine
import Source

/// A list of one kind of thing: columns of cells for a person, a value for each row for a program.
struct Report<Row> {
  /// The form in which a person and a pipe are given rows.
  enum Form {
    /// A table on a terminal, cells with tabs between them in a pipe.
    case table
    /// A table on a terminal, lines of one's own in a pipe: another program reads them as they are.
    case tableOrLines((Row) -> String)
    /// Cells with two spaces between them.
    case lines
  }

  /// The headings, each with what stands below it.
  var columns: KeyValuePairs<String, (Row) -> String>
  /// A row for another program.
  let value: (Row) -> Value
  /// What is said on a terminal where there are no rows.
  var empty: TerminalText?
  var form = Form.table
  /// Whether a last column that says nothing is left out of a table.
  var omitsEmptyColumn = false

  /// The cells of a row.
  func cells(_ row: Row) -> [String] { columns.map { $0.value(row) } }

  /// Writes rows as a call wants them.
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
