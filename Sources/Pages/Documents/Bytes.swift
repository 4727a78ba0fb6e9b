/// Numbers and texts at places of some bytes; nil beyond their end.
struct Bytes {
  let bytes: [UInt8]

  /// How many there are.
  var count: Int { bytes.count }

  subscript(index: Int) -> UInt8 { bytes.indices.contains(index) ? bytes[index] : 0 }

  /// An unsigned number of so many bytes at a place.
  func number(at place: Int, _ size: Int, isLittle: Bool = false) -> Int? {
    guard place >= 0, size <= 4, place <= bytes.count - size else { return nil }
    let piece = bytes[place..<(place + size)]
    return isLittle
      ? piece.reversed().reduce(0) { $0 << 8 | Int($1) } : piece.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Whether a text of ASCII stands at a place.
  func has(_ text: String, at place: Int) -> Bool {
    guard place >= 0, place <= bytes.count - text.utf8.count else { return false }
    return bytes[place...].starts(with: text.utf8)
  }

  /// The bytes of a range, as far as there are any.
  func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8> {
    guard start >= 0, start < bytes.count, length > 0 else { return [] }
    return bytes[start..<min(bytes.count, start + min(length, bytes.count))]
  }

  /// The first place at or after one where a text of ASCII stands.
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
