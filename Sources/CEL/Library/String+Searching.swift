/// Search by code points, done on bytes since UTF-8 is self-synchronising.
extension String {
  /// Returns whether it begins with a text.
  func startsWithCodePoints(_ part: String) -> Bool { utf8.starts(with: part.utf8) }

  /// Returns whether it ends with a text.
  func endsWithCodePoints(_ part: String) -> Bool {
    utf8.count >= part.utf8.count && utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
  }

  /// Returns whether it contains a text.
  func containsCodePoints(_ part: String) -> Bool {
    Array(utf8).firstRange(of: Array(part.utf8), from: 0) != nil
  }
}

extension [UInt8] {
  /// Returns the first occurrence of a byte sequence at or after a position.
  ///
  /// - Complexity: O(n × m) in the worst case, O(n) if the first byte of `part` is rare.
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
