/// The letters of a name, each counted once and regardless of case: they tell at a glance that
/// another name is far from it.
struct LetterSet {
  /// A bit for each ASCII letter and digit; other ASCII characters share the rest.
  private let bits: UInt64
  private let count: Int
  private let first: UInt8?
  /// Whether there are other characters, which are not told apart.
  private let hasOthers: Bool

  /// The letters of a name in lower case.
  init(_ scalars: [Unicode.Scalar]) {
    count = scalars.count
    first = scalars.first.flatMap { $0.isASCII ? UInt8($0.value) : nil }
    hasOthers = scalars.contains { !$0.isASCII }
    bits = scalars.reduce(0) { $0 | ($1.isASCII ? Self.bit(UInt8($1.value)) : 0) }
  }

  /// The bit of an ASCII character.
  private static func bit(_ byte: UInt8) -> UInt64 {
    let byte = lowercased(byte)
    let index: UInt8
    if byte >= 0x61 && byte <= 0x7A {
      index = byte - 0x61
    } else if byte >= 0x30 && byte <= 0x39 {
      index = byte - 0x30 + 26
    } else {
      index = 36 + byte % 28
    }
    return 1 << UInt64(index)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Whether so many edits may make the name of another one; each adds, takes away or replaces one
  /// letter at most.
  func mayBecome(_ other: String, within edits: Int) -> Bool {
    var other = other
    return other.withUTF8 { bytes in
      guard bytes.count + edits >= count else { return false }
      var others: UInt64 = 0
      // Of a long name it is enough to know that it is long.
      for byte in bytes.prefix(4 * (count + edits) + 1) {
        if byte >= 0x80 { return bytes.count <= 4 * (count + edits) }
        others |= Self.bit(byte)
      }
      guard bytes.count <= count + edits else { return false }
      return hasOthers
        || (bits & ~others).nonzeroBitCount <= edits && (others & ~bits).nonzeroBitCount <= edits
    }
  }

  /// Whether another name may begin with it.
  func mayBegin(_ other: String) -> Bool {
    guard let first, let byte = other.utf8.first, byte < 0x80 else { return true }
    return Self.lowercased(byte) == first
  }
}
