/// Random access to numbers and texts in bytes; nil or empty beyond their end.
struct Bytes {
  let bytes: [UInt8]

  /// The number of bytes.
  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

  /// An unsigned integer of `size` bytes at an offset.
  func number(at place: Int, _ size: Int, isLittle: Bool = false) -> Int? {
    guard place >= 0, size <= 4, place <= bytes.count - size else { return nil }
    let piece = bytes[place..<(place + size)]
    return isLittle
      ? piece.reversed().reduce(0) { $0 << 8 | Int($1) } : piece.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether ASCII text is at an offset.
  func has(_ text: String, at place: Int) -> Bool {
    guard place >= 0, place <= bytes.count - text.utf8.count else { return false }
    return bytes[place...].starts(with: text.utf8)
  }

  /// The bytes of a range, clamped to the end.
  func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8> {
    guard start >= 0, start < bytes.count, length > 0 else { return [] }
    return bytes[start..<min(bytes.count, start + min(length, bytes.count))]
  }

  /// The first offset of ASCII text in a range.
  func find(_ text: String, from start: Int, to end: Int? = nil) -> Int? {
    let pattern = Array(text.utf8)
    let last = min(end ?? bytes.count, bytes.count) - pattern.count
    guard start >= 0, let first = pattern.first, start <= last else { return nil }
    var place = start
    while place <= last {
      if bytes[place] == first, bytes[place...].starts(with: pattern) { return place }
      place += 1
    }
    return nil
  }
}
