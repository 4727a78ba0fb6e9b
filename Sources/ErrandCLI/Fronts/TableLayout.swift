import Source

/// Lays out rows of cells in columns that fit the width.
struct TableLayout {
  /// How names of columns are set off.
  let style: Style
  /// How many columns of text there are; nil when lines may be of any length.
  let width: Int?

  /// How narrow a column may become before rows are written one cell a line.
  private static let leastColumnWidth = 8

  /// The lines of a table.
  func lines(columns: [String], rows: [[String]]) -> [TerminalText] {
    let columns = columns.map { $0.harmless() }
    let rows = rows.map { row in
      columns.indices.map { $0 < row.count ? row[$0].harmless() : "" }
    }
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].displayWidth) { max($0, $1[index].displayWidth) }
    }
    guard let widths = fitted(natural) else { return records(columns, rows) }
    func line(_ cells: [String], _ style: (TerminalText) -> TerminalText) -> TerminalText {
      // Nothing but spaces may follow the last cell that says something.
      let last = cells.lastIndex { !$0.allSatisfy { $0 == " " } } ?? 0
      var line: TerminalText = ""
      for (index, cell) in cells.prefix(last + 1).enumerated() {
        var text = cell.shortened(to: widths[index])
        if index < last {
          text = text.padded(to: widths[index])
        } else {
          while text.last == " " { text.removeLast() }
        }
        line += style("\(text)")
        if index < last { line += "  " }
      }
      return line
    }
    return [line(columns, style.bold)] + rows.map { line($0) { $0 } }
  }

  /// The widths of the columns, the widest cut down until all fit; nil when they can't.
  private func fitted(_ natural: [Int]) -> [Int]? {
    guard let width else { return natural }
    let room = width - 2 * (natural.count - 1)
    if natural.reduce(0, +) <= room { return natural }
    // The largest cap on the width of a column under which all of them fit.
    var cap = natural.max() ?? 0
    while cap >= Self.leastColumnWidth, natural.reduce(0, { $0 + min($1, cap) }) > room { cap -= 1 }
    guard cap >= Self.leastColumnWidth else { return nil }
    var widths = natural.map { min($0, cap) }
    // What rounding left goes to the first columns that want more.
    var rest = room - widths.reduce(0, +)
    for index in widths.indices where rest > 0 && widths[index] < natural[index] {
      widths[index] += 1
      rest -= 1
    }
    return widths
  }

  /// One cell a line, with its column's name, where there is no room for a table.
  private func records(_ columns: [String], _ rows: [[String]]) -> [TerminalText] {
    let nameWidth = min(columns.map(\.displayWidth).max() ?? 0, (width ?? 80) / 2)
    let room = max(8, (width ?? 80) - nameWidth - 2)
    var lines: [TerminalText] = []
    for row in rows {
      if !lines.isEmpty { lines.append("") }
      for (name, cell) in zip(columns, row) where !cell.isEmpty {
        let name = style.dim("\(name.cut(to: nameWidth).padded(to: nameWidth))")
        lines.append(name + "  \(cell.shortened(to: room))")
      }
    }
    return lines
  }
}
