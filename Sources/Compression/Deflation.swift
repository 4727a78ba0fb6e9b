import CZip

/// Compresses bytes with zlib (RFC 1950).
package enum Deflation {
  /// Returns the compressed bytes; nil if out of memory.
  package static func bytes(_ bytes: [UInt8]) -> [UInt8]? {
    var count = compressBound(UInt(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&packed, &count, bytes, UInt(bytes.count), Z_DEFAULT_COMPRESSION) == Z_OK else {
      return nil
    }
    packed.removeSubrange(Int(count)...)
    return packed
  }
}
