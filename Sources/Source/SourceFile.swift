import Synchronization

/// A text written by the user: its name, bytes and line starts.
///
/// The target owns texts and positions in them, diagnostics with their rendering and suppression,
/// suggestions for misspelt names, and text that is safe to print on a terminal.
package final class SourceFile: Sendable {
  /// Name in messages: the path as given by the user, or a label such as `<stdin>`.
  package let name: String
  /// UTF-8 bytes.
  package let bytes: [UInt8]
  /// Whether it is part of the program, and so checked by its tests.
  package let isBuiltIn: Bool
  private let lineStartsCache = Mutex<[Int]?>(nil)
  /// Number of UTF-8 continuation bytes before each block; nil until first used.
  private let continuationsCache = Mutex<[Int]?>(nil)
  /// Offset map of the last scalar; its diagnostics usually follow each other.
  private let offsetCache = Mutex<(start: Int, offsets: [Int])?>(nil)

  /// The languages of its documents besides English, by their byte ranges.
  private let languages = Mutex<[(range: Range<Int>, code: String)]>([])

  package init(name: String, bytes: [UInt8], isBuiltIn: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isBuiltIn = isBuiltIn
  }

  package convenience init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// Records the language of a document, such as `de`.
  package func note(language: String, in range: Range<Int>) {
    languages.withLock { languages in
      languages.removeAll { $0.range == range }
      languages.append((range, language))
    }
  }

  /// The language of the document at a byte offset; nil if it names none.
  package func language(at offset: Int) -> String? {
    languages.withLock { $0.last { $0.range.contains(offset) }?.code }
  }

  /// Byte offsets of line starts; computed on first use.
  ///
  /// - Complexity: O(bytes) once, then O(1).
  private var lineStarts: [Int] {
    lineStartsCache.withLock { cache in
      if let cache { return cache }
      var starts = [0]
      for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        starts.append(index + 1)
      }
      cache = starts
      return starts
    }
  }

  /// Returns the file offsets of a decoded text's bytes, from the cache if it is the same text as
  /// before.
  ///
  /// - Parameter start: offset of the text in the file.
  package func offsets(at start: Int, make: () -> [Int]) -> [Int] {
    let known = offsetCache.withLock { $0 }
    if let known, known.start == start { return known.offsets }
    let offsets = make()
    offsetCache.withLock { $0 = (start, offsets) }
    return offsets
  }

  /// Returns the line number of a byte offset, counted from one.
  ///
  /// - Complexity: O(log lines).
  package func lineNumber(of offset: Int) -> Int {
    let starts = lineStarts
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// Returns the line and column of a byte offset, counted from one; columns are Unicode scalars.
  ///
  /// - Complexity: O(log lines); O(bytes) once for a file with long lines.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineNumber(of: offset)
    return Position(line: line, column: scalars(in: lineStarts[line - 1]..<offset) + 1)
  }

  /// Size of the blocks whose scalars are counted once.
  private static let block = 1024

  /// Returns the number of scalars that start in a range.
  private func scalars(in range: Range<Int>) -> Int {
    guard range.count > 2 * Self.block else { return bytes[range].count { $0 & 0xC0 != 0x80 } }
    let counts = continuationsCache.withLock { cache in
      if let cache { return cache }
      var counts: [Int] = []
      var count = 0
      for (index, byte) in bytes.enumerated() {
        if index % Self.block == 0 { counts.append(count) }
        if byte & 0xC0 == 0x80 { count += 1 }
      }
      cache = counts
      return counts
    }
    func continuations(before offset: Int) -> Int {
      let block = min(offset / Self.block, counts.count - 1)
      return counts[block] + bytes[(block * Self.block)..<offset].count { $0 & 0xC0 == 0x80 }
    }
    return range.count - continuations(before: range.upperBound)
      + continuations(before: range.lowerBound)
  }

  /// Returns the byte range of a line, counted from one, without its line break.
  package func line(_ number: Int) -> Range<Int> {
    let starts = lineStarts
    guard number >= 1, number <= starts.count else { return bytes.count..<bytes.count }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// Returns the start of the next character at or after an offset, or the end of the file.
  func characterStart(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    return offset
  }

  /// Returns the text in a byte range; invalid UTF-8 becomes U+FFFD.
  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }
}

/// A line and a column, both counted from one.
package struct Position: Hashable, Sendable {
  package let line: Int
  package let column: Int
}
