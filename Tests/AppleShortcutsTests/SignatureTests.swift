import Testing

@testable import AppleShortcuts

/// Signatures by P-256: the examples of RFC 6979 (A.2.5), and changed ones.
@Suite struct SignatureTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    var digits = Array(hex.utf8)[...]
    var bytes: [UInt8] = []
    while digits.count >= 2 {
      bytes.append(UInt8(String(decoding: digits.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return bytes
  }

  private static func integer(_ hex: String) -> [UInt8] {
    let bytes = bytes(hex)
    let padded = bytes[0] >= 0x80 ? [0] + bytes : bytes
    return [2, UInt8(padded.count)] + padded
  }

  private static func signature(_ r: String, _ s: String) -> [UInt8] {
    let body = integer(r) + integer(s)
    return [0x30, UInt8(body.count)] + body
  }

  private static let key =
    [4]
    + bytes("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6")
    + bytes("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")

  /// The SHA-256 of “sample” and of “test”.
  private static let examples: [(digest: String, r: String, s: String)] = [
    (
      "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF",
      "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
      "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    ),
    (
      "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
      "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
      "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
    ),
  ]

  @Test(arguments: 0..<2)
  func examplesAreValid(index: Int) {
    let example = Self.examples[index]
    let digest = Self.bytes(example.digest)
    #expect(
      P256.isValid(digest: digest, signature: Self.signature(example.r, example.s), key: Self.key))
    // Another message, another key, exchanged numbers, numbers that are too great.
    let other = Self.bytes(Self.examples[1 - index].digest)
    #expect(
      !P256.isValid(digest: other, signature: Self.signature(example.r, example.s), key: Self.key))
    #expect(
      !P256.isValid(digest: digest, signature: Self.signature(example.s, example.r), key: Self.key))
    var changed = Self.key
    changed[40] ^= 1
    #expect(
      !P256.isValid(digest: digest, signature: Self.signature(example.r, example.s), key: changed))
    let great = String(repeating: "F", count: 64)
    #expect(
      !P256.isValid(digest: digest, signature: Self.signature(great, example.s), key: Self.key))
    #expect(
      !P256.isValid(digest: digest, signature: Self.signature(example.r, "00"), key: Self.key))
    #expect(!P256.isValid(digest: digest, signature: [], key: Self.key))
  }

  @Test func aCutValueIsNoCertificate() {
    #expect(DERValue.subject(ofCertificate: []) == nil)
    #expect(DERValue.subject(ofCertificate: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    #expect(DERValue([0x30, 0x03, 0x02, 0x01])?.children.count == nil)
  }
}
