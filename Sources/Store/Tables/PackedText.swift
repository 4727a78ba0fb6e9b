import CEL
import Compression

/// Long texts as they stand in columns: packed by zlib, as a BLOB where a text would be TEXT.
package enum PackedText {
  /// Shorter texts, in bytes, are left as they are: packing them saves nothing.
  private static let shortest = 512

  /// The column of a text.
  static func column(_ text: String) -> SQLValue {
    guard text.utf8.count >= shortest, let packed = Deflation.bytes(Array(text.utf8)),
      packed.count < text.utf8.count
    else { return .text(text) }
    return .blob(packed)
  }

  /// A packed text in the log of changes: no column has a map there, as maps are texts.
  static func logged(_ packed: [UInt8]) -> Value {
    .map(MapValue([("packed", .string(Base64.encode(packed)))]))
  }

  /// The value that the log keeps, a packed text as it was.
  static func unlogged(_ value: Value) -> Value {
    guard case .map(let map) = value, map.count == 1, case .string(let text)? = map["packed"],
      let bytes = Base64.decode(text)
    else { return value }
    return .string(self.text(bytes))
  }

  /// Whether bytes are a packed text.
  package static func isOne(_ bytes: [UInt8]) -> Bool { !text(bytes).isEmpty }

  /// The text of a packed column; empty where it is damaged from its beginning.
  static func text(_ packed: [UInt8]) -> String {
    String(decoding: Inflation.bytes(packed, limit: PropertyCodec.maximumText), as: UTF8.self)
  }
}
