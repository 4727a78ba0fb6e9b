import Glibc

/// Decodes LZFSE and LZVN, the compressions of Apple's archives.
///
/// Source of the format: Apple's reference implementation, `lzfse` (github.com/lzfse/lzfse).
package enum LZFSE {
  /// Data that is invalid, or longer than announced.
  package struct Invalid: Error {}

  /// Decodes a stream of blocks.
  ///
  /// - Parameter limit: The maximum size of the decoded data.
  /// - Throws: `Invalid`.
  /// - Complexity: O(bytes + decoded bytes).
  package static func decoded(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(limit)
    var place = 0
    while true {
      guard place + 4 <= bytes.count else { throw Invalid() }
      let mark = bytes[place..<place + 4]
      switch String(decoding: mark, as: UTF8.self) {
      case "bvx$": return output
      case "bvx-":
        let size = Int(try bytes.u32(place + 4))
        guard place + 8 + size <= bytes.count, output.count + size <= limit else { throw Invalid() }
        output += bytes[place + 8..<place + 8 + size]
        place += 8 + size
      case "bvxn":
        let size = Int(try bytes.u32(place + 4))
        let packed = Int(try bytes.u32(place + 8))
        guard place + 12 + packed <= bytes.count, output.count + size <= limit else {
          throw Invalid()
        }
        try LZVN.decode(bytes[place + 12..<place + 12 + packed], size: size, into: &output)
        place += 12 + packed
      case "bvx2": place = try LZFSEBlock(bytes, at: place).decode(into: &output, limit: limit)
      default: throw Invalid()
      }
    }
  }
}

/// The decoder of `bvxn` blocks: operations for literals and matches, distinguished by their first
/// byte.
private enum LZVN {
  static func decode(_ bytes: ArraySlice<UInt8>, size: Int, into output: inout [UInt8]) throws {
    var place = bytes.startIndex
    let start = output.count
    var distance = 0
    func byte(_ offset: Int) throws -> Int {
      guard place + offset < bytes.endIndex else { throw LZFSE.Invalid() }
      return Int(bytes[place + offset])
    }
    while true {
      let code = try byte(0)
      var literals = 0
      var match = 0
      var length = 1
      switch code {
      case 0x06:
        guard output.count - start == size else { throw LZFSE.Invalid() }
        return
      case 0x0E, 0x16:
        place += 1
        continue
      case 0x1E, 0x26, 0x2E, 0x36, 0x3E, 0x70...0x7F, 0xD0...0xDF: throw LZFSE.Invalid()
      case 0xE0: (literals, length) = (try byte(1) + 16, 2)
      case 0xE1...0xEF: literals = code & 15
      case 0xF0: (match, length) = (try byte(1) + 16, 2)
      case 0xF1...0xFF: match = code & 15
      case 0xA0...0xBF:
        let next = try byte(1) | byte(2) << 8
        literals = code >> 3 & 3
        match = ((code & 7) << 2 | (next & 3)) + 3
        distance = next >> 2
        length = 3
      default:
        literals = code >> 6
        match = (code >> 3 & 7) + 3
        switch code & 7 {
        case 6: break
        case 7: (distance, length) = (try byte(1) | byte(2) << 8, 3)
        default: (distance, length) = ((code & 7) << 8 | (try byte(1)), 2)
        }
      }
      place += length
      guard place + literals <= bytes.endIndex, output.count - start + literals + match <= size
      else { throw LZFSE.Invalid() }
      output += bytes[place..<place + literals]
      place += literals
      try output.copy(match, from: distance, start: start)
    }
  }
}

/// A `bvx2` block: literals and triples of lengths and distances in finite state entropy codes.
private struct LZFSEBlock {
  private let bytes: [UInt8]
  private let place: Int
  private let rawSize: Int
  private let headerSize: Int
  private let literalCount: Int
  private let matchCount: Int
  private let literalSize: Int
  private let matchSize: Int
  private let literalBits: Int
  private let matchBits: Int
  private var literalStates: [Int]
  private let states: (length: Int, match: Int, distance: Int)
  private let frequencies: [[Int]]

  /// The extra bits of literal length, match length and distance symbols, and the first value of
  /// each.
  private static let lengthBits = [Int](repeating: 0, count: 16) + [2, 3, 5, 8]
  private static let matchExtra = [Int](repeating: 0, count: 16) + [3, 5, 8, 11]
  private static let distanceBits = (0..<64).map { $0 / 4 }
  private static func bases(_ bits: [Int]) -> [Int] {
    var base = 0
    return bits.map { count in
      defer { base += 1 << count }
      return base
    }
  }

  init(_ bytes: [UInt8], at place: Int) throws {
    self.bytes = bytes
    self.place = place
    rawSize = Int(try bytes.u32(place + 4))
    let fields = try (0..<3).map { try bytes.u64(place + 8 + 8 * $0) }
    func bits(_ field: Int, _ start: UInt64, _ count: UInt64) -> Int {
      Int(fields[field] >> start & (1 << count - 1))
    }
    literalCount = bits(0, 0, 20)
    literalSize = bits(0, 20, 20)
    matchCount = bits(0, 40, 20)
    literalBits = bits(0, 60, 3) - 7
    literalStates = (0..<4).map { bits(1, UInt64($0) * 10, 10) }
    matchSize = bits(1, 40, 20)
    matchBits = bits(1, 60, 3) - 7
    headerSize = bits(2, 0, 32)
    states = (bits(2, 32, 10), bits(2, 42, 10), bits(2, 52, 10))
    guard headerSize >= 32, place + headerSize + literalSize + matchSize <= bytes.count,
      // Each match has a byte or more, and only padding is left of the literals.
      literalCount <= min(40_000, rawSize + 3), matchCount <= min(10_000, rawSize)
    else { throw LZFSE.Invalid() }
    var reader = FrequencyReader(bytes[place + 32..<place + headerSize])
    frequencies = try [20, 20, 64, 256].map { count in
      try (0..<count).map { _ in try reader.next() }
    }
  }

  /// Decodes the block; returns the offset after it.
  func decode(into output: inout [UInt8], limit: Int) throws -> Int {
    guard output.count + rawSize <= limit else { throw LZFSE.Invalid() }
    let literals = try decodeLiterals()
    let lengths = try EntropyTable(frequencies[0], states: 64)
    let matches = try EntropyTable(frequencies[1], states: 64)
    let distances = try EntropyTable(frequencies[2], states: 256)
    let start = place + headerSize + literalSize
    var bits = BackwardBits(bytes[start..<start + matchSize], spare: matchBits)
    var (length, match, far) = (states.length, states.match, states.distance)
    let (lengthBase, matchBase, distanceBase) = (
      Self.bases(Self.lengthBits), Self.bases(Self.matchExtra), Self.bases(Self.distanceBits)
    )
    var distance = 0
    var used = 0
    let begin = output.count
    for _ in 0..<matchCount {
      func next(
        _ table: EntropyTable, state: inout Int, extra: [Int], base: [Int]
      ) throws -> Int {
        guard state < table.entries.count else { throw LZFSE.Invalid() }
        let entry = table.entries[state]
        let count = extra[entry.symbol]
        state = entry.delta + (try bits.pull(entry.bits))
        return base[entry.symbol] + (try bits.pull(count))
      }
      let literalLength = try next(
        lengths, state: &length, extra: Self.lengthBits, base: lengthBase)
      let matchLength = try next(matches, state: &match, extra: Self.matchExtra, base: matchBase)
      let newDistance = try next(
        distances, state: &far, extra: Self.distanceBits, base: distanceBase)
      if newDistance != 0 { distance = newDistance }
      guard used + literalLength <= literals.count,
        output.count - begin + literalLength + matchLength <= rawSize
      else { throw LZFSE.Invalid() }
      output += literals[used..<used + literalLength]
      used += literalLength
      try output.copy(matchLength, from: distance, start: 0)
    }
    guard output.count - begin == rawSize else { throw LZFSE.Invalid() }
    return start + matchSize
  }

  private func decodeLiterals() throws -> [UInt8] {
    let table = try EntropyTable(frequencies[3], states: 1024)
    let start = place + headerSize
    var bits = BackwardBits(bytes[start..<start + literalSize], spare: literalBits)
    var states = literalStates
    var literals: [UInt8] = []
    literals.reserveCapacity(literalCount)
    while literals.count < literalCount {
      for index in 0..<4 {
        guard states[index] < table.entries.count else { throw LZFSE.Invalid() }
        let entry = table.entries[states[index]]
        states[index] = entry.delta + (try bits.pull(entry.bits))
        literals.append(UInt8(entry.symbol))
      }
    }
    return literals
  }
}

/// The frequencies of symbols, in codes of 2 to 14 bits.
private struct FrequencyReader {
  private var rest: ArraySlice<UInt8>
  private var bits: UInt64 = 0
  private var count = 0

  private static let sizes = [
    2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2, 14, 2, 3, 2, 5, 2, 3, 2, 8, 2, 3, 2, 5, 2, 3, 2,
    14,
  ]
  private static let values = [
    0, 2, 1, 4, 0, 3, 1, -1, 0, 2, 1, 5, 0, 3, 1, -1, 0, 2, 1, 6, 0, 3, 1, -1, 0, 2, 1, 7, 0, 3, 1,
    -1,
  ]

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() throws -> Int {
    while count <= 32, let byte = rest.popFirst() {
      bits |= UInt64(byte) << UInt64(count)
      count += 8
    }
    let size = Self.sizes[Int(bits & 31)]
    guard size <= count else { throw LZFSE.Invalid() }
    let value =
      switch size {
      case 8: 8 + Int(bits >> 4 & 0xF)
      case 14: 24 + Int(bits >> 4 & 0x3FF)
      default: Self.values[Int(bits & 31)]
      }
    bits >>= UInt64(size)
    count -= size
    return value
  }
}

/// The table of a finite state entropy code.
private struct EntropyTable {
  var entries: [(symbol: Int, bits: Int, delta: Int)] = []

  init(_ frequencies: [Int], states: Int) throws {
    guard frequencies.reduce(0, +) <= states else { throw LZFSE.Invalid() }
    let log = states.trailingZeroBitCount
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      // The shift k with states <= frequency << k < 2 * states.
      let shift = log - (Int.bitWidth - 1 - frequency.leadingZeroBitCount)
      let first = (2 * states) >> shift - frequency
      for index in 0..<frequency {
        entries.append(
          index < first
            ? (symbol, shift, (frequency + index) << shift - states)
            : (symbol, shift - 1, (index - first) << (shift - 1)))
      }
    }
  }
}

/// Bits read backwards, from the end of the data.
private struct BackwardBits {
  private let bytes: ArraySlice<UInt8>
  private var left: Int

  /// - Parameter spare: The number of unused bits at the end, negative.
  init(_ bytes: ArraySlice<UInt8>, spare: Int) {
    self.bytes = bytes
    left = bytes.count * 8 + spare
  }

  mutating func pull(_ count: Int) throws -> Int {
    guard count > 0 else { return 0 }
    left -= count
    guard left >= 0 else { throw LZFSE.Invalid() }
    var value = 0
    var taken = 0
    while taken < count {
      let bit = left + taken
      let part = min(8 - bit & 7, count - taken)
      let byte = Int(bytes[bytes.startIndex + bit >> 3])
      value |= (byte >> (bit & 7) & (1 << part - 1)) << taken
      taken += part
    }
    return value
  }
}

extension [UInt8] {
  /// Appends bytes from a distance before the end, which may overlap.
  fileprivate mutating func copy(_ length: Int, from distance: Int, start: Int) throws {
    guard length > 0 else { return }
    guard distance > 0, distance <= count - start else { throw LZFSE.Invalid() }
    let copy = [UInt8](unsafeUninitializedCapacity: length) { copy, filled in
      guard let target = copy.baseAddress else { return }
      withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        filled = Swift.min(distance, length)
        memcpy(target, base + bytes.count - distance, filled)
      }
      // A match that overlaps its own output repeats the preceding bytes.
      while filled < length {
        let size = Swift.min(filled, length - filled)
        memcpy(target + filled, target, size)
        filled += size
      }
    }
    append(contentsOf: copy)
  }

  /// A little-endian number.
  func u32(_ place: Int) throws -> UInt32 {
    guard place >= 0, place + 4 <= count else { throw LZFSE.Invalid() }
    return (0..<4).reduce(0) { $0 | UInt32(self[place + $1]) << UInt32($1 * 8) }
  }

  /// A little-endian number.
  func u64(_ place: Int) throws -> UInt64 {
    guard place >= 0, place + 8 <= count else { throw LZFSE.Invalid() }
    return (0..<8).reduce(0) { $0 | UInt64(self[place + $1]) << UInt64($1 * 8) }
  }
}
