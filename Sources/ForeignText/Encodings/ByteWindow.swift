/// A sliding window on a stream of bytes.
///
/// UTF-16 is converted to UTF-8, and a byte order mark is skipped.
package struct ByteWindow {
  /// The buffered bytes; those from `start` are unread.
  package private(set) var bytes: [UInt8] = []
  /// The index of the first unread byte.
  package private(set) var start = 0
  /// The line number at `start`, from one.
  package private(set) var line = 1
  private var source: UTF16Source?
  private var isFirst = true

  /// Number of bytes read at once.
  private static let pieceSize = 64 << 10

  /// Creates a window on a stream; `read` fills a buffer and returns the number of bytes, 0 at the end.
  package init(read: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    source = UTF16Source(read: read)
  }

  /// Creates a window on UTF-8 bytes in memory.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The number of unread bytes in the buffer.
  package var count: Int { bytes.count - start }

  /// Reads until `wanted` bytes are buffered or the stream ends; returns whether they are.
  package mutating func ensure(_ wanted: Int) -> Bool {
    while count < wanted {
      if source == nil { return false }
      readMore()
    }
    return true
  }

  /// Reads another piece; false at the end.
  package mutating func grow() -> Bool { ensure(count + 1) }

  private mutating func readMore() {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    let before = bytes.count
    if source?.append(to: &bytes, atMost: Self.pieceSize) != true { source = nil }
    // Windows programs write a byte order mark before UTF-8.
    if isFirst, bytes.count - start >= 3 || source == nil {
      isFirst = false
      if bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    }
    if bytes.count == before, source != nil { readMore() }
  }

  /// Returns the byte at an offset from the first unread one; nil past the end.
  package mutating func byte(at offset: Int = 0) -> UInt8? {
    if offset < count { return bytes[start + offset] }
    return ensure(offset + 1) ? bytes[start + offset] : nil
  }

  /// Skips buffered bytes and counts their lines.
  package mutating func skip(_ number: Int) {
    for index in start..<start + number where bytes[index] == UInt8(ascii: "\n") { line += 1 }
    start += number
  }

  /// Skips bytes up to one that satisfies `isEnd`; returns whether there is one.
  ///
  /// - Parameter collect: Receives the skipped bytes, piece by piece.
  package mutating func skip(
    until isEnd: (UInt8) -> Bool, collect: ((ArraySlice<UInt8>) -> Void)? = nil
  ) -> Bool {
    while true {
      if let index = bytes[start...].firstIndex(where: isEnd) {
        collect?(bytes[start..<index])
        skip(index - start)
        return true
      }
      collect?(bytes[start...])
      skip(count)
      if !grow() { return false }
    }
  }

  /// Skips bytes up to and including a text; returns whether it occurs.
  ///
  /// - Parameter collect: Receives the bytes before it, piece by piece.
  package mutating func skip(
    past mark: StaticString, collect: ((ArraySlice<UInt8>) -> Void)? = nil
  ) -> Bool {
    let first = mark.utf8Start[0]
    while skip(until: { $0 == first }, collect: collect) {
      let isMark = hasPrefix(mark)
      if !isMark { collect?([first]) }
      skip(isMark ? mark.utf8CodeUnitCount : 1)
      if isMark { return true }
    }
    return false
  }

  /// Returns whether the unread bytes begin with a text, ignoring ASCII case.
  package mutating func hasPrefix(_ text: StaticString) -> Bool {
    guard ensure(text.utf8CodeUnitCount) else { return false }
    return text.withUTF8Buffer { wanted in
      zip(bytes[start...], wanted).allSatisfy { $0.loweredASCII == $1.loweredASCII }
    }
  }

  /// Moves unread bytes to a buffer, for another reader.
  package mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard ensure(1) else { return 0 }
    let piece = bytes[start..<start + min(count, buffer.count)]
    buffer.copyBytes(from: piece)
    // The other reader counts lines itself.
    start += piece.count
    return piece.count
  }
}
