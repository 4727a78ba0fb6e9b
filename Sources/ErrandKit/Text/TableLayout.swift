package import Source

/// Lays out rows of cells in columns that fit the width.
package struct TableLayout {
  /// The style of column names.
  private let style: Style
  /// The display width; nil for unlimited lines.
  private let width: Int?

  /// The column width below which each cell gets its own line.
  private static let leastColumnWidth = 10
  /// The maximum number of lines of a table cell.
  private static let mostLines = 4

  /// - Parameter width: The display width; nil for unlimited lines.
  package init(style: Style, width: Int?) {
    self.style = style
    self.width = width
  }

  /// The lines of a table; none without rows.
  package func lines(columns: [String], rows: [[String]]) -> [TerminalText] {
    guard !rows.isEmpty else { return [] }
    let columns = columns.map { $0.harmless() }
    let rows = rows.map { row in
      columns.indices.map { $0 < row.count ? row[$0].harmless() : "" }
    }
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].displayWidth) { max($0, $1[index].displayWidth) }
    }
    guard let widths = fitted(natural) else { return records(columns, rows) }
    let areNumbers = columns.indices.map { index in
      rows.contains { !$0[index].isEmpty }
        && rows.allSatisfy { $0[index].isEmpty || Self.isNumber($0[index]) }
    }
    return line(columns, widths, areNumbers, style: style.bold)
      + rows.flatMap { line($0, widths, areNumbers) { $0 } }
  }

  /// The lines of one row; cells that are too wide are wrapped.
  private func line(
    _ cells: [String], _ widths: [Int], _ areNumbers: [Bool],
    style: (TerminalText) -> TerminalText
  ) -> [TerminalText] {
    let cells = cells.indices.map { Self.lines(of: cells[$0], width: widths[$0]) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { number in
      let parts = cells.map { number < $0.count ? $0[number] : "" }
      // Avoid trailing spaces after the last non-empty cell.
      let last = parts.lastIndex { !$0.allSatisfy { $0 == " " } } ?? 0
      var line: TerminalText = ""
      for (index, part) in parts.prefix(last + 1).enumerated() {
        var text = part
        if areNumbers[index] {
          text = String(repeating: " ", count: max(0, widths[index] - part.displayWidth)) + part
        } else if index < last {
          text = part.padded(to: widths[index])
        } else {
          while text.last == " " { text.removeLast() }
        }
        line += style("\(text)")
        if index < last { line += "  " }
      }
      return line
    }
  }

  /// The lines of a cell, wrapped between words and truncated.
  private static func lines(of cell: String, width: Int) -> [String] {
    let lines = cell.wrapped(to: width)
    if lines.count <= mostLines { return lines.map { $0.shortened(to: width) } }
    let rest = lines[(mostLines - 1)...].joined(separator: " ")
    return lines[..<(mostLines - 1)].map { $0.shortened(to: width) } + [rest.cut(to: width)]
  }

  /// Whether a cell is a number with an optional unit, such as `3`, `-1.5`, `25 %` and `12 ms`.
  private static func isNumber(_ cell: String) -> Bool {
    let digits = cell.drop { $0 == "-" || $0 == "+" }
    guard cell.count - digits.count <= 1, digits.first?.isNumber == true else { return false }
    let rest = digits.drop { $0.isNumber || ".,".contains($0) }
    return ["", " %", "%", " ms", " s", " kB", " MB", " GB", " €", " $"].contains(rest)
  }

  /// The column widths, with the widest reduced until all fit; nil if that is impossible.
  private func fitted(_ natural: [Int]) -> [Int]? {
    guard let width else { return natural }
    let room = width - 2 * (natural.count - 1)
    if natural.reduce(0, +) <= room { return natural }
    // Find the largest column width under which all columns fit.
    var cap = natural.max() ?? 0
    while cap >= Self.leastColumnWidth, natural.reduce(0, { $0 + min($1, cap) }) > room { cap -= 1 }
    guard cap >= Self.leastColumnWidth else { return nil }
    var widths = natural.map { min($0, cap) }
    // Distribute the rounding remainder from the left.
    var rest = room - widths.reduce(0, +)
    for index in widths.indices where rest > 0 && widths[index] < natural[index] {
      widths[index] += 1
      rest -= 1
    }
    return widths
  }

  /// One line per cell with its column name, if there is no room for a table.
  private func records(_ columns: [String], _ rows: [[String]]) -> [TerminalText] {
    let nameWidth = min(columns.map(\.displayWidth).max() ?? 0, (width ?? 80) / 2)
    let room = max(8, (width ?? 80) - nameWidth - 2)
    var lines: [TerminalText] = []
    for row in rows {
      if !lines.isEmpty { lines.append("") }
      for (name, cell) in zip(columns, row) where !cell.isEmpty {
        let name = style.dim("\(name.cut(to: nameWidth).padded(to: nameWidth))")
        for (number, part) in Self.lines(of: cell, width: room).enumerated() {
          let lead = number == 0 ? name : "\(String(repeating: " ", count: nameWidth))"
          lines.append(lead + "  \(part)")
        }
      }
    }
    return lines
  }
}
