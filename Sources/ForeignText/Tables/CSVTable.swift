/// Parses and formats CSV tables (RFC 4180).
package enum CSVTable {
  /// A syntax error and its line.
  package struct Failure: Error {
    package let line: Int
    package let message: String
  }

  /// A row and the line at which it begins.
  package struct Row {
    package let cells: [String]
    package let line: Int
  }

  /// The delimiter of a table by its first line: `;` or a tab if that has no comma outside of quotes.
  package static func delimiter(of text: String) -> UInt8 {
    var isQuoted = false
    var found: UInt8?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: ","), 0x0A: return byte == 0x0A ? found ?? UInt8(ascii: ",") : byte
      case UInt8(ascii: ";"), 0x09: found = found ?? byte
      default: break
      }
    }
    return found ?? UInt8(ascii: ",")
  }

  /// Parses the rows of a text.
  ///
  /// - Throws: `Failure` for an unclosed quote.
  /// - Complexity: O(bytes).
  package static func rows(
    of text: String, delimiter: UInt8 = UInt8(ascii: ",")
  ) throws(Failure) -> [Row] {
    let quote = UInt8(ascii: "\"")
    var rows: [Row] = []
    var start = 1
    var row: [String] = []
    var cell: [UInt8] = []
    var line = 1
    var quotedFrom: Int?
    var wasQuoted = false
    let bytes = Array(text.utf8)
    var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    func endCell() {
      row.append(String(decoding: cell, as: UTF8.self))
      cell.removeAll(keepingCapacity: true)
      wasQuoted = false
    }
    func endRow() {
      // Skip empty lines.
      defer { start = line }
      if row.isEmpty, cell.isEmpty, !wasQuoted { return }
      endCell()
      rows.append(Row(cells: row, line: start))
      row = []
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A { line += 1 }
      if quotedFrom != nil {
        if byte != quote {
          cell.append(byte)
        } else if index + 1 < bytes.count, bytes[index + 1] == quote {
          cell.append(quote)
          index += 1
        } else {
          quotedFrom = nil
        }
      } else if byte == quote, cell.isEmpty, !wasQuoted {
        quotedFrom = line
        wasQuoted = true
      } else if byte == delimiter {
        endCell()
      } else if byte == 0x0A {
        endRow()
      } else if byte != 0x0D || index + 1 < bytes.count && bytes[index + 1] != 0x0A {
        cell.append(byte)
      }
      index += 1
    }
    if let quotedFrom {
      throw Failure(
        line: quotedFrom, message: "the quote that begins in line \(quotedFrom) is never closed")
    }
    endRow()
    return rows
  }

  /// Formats a row without a line ending.
  package static func line(_ cells: [String], delimiter: Character = ",") -> String {
    cells.map { cell in
      let needsQuotes =
        cell.contains(delimiter)
        || cell.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
      return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }.joined(separator: String(delimiter))
  }
}
