import CSodium

extension [UInt8] {
  /// The bytes as hexadecimal digits in lower case.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes as URL-safe base64 without padding (RFC 4648 §5).
  package var base64URL: String {
    let capacity = (count * 4 + 2) / 3 + 1
    var output = [CChar](repeating: 0, count: capacity)
    _ = sodium_bin2base64(&output, capacity, self, count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    return String(decoding: output.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Decodes URL-safe base64 without padding; nil if the text is invalid.
  package init?(base64URL text: some StringProtocol) {
    let input = text.utf8.map { CChar(bitPattern: $0) }
    var output = [UInt8](repeating: 0, count: input.count)
    var count = 0
    let status = sodium_base642bin(
      &output, output.count, input, input.count, nil, &count, nil,
      sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    guard status == 0 else { return nil }
    self = Array(output.prefix(count))
  }

  /// Whether two byte strings are equal, compared in constant time.
  package func isSameInConstantTime(as other: [UInt8]) -> Bool {
    count == other.count && sodium_memcmp(self, other, count) == 0
  }
}
