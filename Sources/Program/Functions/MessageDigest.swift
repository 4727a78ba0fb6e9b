import CSodium
import Glibc

/// The hash functions MD5 (RFC 1321) and SHA-1 (RFC 3174), for comparison with other programs: both are
/// broken for signatures.
enum MessageDigest {
  private static func padded(_ bytes: [UInt8], bigEndian: Bool) -> [UInt8] {
    var data = bytes + [0x80]
    while data.count % 64 != 56 { data.append(0) }
    let bits = UInt64(bytes.count) &* 8
    for index in 0..<8 {
      data.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * (bigEndian ? 7 - index : index))))
    }
    return data
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  static func md5(_ bytes: [UInt8]) -> [UInt8] {
    let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    let table = (0..<64).map { UInt32(sin(Double($0 + 1)).magnitude * 4_294_967_296) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    let data = padded(bytes, bigEndian: false)
    for block in stride(from: 0, to: data.count, by: 64) {
      let words = (0..<16).map { index in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[block + index * 4 + $1]) << UInt32(8 * $1) }
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      for step in 0..<64 {
        let mixed: UInt32
        let place: Int
        switch step / 16 {
        case 0: (mixed, place) = (b & c | ~b & d, step)
        case 1: (mixed, place) = (d & b | ~d & c, (5 * step + 1) % 16)
        case 2: (mixed, place) = (b ^ c ^ d, (3 * step + 5) % 16)
        default: (mixed, place) = (c ^ (b | ~d), 7 * step % 16)
        }
        let sum = a &+ mixed &+ table[step] &+ words[place]
        (a, d, c) = (d, c, b)
        b = b &+ rotated(sum, shifts[step / 16 * 4 + step % 4])
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    }
  }

  static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let data = padded(bytes, bigEndian: true)
    for block in stride(from: 0, to: data.count, by: 64) {
      var words = (0..<16).map { index in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(data[block + index * 4 + $1]) }
      }
      for index in 16..<80 {
        words.append(
          rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for step in 0..<80 {
        let (mixed, constant): (UInt32, UInt32) =
          switch step / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let sum = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[step]
        (e, d, c, b, a) = (d, c, rotated(b, 30), a, sum)
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) }
    }
  }

  /// SHA-512 (FIPS 180-4).
  static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
    _ = crypto_hash_sha512(&output, bytes, UInt64(bytes.count))
    return output
  }
}
