/// The confusable skeleton of a name, byte by byte; names with equal skeletons look alike.
///
/// Case and dashes are ignored, and so is the difference between `0` and `o`, `1`, `i` and `l`, `5`
/// and `s`, `rn` and `m`, `vv` and `w` (after Unicode Technical Standard #39 §4, restricted to the
/// letters and digits allowed in names).
struct NameLook: IteratorProtocol {
  private var bytes: String.UTF8View.Iterator
  /// Lookahead for two-letter pairs.
  private var pending: UInt8?

  /// Creates the skeleton of a name.
  init(_ name: String) { bytes = name.utf8.makeIterator() }

  mutating func next() -> UInt8? {
    guard let letter = pending.take() ?? single() else { return nil }
    switch letter {
    case UInt8(ascii: "r"): return joined(letter, with: UInt8(ascii: "n"), as: UInt8(ascii: "m"))
    case UInt8(ascii: "v"): return joined(letter, with: letter, as: UInt8(ascii: "w"))
    default: return letter
    }
  }

  private mutating func joined(_ letter: UInt8, with second: UInt8, as pair: UInt8) -> UInt8 {
    pending = single()
    guard pending == second else { return letter }
    pending = nil
    return pair
  }

  private mutating func single() -> UInt8? {
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "-"): continue
      case UInt8(ascii: "0"): return UInt8(ascii: "o")
      case UInt8(ascii: "1"), UInt8(ascii: "i"), UInt8(ascii: "I"): return UInt8(ascii: "l")
      case UInt8(ascii: "5"): return UInt8(ascii: "s")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): return byte | 0x20
      default: return byte
      }
    }
    return nil
  }
}
