/// Reads rows of CSV (RFC 4180), with any of the usual separators, piece by piece.
package struct CSVRowReader {
  /// A cell, and whether it stood in quotes.
  package struct Cell {
    package fileprivate(set) var text = ""
    package fileprivate(set) var isQuoted = false
  }

  /// What stands on a line, or on several.
  package enum Row {
    case cells([Cell], line: Int)
    /// A quote that is never closed; the row's first line was passed over.
    case unclosed(line: Int)
  }

  private var window: ByteWindow
  private var separator = UInt8(ascii: ",")

  /// How long a row may be, in bytes.
  private static let maxRowBytes = 8 << 20

  package init(_ window: ByteWindow) {
    self.window = window
  }

  /// Finds out what stands between the cells from the first line, which must be the names.
  package mutating func findSeparator() {
    var counts: [UInt8: Int] = [:]
    var offset = 0
    while offset < 64 << 10, let byte = window.byte(at: offset), byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\t") {
        counts[byte, default: 0] += 1
      }
      offset += 1
    }
    if let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
      separator = best.key
    }
  }

  /// The next row that is not blank; nil at the end.
  package mutating func next() -> Row? {
    while true {
      guard let first = window.byte() else { return nil }
      guard first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") else { break }
      window.skip(1)
    }
    let line = window.line
    var length = 0
    var isQuoted = false
    var isAtCellStart = true
    // First where the row ends, then its cells: a row is read again from the window only.
    scan: while true {
      guard length < Self.maxRowBytes, let byte = window.byte(at: length) else {
        if isQuoted || length >= Self.maxRowBytes {
          _ = window.skip(until: { $0 == UInt8(ascii: "\n") })
          return .unclosed(line: line)
        }
        break
      }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        if window.byte(at: length + 1) == UInt8(ascii: "\"") {
          length += 1
        } else {
          isQuoted = false
        }
      case _ where isQuoted: break
      case UInt8(ascii: "\"") where isAtCellStart:
        isQuoted = true
        isAtCellStart = false
      case separator: isAtCellStart = true
      case UInt8(ascii: "\n"): break scan
      case UInt8(ascii: " "): break
      default: isAtCellStart = false
      }
      length += 1
    }
    let row = cells(window.bytes[window.start..<window.start + length])
    window.skip(length)
    return .cells(row, line: line)
  }

  private func cells(_ bytes: ArraySlice<UInt8>) -> [Cell] {
    var row = bytes
    if row.last == UInt8(ascii: "\r") { row = row.dropLast() }
    var cells: [Cell] = []
    var index = row.startIndex
    while true {
      var start = index
      while start < row.endIndex, row[start] == 0x20 { start += 1 }
      if start < row.endIndex, row[start] == UInt8(ascii: "\"") {
        let (text, end) = quoted(row, from: start + 1)
        cells.append(Cell(text: text, isQuoted: true))
        index = end
      } else {
        let end = row[index...].firstIndex(of: separator) ?? row.endIndex
        cells.append(Cell(text: String(foreign: row[index..<end])))
        index = end
      }
      guard index < row.endIndex else { return cells }
      index += 1
    }
  }

  /// The text of a cell from behind its quote, and where its separator stands.
  private func quoted(_ row: ArraySlice<UInt8>, from start: Int) -> (String, Int) {
    var text: [UInt8] = []
    var index = start
    while index < row.endIndex {
      if row[index] == UInt8(ascii: "\"") {
        guard index + 1 < row.endIndex, row[index + 1] == UInt8(ascii: "\"") else { break }
        index += 1
      }
      text.append(row[index])
      index += 1
    }
    // What follows the closing quote belongs to the cell, too, for want of a better place.
    let end = row[min(index + 1, row.endIndex)...].firstIndex(of: separator) ?? row.endIndex
    text += row[min(index + 1, end)..<end]
    return (String(foreign: text), end)
  }
}
