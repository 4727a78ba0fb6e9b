/// Searching by code points; since UTF-8 is self-synchronising, by bytes.
extension String {
  /// Whether it begins with a text.
  func startsWithCodePoints(_ part: String) -> Bool { utf8.starts(with: part.utf8) }

  /// Whether it ends with a text.
  func endsWithCodePoints(_ part: String) -> Bool {
    utf8.count >= part.utf8.count && utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
  }

  /// Whether a text stands in it.
  func containsCodePoints(_ part: String) -> Bool {
    Array(utf8).firstRange(of: Array(part.utf8), from: 0) != nil
  }
}

extension [UInt8] {
  /// Where a run of bytes first stands at or after a position.
  ///
  /// - Complexity: O(n × m) at worst, and O(n) where its first byte is rare.
  func firstRange(of part: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = part.first else { return start <= count ? start..<start : nil }
    guard count >= part.count else { return nil }
    var position = start
    let last = count - part.count
    while position <= last {
      if self[position] == first, self[position..<position + part.count].elementsEqual(part) {
        return position..<position + part.count
      }
      position += 1
    }
    return nil
  }
}
