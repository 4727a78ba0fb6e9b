import CEL
import ForeignText
import JSON

/// Reads tables with a header: our own, and those of Pocket, Instapaper, Raindrop, Readwise, Omnivore and others, whose
/// columns are recognized by name.
struct CSVRecords: RecordReader {
  private var rows: CSVRowReader
  private let folderTags: FolderTags
  private var columns: [String] = []
  private var fields: [BookmarkField?] = []
  /// Whether a column is passed over on purpose.
  private var passedOver: [Bool] = []
  /// Whether it is our own export: the first column is `entity`.
  private var isOurs = false
  private var state = State.beforeNames
  private(set) var leftovers = Leftovers()

  /// The state of reading.
  private enum State {
    case beforeNames, rows, end
  }

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    rows = CSVRowReader(window)
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    if state == .beforeNames, let problem = readNames() { return problem }
    guard state == .rows, let row = rows.next() else { return nil }
    switch row {
    case .unclosed(let line):
      return ImportRecord(number: line, content: .bad("a quote is never closed"))
    case .cells(let cells, let line):
      if cells.count == 1, cells[0].text.trimmingBlanks.isEmpty { return next() }
      return isOurs ? item(cells, line) : bookmark(cells, line)
    }
  }

  private mutating func readNames() -> ImportRecord? {
    rows.findSeparator()
    guard case .cells(let cells, let line)? = rows.next() else {
      state = .end
      return nil
    }
    columns = cells.map { $0.text.trimmingBlanks }
    fields = columns.map { BookmarkField($0) }
    passedOver = columns.map { PassedOver.fields.contains($0.lowercased()) }
    isOurs = columns.first == "entity"
    guard isOurs || fields.contains(.url) || fields.contains(.originalURL) else {
      state = .end
      return ImportRecord(
        number: line,
        content: .damage(
          "no column has addresses; one must be named `url`. Other tables are read by a shortcut with "
            + "`read-file: {path: …, parse: csv}`"))
    }
    state = .rows
    return nil
  }

  private mutating func bookmark(_ cells: [CSVRowReader.Cell], _ line: Int) -> ImportRecord {
    var bookmark = Bookmark(number: line)
    bookmark.isOfPocket = fields.contains(.pocketURL)
    for (index, cell) in cells.enumerated() where !cell.text.isEmpty {
      let text = cell.text.trimmingBlanks
      guard index < fields.count else {
        leftovers.note(.column("\(index + 1)"), line: line)
        continue
      }
      guard let field = fields[index] else {
        let isPassedOver = passedOver[index]
        if !isPassedOver, !text.isEmpty { leftovers.note(.column(columns[index]), line: line) }
        continue
      }
      if !bookmark.take(text, as: field) {
        leftovers.note(field.leftover(text, in: columns[index]), line: line)
      }
    }
    if cells.count != columns.count {
      bookmark.losses.append(
        "the row has \(cells.count) \(cells.count == 1 ? "cell" : "cells") for "
          + "\(columns.count) columns")
    }
    return bookmark.record(folderTags)
  }

  /// Reads a row of our own export; cells other than strings are JSON.
  private func item(_ cells: [CSVRowReader.Cell], _ line: Int) -> ImportRecord {
    guard cells.count == columns.count else {
      return ImportRecord(
        number: line,
        content: .bad("the row has \(cells.count) cells for \(columns.count) columns"))
    }
    var fields = MapValue()
    for (cell, column) in zip(cells, columns) where cell.isQuoted || !cell.text.isEmpty {
      fields[column] = CSVCell.value(of: cell.text)
    }
    return ImportRecord(number: line, content: .item(.map(fields)))
  }
}
