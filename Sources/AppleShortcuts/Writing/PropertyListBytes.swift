package import CEL

/// Writes property lists in Apple's binary form.
package struct PropertyListBytes {
  private var objects: [[UInt8]] = []
  private var texts: [String: Int] = [:]
  /// The bytes of a reference to an object.
  private let width: Int

  /// The binary property list of a value: maps, lists, texts, numbers, Booleans and bytes.
  package static func bytes(of value: Value) -> [UInt8] {
    let count = count(value)
    var list = PropertyListBytes(width: count < 1 << 8 ? 1 : count < 1 << 16 ? 2 : 4)
    let root = list.add(value)
    var result = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in list.objects {
      offsets.append(result.count)
      result += object
    }
    let table = result.count
    for offset in offsets { result += number(offset, 4) }
    result += [0, 0, 0, 0, 0, 0, 4, UInt8(list.width)]
    return result + number(list.objects.count, 8) + number(root, 8) + number(table, 8)
  }

  private init(width: Int) { self.width = width }

  /// The greatest number of objects of a value.
  private static func count(_ value: Value) -> Int {
    switch value {
    case .map(let map): map.entries.reduce(1) { $0 + 1 + count($1.value) }
    case .list(let values): values.reduce(1) { $0 + count($1) }
    default: 1
    }
  }

  private static func number(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// A mark with a count, which follows as a number if it is large.
  private static func mark(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + number(count, 4)
  }

  private mutating func add(_ value: Value) -> Int {
    if case .string(let text) = value {
      if let known = texts[text] { return known }
      texts[text] = objects.count
    }
    let place = objects.count
    objects.append([])
    switch value {
    case .map(let map):
      let keys = map.entries.map { add(.string($0.key.text)) }
      let values = map.entries.map { add($0.value) }
      objects[place] =
        Self.mark(0xD, keys.count) + (keys + values).flatMap { Self.number($0, width) }
    case .list(let values):
      let items = values.map { add($0) }
      objects[place] = Self.mark(0xA, items.count) + items.flatMap { Self.number($0, width) }
    case .int(let number):
      objects[place] = [0x13] + Self.number(Int(number), 8)
    case .double(let number):
      objects[place] = [0x23] + Self.number(Int(truncatingIfNeeded: number.bitPattern), 8)
    case .bool(let flag): objects[place] = [flag ? 9 : 8]
    case .timestamp(let moment):
      // Seconds since 2001.
      let seconds = Double(moment.seconds) - 978_307_200
      objects[place] = [0x33] + Self.number(Int(truncatingIfNeeded: seconds.bitPattern), 8)
    case .bytes(let bytes): objects[place] = Self.mark(4, bytes.count) + bytes
    default:
      let text = value.text
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      objects[place] =
        isASCII
        ? Self.mark(5, text.utf8.count) + Array(text.utf8)
        : Self.mark(6, text.utf16.count) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
    return place
  }
}
