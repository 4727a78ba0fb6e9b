/// Puts the parts of a syllable together that can also be one character: those of Korean, and
/// Japanese kana with the marks of voicing (Unicode, 3.11 and 3.12).
enum Composition {
  /// Adds a character to others, or makes one of it and the last of them.
  static func append(_ scalar: Unicode.Scalar, to scalars: inout [Unicode.Scalar]) {
    if let last = scalars.last, let whole = composed(last.value, scalar.value),
      let character = Unicode.Scalar(whole)
    {
      scalars[scalars.count - 1] = character
    } else {
      scalars.append(scalar)
    }
  }

  private static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch second {
    case 0x1161...0x1175 where (0x1100...0x1112).contains(first):
      0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(first) && (first - 0xAC00) % 28 == 0:
      first + second - 0x11A7
    case 0x3099: voiced(first)
    case 0x309A: isOfHa(first) ? first + 2 : nil
    default: nil
    }
  }

  /// A kana with the voiced sound mark.
  private static func voiced(_ kana: UInt32) -> UInt32? {
    if isOfHa(kana) { return kana + 1 }
    switch kana {
    case 0x3046, 0x30A6: return kana + 0x4E
    case 0x30EF...0x30F2: return kana + 8
    case 0x309D, 0x30FD: return kana + 1
    default: break
    }
    switch kana >= 0x30A0 ? kana - 0x60 : kana {
    case 0x304B...0x3061: return kana % 2 == 1 ? kana + 1 : nil
    case 0x3064, 0x3066, 0x3068: return kana + 1
    default: return nil
    }
  }

  /// Whether it is は ひ ふ へ ほ or the same in katakana, which have two marks.
  private static func isOfHa(_ kana: UInt32) -> Bool {
    let hiragana = kana >= 0x30A0 ? kana - 0x60 : kana
    return (0x306F...0x307B).contains(hiragana) && hiragana % 3 == 0
  }
}
