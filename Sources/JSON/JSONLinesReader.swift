package import CEL

/// Incremental parser for JSON Lines; an invalid line is reported and skipped.
package struct JSONLinesReader {
  /// A line that is not blank.
  package struct Line {
    /// Line number, counted from one.
    package let number: Int
    /// The parsed value, or its error.
    package let value: Result<Value, JSONError>
  }

  private let parser: JSONParser
  private let read: (UnsafeMutableRawBufferPointer) throws -> Int
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var number = 0
  private var isAtEnd = false

  /// Creates a reader of bytes.
  ///
  /// - Parameters:
  ///   - maxLineBytes: maximum length of a line; longer ones are skipped as errors, without being
  ///     buffered.
  ///   - read: fills a part of the buffer and returns the number of bytes, 0 at the end.
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

  /// Returns the next line that is not blank; nil at the end.
  ///
  /// - Throws: errors of `read`.
  package mutating func next() throws -> Line? {
    while let line = try nextLine() {
      guard var range = line else {
        let error = JSONError(.limit, "the line is longer than \(maxLineBytes) bytes")
        return Line(number: number, value: .failure(error))
      }
      // Skip a byte order mark.
      if number == 1, buffer[range].starts(with: [0xEF, 0xBB, 0xBF]) { range = range.dropFirst(3) }
      guard buffer[range].contains(where: { $0 > 0x20 }) else { continue }
      let value = buffer.withUnsafeBytes { bytes in
        Result { () throws(JSONError) in
          try parser.parse(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      }
      return Line(number: number, value: value)
    }
    return nil
  }

  /// Returns the next line in the buffer, `.some(nil)` for one that is too long; nil at the end.
  private mutating func nextLine() throws -> Range<Int>?? {
    var searched = start
    var isTooLong = false
    while true {
      let newline = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n"))
      if newline == nil, isAtEnd, start == end, !isTooLong { return nil }
      if newline != nil || isAtEnd {
        let line = start..<(newline ?? end)
        start = newline.map { $0 + 1 } ?? end
        number += 1
        return .some(isTooLong || line.count > maxLineBytes ? nil : line)
      }
      if end - start > maxLineBytes {
        isTooLong = true
        start = end
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

  /// Makes room at the end of the buffer, by moving unread bytes or by growing.
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
