import Synchronization

/// One text that a person wrote: its name, its bytes, and where its lines begin.
package final class SourceFile: Sendable {
  /// What messages call it: a path as the user gave it, or a label such as `<stdin>`.
  package let name: String
  /// The text as UTF-8.
  package let bytes: [UInt8]
  /// Whether it came with the program, whose tests have checked it.
  package let isBuiltIn: Bool
  private let lineStartsCache = Mutex<[Int]?>(nil)
  /// How many bytes before each block of the file begin no scalar; nil until it is asked for.
  private let continuationsCache = Mutex<[Int]?>(nil)
  /// The map of the scalar that was asked for last, whose mistakes come one after the other.
  private let offsetCache = Mutex<(start: Int, offsets: [Int])?>(nil)

  package init(name: String, bytes: [UInt8], isBuiltIn: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isBuiltIn = isBuiltIn
  }

  package convenience init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// The byte offsets at which lines begin; found when first asked for.
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

  /// Where the bytes of a decoded text came from, made anew only when another text was asked for.
  ///
  /// - Parameter start: The offset at which the text begins in the file.
  package func offsets(at start: Int, make: () -> [Int]) -> [Int] {
    let known = offsetCache.withLock { $0 }
    if let known, known.start == start { return known.offsets }
    let offsets = make()
    offsetCache.withLock { $0 = (start, offsets) }
    return offsets
  }

  /// The number of the line that a byte offset stands in, counted from one.
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

  /// The position of a byte offset, both counted from one; columns count Unicode scalars.
  ///
  /// - Complexity: O(log lines); O(bytes) once for a file with long lines.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineNumber(of: offset)
    return Position(line: line, column: scalars(in: lineStarts[line - 1]..<offset) + 1)
  }

  /// The length of the blocks whose scalars are counted once.
  private static let block = 1024

  /// How many scalars begin in a range.
  private func scalars(in range: Range<Int>) -> Int {
    guard range.count > 2 * Self.block else {
      return bytes[range].count { $0 & 0xC0 != 0x80 }
    }
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

  /// The bytes of a line, counted from one, without its line break.
  package func line(_ number: Int) -> Range<Int> {
    let starts = lineStarts
    guard number >= 1, number <= starts.count else { return bytes.count..<bytes.count }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// The first offset from one on at which a character begins, or the end of the file.
  func characterStart(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    return offset
  }

  /// The text of a byte range; invalid UTF-8 is shown as U+FFFD.
  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }
}

/// A line and a column, both counted from one.
package struct Position: Hashable, Sendable {
  package let line: Int
  package let column: Int
}
