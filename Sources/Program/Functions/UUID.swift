/// A random identifier of 128 bits (RFC 9562, version 4).
package enum UUID {
  /// The text of an identifier made from 16 random bytes.
  package static func text(from random: [UInt8]) -> String {
    var bytes = Array(random.prefix(16))
    bytes.append(contentsOf: repeatElement(0, count: 16 - bytes.count))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
