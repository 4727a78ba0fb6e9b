/// A QR code of bytes with error correction of level L, versions 1 to 10 (ISO/IEC 18004:2015).
struct QRCode {
  /// The number of modules of a side.
  let size: Int
  /// Whether each module is dark, by row.
  private(set) var modules: [[Bool]]
  /// Whether each module belongs to a pattern and not to data.
  private var isFixed: [[Bool]]

  /// The blocks of each version: codewords for error correction of a block, then the counts and
  /// data sizes of its groups (table 9).
  private static let blocks: [(correction: Int, groups: [(count: Int, data: Int)])] = [
    (7, [(1, 19)]), (10, [(1, 34)]), (15, [(1, 55)]), (20, [(1, 80)]), (26, [(1, 108)]),
    (18, [(2, 68)]), (20, [(2, 78)]), (24, [(2, 97)]), (30, [(2, 116)]), (18, [(2, 68), (2, 69)]),
  ]
  /// The places of alignment patterns (table E.1).
  private static let alignment: [[Int]] = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
    [6, 28, 50],
  ]

  /// Encodes a text; nil if it is too long.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard
      let version = (1...Self.blocks.count).first(where: { version in
        let capacity = Self.blocks[version - 1].groups.reduce(0) { $0 + $1.count * $1.data }
        return bytes.count + (version < 10 ? 2 : 3) <= capacity
      })
    else { return nil }
    size = 17 + 4 * version
    modules = Array(repeating: Array(repeating: false, count: size), count: size)
    isFixed = modules
    drawPatterns(version)
    place(Self.codewords(bytes, version))
    let candidates = (0..<8).map { mask -> QRCode in
      var copy = self
      copy.apply(mask)
      return copy
    }
    // There are eight, so there is a best one.
    modules = candidates.min { $0.penalty < $1.penalty }?.modules ?? modules
  }

  /// The picture, with the quiet zone.
  var svg: HTML {
    var path = ""
    for (y, row) in modules.enumerated() {
      for (x, isDark) in row.enumerated() where isDark { path += "M\(x + 4) \(y + 4)h1v1h-1z" }
    }
    let side = size + 8
    return """
      <svg class="qr" viewBox="0 0 \(side) \(side)" role="img" aria-label="The code for the phone">\
      <rect width="\(side)" height="\(side)" fill="#fff"/><path d="\(path)" fill="#000"/></svg>
      """
  }

  // MARK: Codewords

  private static func codewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
    let (correction, groups) = blocks[version - 1]
    var bits: [Bool] = []
    func add(_ value: Int, _ count: Int) {
      for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
    }
    add(4, 4)
    add(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { add(Int(byte), 8) }
    let capacity = groups.reduce(0) { $0 + $1.count * $1.data } * 8
    add(0, min(4, capacity - bits.count))
    while bits.count % 8 != 0 { bits.append(false) }
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var pad: UInt8 = 0xEC
    while data.count < capacity / 8 {
      data.append(pad)
      pad ^= 0xEC ^ 0x11
    }
    var rest = data[...]
    var parts: [(data: [UInt8], correction: [UInt8])] = []
    for (count, size) in groups {
      for _ in 0..<count {
        let block = Array(rest.prefix(size))
        rest = rest.dropFirst(size)
        parts.append((block, remainder(of: block, count: correction)))
      }
    }
    let longest = parts.map(\.data.count).max() ?? 0
    return (0..<longest).flatMap { index in
      parts.compactMap { index < $0.data.count ? $0.data[index] : nil }
    } + (0..<correction).flatMap { index in parts.map { $0.correction[index] } }
  }

  /// The product in GF(256) with the polynomial x⁸ + x⁴ + x³ + x² + 1.
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result = 0
    for place in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      result ^= Int(b >> UInt8(place) & 1) * Int(a)
    }
    return UInt8(truncatingIfNeeded: result)
  }

  /// The codewords for error correction of a block: the remainder of its division by the generator.
  private static func remainder(of block: [UInt8], count: Int) -> [UInt8] {
    var generator = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in 0..<count {
        generator[index] = product(generator[index], root)
        if index + 1 < count { generator[index] ^= generator[index + 1] }
      }
      root = product(root, 2)
    }
    var result = [UInt8](repeating: 0, count: count)
    for byte in block {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for index in 0..<count { result[index] ^= product(generator[index], factor) }
    }
    return result
  }

  // MARK: Modules

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    modules[y][x] = isDark
    isFixed[y][x] = true
  }

  private mutating func drawPatterns(_ version: Int) {
    for place in 0..<size {
      set(6, place, place % 2 == 0)
      set(place, 6, place % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dy in -4...4 {
        for dx in -4...4 where (0..<size).contains(x + dx) && (0..<size).contains(y + dy) {
          let distance = max(abs(dx), abs(dy))
          set(x + dx, y + dy, distance != 2 && distance != 4)
        }
      }
    }
    let places = Self.alignment[version - 1]
    for x in places {
      for y in places where !isCorner(x, y, places) {
        for dy in -2...2 {
          for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
      }
    }
    drawFormat(0)
    guard version >= 7 else { return }
    var check = version
    for _ in 0..<12 { check = check << 1 ^ (check >> 11) * 0x1F25 }
    let bits = version << 12 | check
    for place in 0..<18 {
      let (far, near) = (size - 11 + place % 3, place / 3)
      set(far, near, bits >> place & 1 == 1)
      set(near, far, bits >> place & 1 == 1)
    }
  }

  /// Whether an alignment pattern would lie over a finder pattern.
  private func isCorner(_ x: Int, _ y: Int, _ places: [Int]) -> Bool {
    let last = places.last
    return x == 6 && y == 6 || x == 6 && y == last || x == last && y == 6
  }

  /// Draws level L and the mask, twice.
  private mutating func drawFormat(_ mask: Int) {
    let data = 1 << 3 | mask
    var check = data
    for _ in 0..<10 { check = check << 1 ^ (check >> 9) * 0x537 }
    let bits = (data << 10 | check) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0...5 { set(8, place, bit(place)) }
    set(8, 7, bit(6))
    set(8, 8, bit(7))
    set(7, 8, bit(8))
    for place in 9..<15 { set(14 - place, 8, bit(place)) }
    for place in 0..<8 { set(size - 1 - place, 8, bit(place)) }
    for place in 8..<15 { set(8, size - 15 + place, bit(place)) }
    set(8, size - 8, true)
  }

  /// Places the codewords in two columns at a time, from the right, up and down in turn.
  private mutating func place(_ codewords: [UInt8]) {
    var index = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let isUp = (right + 1) & 2 == 0
        let y = isUp ? size - 1 - step : step
        for x in [right, right - 1] where !isFixed[y][x] && index < codewords.count * 8 {
          modules[y][x] = codewords[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
          index += 1
        }
      }
      right -= 2
    }
  }

  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y][x] {
        let isInverted =
          switch mask {
          case 0: (x + y) % 2 == 0
          case 1: y % 2 == 0
          case 2: x % 3 == 0
          case 3: (x + y) % 3 == 0
          case 4: (x / 3 + y / 2) % 2 == 0
          case 5: x * y % 2 + x * y % 3 == 0
          case 6: (x * y % 2 + x * y % 3) % 2 == 0
          default: ((x + y) % 2 + x * y % 3) % 2 == 0
          }
        if isInverted { modules[y][x].toggle() }
      }
    }
    drawFormat(mask)
  }

  /// The penalty of runs, blocks and imbalance (§7.8.3); a lower one is read more reliably.
  private var penalty: Int {
    var sum = 0
    let columns = (0..<size).map { x in (0..<size).map { modules[$0][x] } }
    for line in modules + columns {
      var run = 1
      for index in 1..<size {
        run = line[index] == line[index - 1] ? run + 1 : 1
        if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
      }
    }
    for y in 1..<size {
      for x in 1..<size
      where modules[y][x] == modules[y - 1][x] && modules[y][x] == modules[y][x - 1]
        && modules[y][x] == modules[y - 1][x - 1]
      { sum += 3 }
    }
    let dark = modules.joined().count { $0 }
    return sum + abs(dark * 20 - size * size * 10) / (size * size) * 10
  }
}
