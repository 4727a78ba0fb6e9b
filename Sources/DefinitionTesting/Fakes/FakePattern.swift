/// A text in which `*` stands for any text, also none.
struct FakePattern {
  private let parts: [[UInt8]]

  init(_ text: String) {
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// How many characters it fixes; of several that fit, the one with the most counts.
  var weight: Int { parts.reduce(0) { $0 + $1.count } }

  /// Whether a text is like it.
  ///
  /// - Complexity: O(text × pattern) at most.
  func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0 == bytes } ?? bytes.isEmpty
    }
    guard bytes.count >= first.count + last.count, bytes.starts(with: first),
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes[first.count..<(bytes.count - last.count)]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
