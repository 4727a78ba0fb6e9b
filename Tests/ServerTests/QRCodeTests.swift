import Testing

@testable import Web

/// QR codes, read back by the steps of ISO/IEC 18004:2015, §12.
@Suite struct QRCodeTests {
  @Test(arguments: [1, 17, 18, 60, 78, 106, 107, 134, 154, 192, 230, 231, 271])
  func textsAreReadBack(_ length: Int) throws {
    let text = String((0..<length).map { Character(UnicodeScalar(UInt8(33 + $0 * 7 % 90))) })
    let code = try #require(QRCode(text))
    let version = (code.size - 17) / 4
    #expect(try Reading(code, version).text == text)
  }

  @Test func tooLongTextsHaveNoCode() {
    #expect(QRCode(String(repeating: "a", count: 271)) != nil)
    #expect(QRCode(String(repeating: "a", count: 272)) == nil)
  }

  /// The reading of a code.
  private struct Reading {
    let text: String

    /// The sizes of blocks and of their correction at level L (table 9), written down again.
    private static let sizes: [(blocks: [Int], correction: Int)] = [
      ([19], 7), ([34], 10), ([55], 15), ([80], 20), ([108], 26), ([68, 68], 18), ([78, 78], 20),
      ([97, 97], 24), ([116, 116], 30), ([68, 68, 69, 69], 18),
    ]

    init(_ code: QRCode, _ version: Int) throws {
      let size = code.size
      // The format beside the upper left finder pattern: its level, its mask and their check.
      var format = 0
      let places =
        (0..<6).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (0..<6).map { (5 - $0, 8) }
      for (index, (x, y)) in places.enumerated() where code.modules[y][x] { format |= 1 << index }
      format ^= 0x5412
      #expect(format >> 13 == 1, "the level is L")
      let mask = format >> 10 & 7
      var rest = format
      for place in (10..<15).reversed() where rest >> place & 1 == 1 {
        rest ^= 0x537 << (place - 10)
      }
      #expect(rest == 0, "the format is valid")
      // Every module outside of the patterns.
      var centres = [6]
      if version > 1 {
        let count = version / 7 + 2
        let step = (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        centres += (0..<count - 1).map { size - 7 - $0 * step }
      }
      func isPattern(_ x: Int, _ y: Int) -> Bool {
        if x == 6 || y == 6 { return true }
        if x < 9 && y < 9 || x >= size - 8 && y < 9 || x < 9 && y >= size - 8 { return true }
        if version >= 7, x >= size - 11 && y < 6 || y >= size - 11 && x < 6 { return true }
        return version > 1
          && centres.contains { cx in
            centres.contains { cy in
              let isFinder =
                cx == 6 && cy == 6 || cx == 6 && cy == size - 7 || cx == size - 7 && cy == 6
              return !isFinder && abs(x - cx) <= 2 && abs(y - cy) <= 2
            }
          }
      }
      func isInverted(_ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (y / 2 + x / 3) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
      }
      var bits: [Bool] = []
      var goesUp = true
      for right in stride(from: size - 1, to: 6, by: -2).map({ $0 }) + [5, 3, 1] {
        for y in goesUp ? Array((0..<size).reversed()) : Array(0..<size) {
          for x in [right, right - 1] where !isPattern(x, y) {
            bits.append(code.modules[y][x] != isInverted(x, y))
          }
        }
        goesUp.toggle()
      }
      let bytes = stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
        bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
      }
      // The blocks are interleaved.
      let (blocks, correction) = Self.sizes[version - 1]
      var parts = blocks.map { _ in [Int]() }
      var next = 0
      for index in 0..<(blocks.max() ?? 0) {
        for block in blocks.indices where index < blocks[block] {
          parts[block].append(bytes[next])
          next += 1
        }
      }
      let data = parts.flatMap { $0 }
      for _ in 0..<correction {
        for block in blocks.indices {
          parts[block].append(bytes[next])
          next += 1
        }
      }
      // Each block is a multiple of the generator: it is 0 at each of its roots.
      for part in parts {
        for root in 0..<correction {
          let value = part.reduce(0) { Self.product($0, Self.powers[root]) ^ $1 }
          #expect(value == 0, "the syndrome \(root)")
        }
      }
      let whole = data.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
      func number(_ start: Int, _ count: Int) -> Int {
        whole[start..<start + count].reduce(0) { $0 << 1 | $1 }
      }
      #expect(number(0, 4) == 4, "the mode is bytes")
      let width = version < 10 ? 8 : 16
      let count = number(4, width)
      text = String(
        decoding: (0..<count).map { UInt8(number(4 + width + $0 * 8, 8)) }, as: UTF8.self)
    }

    /// The powers of 2 in GF(256) modulo x⁸ + x⁴ + x³ + x² + 1.
    private static let powers = (0..<255).reduce(into: [1]) { powers, _ in
      let double = (powers.last ?? 1) << 1
      powers.append(double > 255 ? double ^ 0x11D : double)
    }

    private static func product(_ a: Int, _ b: Int) -> Int {
      guard a != 0, b != 0, let left = powers.firstIndex(of: a),
        let right = powers.firstIndex(of: b)
      else { return 0 }
      return powers[(left + right) % 255]
    }
  }
}

/// The triggers of automations in words.
@Suite struct TriggerWordsTests {
  @Test(arguments: [
    ("at 07:30", "Every day at 07:30"),
    ("at 08:00 mon, tue, wed, thu, fri", "Every weekday at 08:00"),
    ("at 18:00 fri", "Fridays at 18:00"),
    ("at 09:00 mon, wed, sat", "Mondays, Wednesdays and Saturdays at 09:00"),
    ("every 6h", "Every 6h"), ("created Task", "When a task is added"),
    ("changed Task", "When a task changes"), ("due Task by remind", "At each reminder of a task"),
    ("file ~/Scans", "When a file comes to ~/Scans"), ("workdays at 08:00", "Workdays at 08:00"),
  ])
  func triggersAreSentences(_ trigger: String, _ words: String) {
    #expect(TriggerWords(trigger).text == words)
  }
}
