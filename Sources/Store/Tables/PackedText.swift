import CEL
import Compression

/// Long texts compressed by zlib, stored as a BLOB instead of TEXT.
package enum PackedText {
  /// The minimum length in bytes; compressing shorter texts saves nothing.
  private static let shortest = 512

  /// The column value of a text.
  static func column(_ text: String) -> SQLValue {
    guard text.utf8.count >= shortest, let packed = Deflation.bytes(Array(text.utf8)),
      packed.count < text.utf8.count
    else { return .text(text) }
    return .blob(packed)
  }

  /// A compressed text in the change log: a map, which no other column is.
  static func logged(_ packed: [UInt8]) -> Value {
    .map(MapValue([("packed", .string(Base64.encode(packed)))]))
  }

  /// The value of a logged column, with a compressed text decompressed.
  static func unlogged(_ value: Value) -> Value {
    guard case .map(let map) = value, map.count == 1, case .string(let text)? = map["packed"],
      let bytes = Base64.decode(text)
    else { return value }
    return .string(self.text(bytes))
  }

  /// Whether bytes are a compressed text.
  package static func isOne(_ bytes: [UInt8]) -> Bool { !text(bytes).isEmpty }

  /// The text of a compressed column; empty when it is damaged from the start.
  static func text(_ packed: [UInt8]) -> String {
    String(decoding: Inflation.bytes(packed, limit: PropertyCodec.maximumText), as: UTF8.self)
  }
}
