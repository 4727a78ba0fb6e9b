import CEL
import Items

/// A hash of an item's contents, by which an import finds again what has no other identity.
enum ContentHash {
  /// A UUID of version 8 made of the entity, the given values and the time of creation.
  static func uid(
    of draft: ItemStore.PreparedDraft, in table: EntityTable, codec: PropertyCodec
  ) -> GlobalID {
    var hash = FNV()
    hash.combine(table.name)
    if let created = draft.createdAt { hash.combine(String(created.microseconds)) }
    for (index, property) in table.schema.properties.enumerated() {
      guard let value = draft.given[index] else { continue }
      hash.combine(property.name)
      switch codec.column(value, of: property.type) {
      case .null: hash.combine("null")
      case .int(let int): hash.combine(String(int))
      case .double(let number): hash.combine(String(number))
      case .text(let text): hash.combine(text)
      case .blob: break
      }
    }
    let high = UInt64(truncatingIfNeeded: hash.state >> 64)
    let low = UInt64(truncatingIfNeeded: hash.state)
    return GlobalID(
      high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// FNV-1a in 128 bits (the FNV draft, draft-eastlake-fnv, §5).
  private struct FNV {
    var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Adds a text and a byte that no text has.
    mutating func combine(_ text: String) {
      for byte in text.utf8 { combine(byte) }
      combine(0xFF)
    }

    private mutating func combine(_ byte: UInt8) {
      state = (state ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
  }
}
