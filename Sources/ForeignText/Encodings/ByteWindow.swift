/// A piece of a stream of bytes that grows and moves on as a reader needs it.
///
/// Text in UTF-16 becomes UTF-8 on the way, and a byte order mark is passed over.
package struct ByteWindow {
  /// The bytes that are held; those from `start` are still to be read.
  package private(set) var bytes: [UInt8] = []
  /// Where the unread bytes begin.
  package private(set) var start = 0
  /// The number of the line at `start`, counted from one.
  package private(set) var line = 1
  private var source: UTF16Source?
  private var isFirst = true

  /// How many bytes are asked for at once.
  private static let pieceSize = 64 << 10

  /// A window on what `read` gives: it fills a part of a buffer and says how much, 0 at the end.
  package init(read: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    source = UTF16Source(read: read)
  }

  /// A window on bytes at hand, in UTF-8.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes are held unread.
  package var count: Int { bytes.count - start }

  /// Reads on until `wanted` bytes are held or the stream ends; whether they are held.
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
    // Programs of Windows put a mark before UTF-8.
    if isFirst, bytes.count - start >= 3 || source == nil {
      isFirst = false
      if bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    }
    if bytes.count == before, source != nil { readMore() }
  }

  /// The byte at an offset from the first unread one; nil behind the end.
  package mutating func byte(at offset: Int = 0) -> UInt8? {
    if offset < count { return bytes[start + offset] }
    return ensure(offset + 1) ? bytes[start + offset] : nil
  }

  /// Passes over bytes, which must be held, and counts the lines among them.
  package mutating func skip(_ number: Int) {
    for index in start..<start + number where bytes[index] == UInt8(ascii: "\n") { line += 1 }
    start += number
  }

  /// Passes over bytes up to one that `isEnd` accepts, or to the end; whether one was found.
  ///
  /// - Parameter collect: Is given the bytes before that one, piece by piece.
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

  /// Passes over a text and all before it; false, at the end, where there is none.
  ///
  /// - Parameter collect: Is given the bytes before it, piece by piece.
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

  /// Whether the unread bytes begin with some, whatever the case of their ASCII letters.
  package mutating func hasPrefix(_ text: StaticString) -> Bool {
    guard ensure(text.utf8CodeUnitCount) else { return false }
    return text.withUTF8Buffer { wanted in
      zip(bytes[start...], wanted).allSatisfy { $0.loweredASCII == $1.loweredASCII }
    }
  }

  /// Gives the bytes on as they come, for a reader of its own.
  package mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard ensure(1) else { return 0 }
    let piece = bytes[start..<start + min(count, buffer.count)]
    buffer.copyBytes(from: piece)
    // That reader counts lines by itself.
    start += piece.count
    return piece.count
  }
}
