import CEL

/// A binary property list (the format is described in CoreFoundation's CFBinaryPList.c).
struct BinaryPropertyList {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  /// The values and bytes that may still be read.
  private var left: PropertyList.Bounds
  /// Whether it has more than its bounds.
  private(set) var isTooLarge = false
  /// Texts and data by their number: a list stores each once, however often it is used.
  private var known: [Int: Value] = [:]

  init?(_ bytes: UnsafeBufferPointer<UInt8>, _ bounds: PropertyList.Bounds) {
    self.bytes = bytes
    left = bounds
    // Programs share texts, numbers and data, but write each array and dictionary once, and a
    // reference takes a byte.
    left.values = min(left.values, bytes.count)
    let end = bytes.count - 32
    guard end >= 8 else { return nil }
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, end + 8, 8), let top = Self.number(bytes, end + 16, 8),
      let table = Self.number(bytes, end + 24, 8), table < end, count <= (end - table) / offsetSize
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  mutating func value() -> Value? { value(top, depth: 0) }

  /// Reads a big-endian number; nil if it is too large for an offset.
  private static func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ size: Int
  ) -> Int? {
    var number: UInt64 = 0
    for place in start..<start + size { number = number << 8 | UInt64(bytes[place]) }
    return number < 1 << 40 ? Int(number) : nil
  }

  /// Reads the bits of a number.
  private func bits(_ start: Int, _ size: Int) -> UInt64? {
    guard isInside(start, size) else { return nil }
    var number: UInt64 = 0
    for place in start..<start + size { number = number << 8 | UInt64(bytes[place]) }
    return number
  }

  /// Whether a range of bytes ends before the table of offsets.
  private func isInside(_ start: Int, _ length: Int) -> Bool {
    start >= 0 && length >= 0 && start <= table && length <= table - start
  }

  private func slice(_ start: Int, _ length: Int) -> UnsafeBufferPointer<UInt8>? {
    isInside(start, length) ? UnsafeBufferPointer(rebasing: bytes[start..<start + length]) : nil
  }

  private mutating func value(_ number: Int, depth: Int) -> Value? {
    guard let value = read(number, depth: depth) else { return nil }
    if !left.count(value) { isTooLarge = true }
    return isTooLarge ? nil : value
  }

  private mutating func read(_ number: Int, depth: Int) -> Value? {
    guard number < count, depth < PropertyList.maxDepth else { return nil }
    guard let place = Self.number(bytes, table + number * offsetSize, offsetSize), place < table
    else { return nil }
    let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 15))
    switch kind {
    case 0: return bytes[place] == 9 ? true : bytes[place] == 8 ? false : .null
    case 1:
      guard low <= 4 else { return nil }
      // Of 16 bytes, the first are zero unless it is larger than any number here.
      return bits(place + (low == 4 ? 9 : 1), 1 << min(low, 3)).map {
        .int(Int64(bitPattern: $0))
      }
    case 2, 3:
      guard low == 2 || low == 3, let bits = bits(place + 1, 1 << low) else { return nil }
      let number = low == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
      if kind == 2 { return .double(number) }
      // Seconds since 2001-01-01.
      guard number.magnitude < 1e11 else { return .null }
      return .timestamp(Timestamp(seconds: 978_307_200 + Int64(number)))
    case 4, 5, 6:
      if let value = known[number] { return value }
      let value = content(kind, low, at: place)
      known[number] = value
      return value
    default: break
    }
    guard let (length, start) = length(low, at: place + 1) else { return nil }
    switch kind {
    case 10, 12: return values(start, length, depth).map { .list($0) }
    case 13:
      guard let keys = values(start, length, depth),
        let values = values(start + length * referenceSize, length, depth)
      else { return nil }
      var map = MapValue()
      for (key, value) in zip(keys, values) {
        if case .string = key { map[key] = value }
      }
      return .map(map)
    default: return .null
    }
  }

  /// Reads data or a text.
  private func content(_ kind: UInt8, _ low: Int, at place: Int) -> Value? {
    guard let (length, start) = length(low, at: place + 1) else { return nil }
    switch kind {
    case 4: return slice(start, length).map { .bytes(Array($0)) }
    case 5: return slice(start, length).map { .string(String(decoding: $0, as: UTF8.self)) }
    default:
      return slice(start, length * 2).map {
        .string(
          String(
            decoding: CharsetDecoder.units(of: Array($0)[...], isBigEndian: true), as: UTF16.self))
      }
    }
  }

  private mutating func values(_ start: Int, _ length: Int, _ depth: Int) -> [Value]? {
    guard isInside(start, length * referenceSize) else { return nil }
    if length > left.values { isTooLarge = true }
    guard !isTooLarge else { return nil }
    var values: [Value] = []
    values.reserveCapacity(min(length, 1024))
    for index in 0..<length {
      guard let number = Self.number(bytes, start + index * referenceSize, referenceSize),
        let value = value(number, depth: depth + 1)
      else { return nil }
      values.append(value)
    }
    return values
  }

  /// Reads the length of a value and where its content begins; 15 means that a number follows.
  private func length(_ low: Int, at place: Int) -> (Int, Int)? {
    guard low == 15 else { return (low, place) }
    guard place < table, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { return nil }
    let size = 1 << Int(bytes[place] & 15)
    guard isInside(place + 1, size), let number = Self.number(bytes, place + 1, size),
      number <= bytes.count
    else { return nil }
    return (number, place + 1 + size)
  }
}
