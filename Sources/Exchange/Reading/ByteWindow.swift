/// A piece of a stream of bytes that grows and moves on as a reader needs it.
///
/// Text in UTF-16 becomes UTF-8 on the way, and a byte order mark is passed over.
final class ByteWindow {
  /// The bytes that are held; those from `start` are still to be read.
  private(set) var bytes: [UInt8] = []
  /// Where the unread bytes begin.
  private(set) var start = 0
  /// The number of the line at `start`, counted from one.
  private(set) var line = 1
  private var source: UTF16Source
  private var isAtEnd = false
  private var isFirst = true

  /// How many bytes are asked for at once.
  private static let pieceSize = 64 << 10

  /// A window on what `read` gives: it fills a part of a buffer and says how much, 0 at the end.
  init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    source = UTF16Source(read: read)
  }

  /// How many bytes are held unread.
  var count: Int { bytes.count - start }

  /// Reads on until `wanted` bytes are held or the stream ends; whether they are held.
  func ensure(_ wanted: Int) throws -> Bool {
    while count < wanted {
      if isAtEnd { return false }
      try readMore()
    }
    return true
  }

  /// Reads another piece; false at the end.
  func grow() throws -> Bool { try ensure(count + 1) }

  private func readMore() throws {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    let before = bytes.count
    isAtEnd = try !source.append(to: &bytes, atMost: Self.pieceSize)
    // Programs of Windows put a mark before UTF-8.
    if isFirst, bytes.count - start >= 3 || isAtEnd {
      isFirst = false
      if bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    }
    if bytes.count == before, !isAtEnd { try readMore() }
  }

  /// The byte at an offset from the first unread one; nil behind the end.
  func byte(at offset: Int = 0) throws -> UInt8? {
    if offset < count { return bytes[start + offset] }
    return try ensure(offset + 1) ? bytes[start + offset] : nil
  }

  /// Passes over bytes, which must be held, and counts the lines among them.
  func skip(_ number: Int) {
    for index in start..<start + number where bytes[index] == UInt8(ascii: "\n") { line += 1 }
    start += number
  }

  /// Passes over bytes up to one that `isEnd` accepts, or to the end; whether one was found.
  ///
  /// - Parameter collect: Is given the bytes before that one, piece by piece.
  func skip(
    until isEnd: (UInt8) -> Bool, collect: ((ArraySlice<UInt8>) -> Void)? = nil
  ) throws -> Bool {
    while true {
      if let index = bytes[start...].firstIndex(where: isEnd) {
        collect?(bytes[start..<index])
        skip(index - start)
        return true
      }
      collect?(bytes[start...])
      skip(count)
      if try !grow() { return false }
    }
  }

  /// Whether the unread bytes begin with some, whatever the case of their ASCII letters.
  func hasPrefix(_ text: StaticString, at offset: Int = 0) throws -> Bool {
    _ = try ensure(offset + text.utf8CodeUnitCount)
    guard count >= offset + text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      for (index, byte) in wanted.enumerated()
      where bytes[start + offset + index].loweredASCII != byte.loweredASCII { return false }
      return true
    }
  }
}

extension UInt8 {
  /// The byte with an ASCII letter in lower case.
  var loweredASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  /// Whether it is a space, a tab or a line break of ASCII.
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension ByteWindow {
  /// A window on bytes at hand.
  convenience init(bytes: [UInt8]) {
    var rest = bytes[...]
    self.init { target in
      let piece = rest.prefix(target.count)
      target.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }

  /// Gives the bytes on as they come, for a reader of its own.
  func take(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard try ensure(1) else { return 0 }
    let piece = bytes[start..<start + min(count, buffer.count)]
    buffer.copyBytes(from: piece)
    // That reader counts lines by itself.
    start += piece.count
    return piece.count
  }
}
