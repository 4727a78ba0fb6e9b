/// A value in DER (X.690): its tag, and its content.
struct DERValue {
  let tag: UInt8
  let content: [UInt8]
  /// The number of bytes with tag and length.
  private let size: Int

  /// Reads the value at the start of the bytes; trailing bytes are ignored.
  init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

  private init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 2 else { return nil }
    let start = bytes.startIndex
    tag = bytes[start]
    var length = Int(bytes[start + 1])
    var head = 2
    if length >= 0x80 {
      let count = length & 0x7F
      guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
      length = bytes[(start + 2)..<(start + 2 + count)].reduce(0) { $0 << 8 | Int($1) }
      head += count
    }
    guard length <= bytes.count - head else { return nil }
    content = Array(bytes[(start + head)..<(start + head + length)])
    size = head + length
  }

  /// The nested values, up to the first incomplete one.
  var children: [DERValue] {
    var children: [DERValue] = []
    var rest = content[...]
    while let child = DERValue(rest) {
      children.append(child)
      rest = rest.dropFirst(child.size)
    }
    return children
  }

  /// The subject of a certificate (RFC 5280 §4.1), such as `CN=…, O=Apple Inc., C=US`.
  static func subject(ofCertificate bytes: [UInt8]) -> String? {
    guard var fields = DERValue(bytes)?.children.first?.children else { return nil }
    // The version may be left out.
    if fields.first?.tag == 0xA0 { fields.removeFirst() }
    guard fields.count > 4 else { return nil }
    let names: [[UInt8]: String] = [
      [0x55, 4, 3]: "CN", [0x55, 4, 6]: "C", [0x55, 4, 10]: "O", [0x55, 4, 11]: "OU",
    ]
    var parts: [String] = []
    for set in fields[4].children {
      for pair in set.children.map(\.children) where pair.count == 2 {
        guard let name = names[pair[0].content] else { continue }
        parts.append("\(name)=\(String(decoding: pair[1].content, as: UTF8.self))")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
