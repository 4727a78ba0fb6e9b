/// Reads rows of CSV (RFC 4180) with any common separator from a stream.
package struct CSVRowReader {
  /// A cell and whether it was quoted.
  package struct Cell {
    package fileprivate(set) var text = ""
    package fileprivate(set) var isQuoted = false
  }

  /// A row, which may span several lines.
  package enum Row {
    case cells([Cell], line: Int)
    /// A quote is never closed; only the first line of the row was skipped.
    case unclosed(line: Int)
  }

  private var window: ByteWindow
  private var separator = UInt8(ascii: ",")

  /// Maximum length of a row in bytes.
  private static let maxRowBytes = 8 << 20

  package init(_ window: ByteWindow) {
    self.window = window
  }

  /// Detects the separator from the first line, the header.
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

  /// Returns the next row that is not blank; nil at the end.
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
    // Find the end of the row first, then its cells, since a row is only rescanned within the window.
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

  /// Returns the text of a quoted cell and the index of its separator.
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
    // Text after the closing quote is appended to the cell.
    let end = row[min(index + 1, row.endIndex)...].firstIndex(of: separator) ?? row.endIndex
    text += row[min(index + 1, end)..<end]
    return (String(foreign: text), end)
  }
}
