/// The set of letters in a name, ignoring case: a quick lower bound for its edit distance to other
/// names.
struct LetterSet {
  /// A bit for each ASCII letter and digit; all other ASCII characters share the rest.
  private let bits: UInt64
  private let count: Int
  private let first: UInt8?
  /// Whether there are non-ASCII characters, which are not distinguished.
  private let hasOthers: Bool

  /// Creates the set for a name in lower case.
  init(_ scalars: [Unicode.Scalar]) {
    count = scalars.count
    first = scalars.first.flatMap { $0.isASCII ? UInt8($0.value) : nil }
    hasOthers = scalars.contains { !$0.isASCII }
    bits = scalars.reduce(0) { $0 | ($1.isASCII ? Self.bit(UInt8($1.value)) : 0) }
  }

  /// Returns the bit of an ASCII character.
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

  /// Whether the edit distance to another name may be within `edits`; each edit adds, removes or
  /// replaces at most one letter.
  func mayBecome(_ other: String, within edits: Int) -> Bool {
    var other = other
    return other.withUTF8 { bytes in
      guard bytes.count + edits >= count else { return false }
      var others: UInt64 = 0
      // Beyond this length the names are too different anyway.
      for byte in bytes.prefix(4 * (count + edits) + 1) {
        if byte >= 0x80 { return bytes.count <= 4 * (count + edits) }
        others |= Self.bit(byte)
      }
      guard bytes.count <= count + edits else { return false }
      return hasOthers
        || (bits & ~others).nonzeroBitCount <= edits && (others & ~bits).nonzeroBitCount <= edits
    }
  }

  /// Whether another name may have this one as a prefix.
  func mayBegin(_ other: String) -> Bool {
    guard let first, let byte = other.utf8.first, byte < 0x80 else { return true }
    return Self.lowercased(byte) == first
  }
}
