/// A byte stream that converts UTF-16 to UTF-8 and passes anything else through.
struct UTF16Source {
  /// The detected encoding.
  private enum Form {
    case unknown, bytes, littleEndian, bigEndian
  }

  private let read: (UnsafeMutableRawBufferPointer) -> Int
  private var form = Form.unknown
  /// Bytes that cannot be decoded yet: half of a unit, or the first unit of a pair.
  private var rest: [UInt8] = []
  private var piece: [UInt8] = []

  init(read: @escaping (UnsafeMutableRawBufferPointer) -> Int) {
    self.read = read
  }

  /// Appends the next piece; false at the end of the stream.
  mutating func append(to output: inout [UInt8], atMost size: Int) -> Bool {
    if piece.count != size { piece = [UInt8](repeating: 0, count: size) }
    let count = piece.withUnsafeMutableBytes { read($0) }
    if form == .bytes {
      output += piece.prefix(max(count, 0))
      return count > 0
    }
    rest += piece.prefix(max(count, 0))
    if form == .unknown {
      if rest.count < 4, count > 0 { return true }
      recognize()
    }
    if form == .bytes {
      output += rest
      rest = []
    } else {
      decode(to: &output, isLast: count <= 0)
    }
    return count > 0
  }

  /// Detects UTF-16 by a byte order mark or by the zeros of two ASCII characters.
  private mutating func recognize() {
    let head = Array(rest.prefix(4))
    form = .bytes
    guard head.count >= 2 else { return }
    switch (head[0], head[1]) {
    case (0xFF, 0xFE):
      form = .littleEndian
      rest.removeFirst(2)
    case (0xFE, 0xFF):
      form = .bigEndian
      rest.removeFirst(2)
    case (0x09..., 0) where head.count == 4 && head[2] >= 0x09 && head[3] == 0:
      form = .littleEndian
    case (0, 0x09...) where head.count == 4 && head[2] == 0 && head[3] >= 0x09: form = .bigEndian
    default: break
    }
  }

  private mutating func decode(to output: inout [UInt8], isLast: Bool) {
    var units = CharsetDecoder.units(of: rest[...], isBigEndian: form == .bigEndian)
    var index = units.count * 2
    // The second unit of a pair may come with the next piece.
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) {
      units.removeLast()
      index -= 2
    }
    rest.removeFirst(index)
    if isLast { rest = [] }
    output += String(decoding: units, as: UTF16.self).utf8
  }
}
