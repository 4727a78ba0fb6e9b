import CZip

/// Unpacks what zlib packed (RFC 1950), or gzip (RFC 1952).
package enum Inflation {
  /// The bytes, as many as could be unpacked, at most so many.
  package static func bytes(_ packed: some Sequence<UInt8>, limit: Int) -> [UInt8] {
    var input = Array(packed)
    guard !input.isEmpty, limit > 0 else { return [] }
    var stream = z_stream()
    // 32: whether it is zlib or gzip is seen by the header (zlib.h).
    guard
      inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while output.count < limit {
        let (status, count) = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          let status = inflate(&stream, Z_NO_FLUSH)
          return (status, buffer.count - Int(stream.avail_out))
        }
        output += buffer[..<min(count, limit - output.count)]
        guard status == Z_OK, count > 0 || stream.avail_in > 0 else { break }
      }
    }
    return output
  }
}
