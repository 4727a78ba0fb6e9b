import ForeignText

/// A table of another program with a header, read as a whole.
struct ForeignTable {
  private(set) var rows: [(line: Int, fields: ForeignFields)] = []
  /// The rows that cannot be read.
  private(set) var problems: [ImportRecord] = []

  init(_ window: ByteWindow) {
    var reader = CSVRowReader(window)
    reader.findSeparator()
    var names: [String]?
    while let row = reader.next() {
      switch row {
      case .unclosed(let line):
        problems.append(ImportRecord(number: line, content: .bad("a quote is never closed")))
      case .cells(let cells, let line):
        let texts = cells.map(\.text)
        guard let known = names else {
          names = texts.map { Self.key($0) }
          continue
        }
        if texts.count > known.count {
          problems.append(
            ImportRecord(
              number: line,
              content: .damage("the row has \(texts.count) cells for \(known.count) columns")))
        }
        rows.append((line, ForeignFields(texts, named: known)))
      }
    }
  }

  /// A name of a column as `fields` has it.
  static func key(_ name: String) -> String { name.trimmingBlanks.lowercased() }
}
