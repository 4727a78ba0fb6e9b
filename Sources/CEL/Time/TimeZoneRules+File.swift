extension TimeZoneRules {
  /// Parses a TZif file (RFC 8536) of the time zone database; nil if it is invalid.
  init?(name: String, tzif bytes: [UInt8]) {
    guard var block = FileBlock(bytes, at: 0, timeSize: 4) else { return nil }
    var footer: RecurringRule?
    if bytes[4] >= UInt8(ascii: "2") {
      // The second block repeats the first with 64-bit times, followed by the rule for later times.
      guard let second = FileBlock(bytes, at: block.end, timeSize: 8) else { return nil }
      block = second
      if bytes[block.end...].first == 0x0A {
        let line = bytes[(block.end + 1)...].prefix { $0 != 0x0A }
        footer = RecurringRule(String(decoding: line, as: UTF8.self))
      }
    }
    var periods: [Period] = []
    for at in stride(from: block.types, to: block.names, by: 6) {
      let offset = FileBlock.integer(bytes[at..<at + 4])
      let start = block.names + Int(bytes[at + 5])
      guard start < block.namesEnd, (-93_600...93_600).contains(offset) else { return nil }
      let abbreviation = bytes[start..<block.namesEnd].prefix { $0 != 0 }
      periods.append(
        Period(
          offset: Int(offset), isDaylightSaving: bytes[at + 4] != 0,
          abbreviation: String(decoding: abbreviation, as: UTF8.self)))
    }
    let transitions = stride(from: block.times, to: block.indices, by: block.timeSize).map {
      FileBlock.integer(bytes[$0..<$0 + block.timeSize])
    }
    let following = bytes[block.indices..<block.types]
    guard !periods.isEmpty, following.allSatisfy({ Int($0) < periods.count }),
      zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.init(
      name: name, transitions: transitions, following: following.map { periods[Int($0)] },
      initial: periods[0], footer: footer)
  }

  /// The offsets of the parts of one of a file's two blocks.
  private struct FileBlock {
    let timeSize: Int
    let times: Int
    let indices: Int
    let types: Int
    let names: Int
    let namesEnd: Int
    let end: Int

    init?(_ bytes: [UInt8], at start: Int, timeSize: Int) {
      guard bytes.count - start >= 44, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
        return nil
      }
      let counts = stride(from: start + 20, to: start + 44, by: 4).map {
        Int(Self.integer(bytes[$0..<$0 + 4]))
      }
      // Files are a few kilobytes; the bound prevents overflow from invalid counts.
      guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
      self.timeSize = timeSize
      times = start + 44
      indices = times + counts[3] * timeSize
      types = indices + counts[3]
      names = types + counts[4] * 6
      namesEnd = names + counts[5]
      end = namesEnd + counts[2] * (timeSize + 4) + counts[0] + counts[1]
      if end > bytes.count { return nil }
    }

    /// Reads a signed big-endian number of four or eight bytes.
    static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
      let bits = bytes.reduce(0) { $0 << 8 | UInt64($1) }
      return bytes.count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }
  }
}
