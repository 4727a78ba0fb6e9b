/// The text of a document, updated by the client's edits.
package struct TextDocument: Sendable {
  /// The text as UTF-8.
  package private(set) var bytes: [UInt8]
  /// The client's version number.
  package var version: Int
  /// The offsets at which lines begin; a line ends with `\n`, `\r\n` or `\r`.
  private var lineStarts: [Int]

  package init(_ text: String, version: Int = 0) {
    bytes = Array(text.utf8)
    self.version = version
    lineStarts = Self.lineStarts(of: bytes)
  }

  /// The text as a string.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The number of lines.
  package var lineCount: Int { lineStarts.count }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        guard byte == 0x0A || byte == 0x0D else { continue }
        if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
        starts.append(index + 1)
      }
    }
    return starts
  }

  /// Replaces a range; its ends may be in either order.
  ///
  /// - Complexity: O(bytes).
  package mutating func replace(
    from start: TextPosition, to end: TextPosition, with text: String, _ encoding: PositionEncoding
  ) {
    let (first, second) = (offset(of: start, encoding), offset(of: end, encoding))
    bytes.replaceSubrange(min(first, second)..<max(first, second), with: text.utf8)
    lineStarts = Self.lineStarts(of: bytes)
  }

  /// The bytes of a line, counted from zero, without its end.
  package func line(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number) else { return bytes.count..<bytes.count }
    let start = lineStarts[number]
    var end = number + 1 < lineStarts.count ? lineStarts[number + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The byte offset of a position, clamped to its line and to the start of a character.
  ///
  /// - Complexity: O(bytes of the line).
  package func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    let line = line(position.line)
    var offset = line.lowerBound
    var left = position.character
    while offset < line.upperBound {
      let units = encoding.units(ofScalarFrom: bytes[offset])
      guard left >= units else { break }
      left -= units
      offset += PositionEncoding.length(ofScalarFrom: bytes[offset])
    }
    return min(offset, line.upperBound)
  }

  /// The position of a byte offset.
  ///
  /// - Complexity: O(log lines + bytes of the line).
  package func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    var character = 0
    var index = lineStarts[low]
    while index < offset {
      character += encoding.units(ofScalarFrom: bytes[index])
      index += PositionEncoding.length(ofScalarFrom: bytes[index])
    }
    return TextPosition(line: low, character: character)
  }
}
