extension TimeZoneRules {
  /// Reads a file of the time zone database (TZif, RFC 8536); nil when it is not one.
  init?(name: String, tzif bytes: [UInt8]) {
    guard let first = FileHeader(bytes, at: 0) else { return nil }
    guard first.version >= 2 else {
      self.init(name: name, bytes, first, timeSize: 4, footer: nil)
      return
    }
    // The second block repeats the first with times of 64 bits, and the rule for later follows.
    guard let second = FileHeader(bytes, at: first.end(timeSize: 4)) else { return nil }
    let end = second.end(timeSize: 8)
    var footer: RecurringRule?
    if end < bytes.count, bytes[end] == 0x0A {
      let line = bytes[(end + 1)...].prefix { $0 != 0x0A }
      footer = RecurringRule(String(decoding: line, as: UTF8.self))
    }
    self.init(name: name, bytes, second, timeSize: 8, footer: footer)
  }

  private init?(
    name: String, _ bytes: [UInt8], _ header: FileHeader, timeSize: Int, footer: RecurringRule?
  ) {
    guard header.end(timeSize: timeSize) <= bytes.count, header.typeCount > 0 else { return nil }
    let indices = header.start + header.timeCount * timeSize
    let types = indices + header.timeCount
    let names = types + header.typeCount * 6
    var periods: [Period] = []
    for type in 0..<header.typeCount {
      let at = types + type * 6
      let offset = Int32(truncatingIfNeeded: FileHeader.integer(bytes, at, 4))
      let nameStart = names + Int(bytes[at + 5])
      guard nameStart < names + header.nameBytes, (-93_600...93_600).contains(offset) else {
        return nil
      }
      let abbreviation = bytes[nameStart..<names + header.nameBytes].prefix { $0 != 0 }
      periods.append(
        Period(
          offset: Int(offset), isDaylightSaving: bytes[at + 4] != 0,
          abbreviation: String(decoding: abbreviation, as: UTF8.self)))
    }
    var transitions: [Int64] = []
    var following: [Period] = []
    for index in 0..<header.timeCount {
      let at = header.start + index * timeSize
      let moment = FileHeader.integer(bytes, at, timeSize)
      let type = Int(bytes[indices + index])
      guard type < periods.count, transitions.last.map({ $0 < moment }) ?? true else {
        return nil
      }
      transitions.append(moment)
      following.append(periods[type])
    }
    self.init(
      name: name, transitions: transitions, following: following, initial: periods[0],
      footer: footer)
  }

  /// The counts at the head of each of a file's two blocks.
  private struct FileHeader {
    let version: Int
    let start: Int
    let timeCount: Int
    let typeCount: Int
    let nameBytes: Int
    private let leapCount: Int
    private let markCount: Int

    private static let length = 44

    init?(_ bytes: [UInt8], at position: Int) {
      guard position >= 0, bytes.count - position >= Self.length,
        bytes[position..<position + 4].elementsEqual("TZif".utf8)
      else { return nil }
      version = bytes[position + 4] == 0 ? 1 : Int(bytes[position + 4]) - 0x30
      func count(_ index: Int) -> Int {
        Int(UInt32(truncatingIfNeeded: Self.integer(bytes, position + 20 + index * 4, 4)))
      }
      // Files are a few kilobytes; the bound keeps sums of broken counts small.
      guard (0..<6).allSatisfy({ count($0) <= 100_000 }) else { return nil }
      markCount = count(0) + count(1)
      leapCount = count(2)
      timeCount = count(3)
      typeCount = count(4)
      nameBytes = count(5)
      start = position + Self.length
    }

    /// Where the block ends.
    func end(timeSize: Int) -> Int {
      start + timeCount * (timeSize + 1) + typeCount * 6 + nameBytes
        + leapCount * (timeSize + 4) + markCount
    }

    /// A big-endian number, with its sign when it has eight bytes or is cut to four.
    static func integer(_ bytes: [UInt8], _ position: Int, _ size: Int) -> Int64 {
      var value: UInt64 = 0
      for byte in bytes[position..<position + size] { value = value << 8 | UInt64(byte) }
      if size == 4 { return Int64(Int32(truncatingIfNeeded: value)) }
      return Int64(bitPattern: value)
    }
  }
}
