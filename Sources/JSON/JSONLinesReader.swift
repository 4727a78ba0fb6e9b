package import CEL

/// Reads JSON Lines piece by piece: one value a line, bad lines reported and passed over.
package struct JSONLinesReader {
  /// One line that is not blank.
  package struct Line {
    /// The number of the line, counted from one.
    package let number: Int
    /// Its value, or what is wrong with it.
    package let value: Result<Value, JSONError>
  }

  private let parser: JSONParser
  private let read: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var number = 0
  private var isAtEnd = false

  /// A reader over a source of bytes.
  ///
  /// - Parameters:
  ///   - maxLineBytes: A longer line is bad; it is passed over without being held.
  ///   - read: Fills a part of the buffer and returns how many bytes it put there, 0 at the end.
  package init(
    parser: JSONParser = JSONParser(), maxLineBytes: Int = 4 << 20,
    read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.parser = parser
    self.read = read
    buffer = [UInt8](repeating: 0, count: max(1, min(maxLineBytes, 64 << 10)))
    self.maxLineBytes = max(1, maxLineBytes)
  }

  private let maxLineBytes: Int

  /// A reader over bytes at hand.
  package init(parser: JSONParser = JSONParser(), maxLineBytes: Int = 4 << 20, bytes: [UInt8]) {
    var rest = bytes[...]
    self.init(parser: parser, maxLineBytes: maxLineBytes) { target in
      let piece = rest.prefix(target.count)
      target.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  /// The next line that is not blank; nil at the end.
  ///
  /// - Throws: What the source of the bytes throws.
  package mutating func next() throws -> Line? {
    while let line = try nextLine() {
      switch line {
      case .tooLong:
        let error = JSONError(.limit, "the line is longer than \(maxLineBytes) bytes")
        return Line(number: number, value: .failure(error))
      case .bytes(let range):
        // The mark that some programs put before UTF-8 is no part of the text.
        let hasMark = number == 1 && buffer[range].starts(with: [0xEF, 0xBB, 0xBF])
        let range = hasMark ? range.dropFirst(3) : range
        guard buffer[range].contains(where: { $0 > 0x20 }) else { continue }
        let value = buffer.withUnsafeBytes { bytes in
          Result { () throws(JSONError) in
            try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[range]))
          }
        }
        return Line(number: number, value: value)
      }
    }
    return nil
  }

  private enum Found {
    case bytes(Range<Int>)
    case tooLong
  }

  private mutating func nextLine() throws -> Found? {
    var searched = start
    var isTooLong = false
    while true {
      if let newline = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = newline + 1 }
        number += 1
        return isTooLong || newline - start > maxLineBytes ? .tooLong : .bytes(start..<newline)
      }
      if end - start > maxLineBytes {
        isTooLong = true
        start = end
      }
      searched = end
      if isAtEnd {
        guard isTooLong || start < end else { return nil }
        defer { start = end }
        number += 1
        return isTooLong ? .tooLong : .bytes(start..<end)
      }
      makeRoom()
      searched = end
      let count = try buffer.withUnsafeMutableBytes { bytes in
        try read(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
      }
      end += min(max(count, 0), buffer.count - end)
      isAtEnd = count <= 0
    }
  }

  /// Makes room at the end of the buffer, by moving the bytes not yet used or by growing.
  private mutating func makeRoom() {
    if start > 0 {
      buffer.withUnsafeMutableBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        bytes.copyMemory(from: rest)
      }
      end -= start
      start = 0
    }
    if end == buffer.count {
      buffer.append(contentsOf: repeatElement(0, count: buffer.count))
    }
  }
}
