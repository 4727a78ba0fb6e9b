import CZip

/// Unpacks gzip (RFC 1952) or zlib (RFC 1950) piece by piece, and knows whether the end was there.
package final class GzipDecoder {
  /// The bytes are not what they should be.
  package struct Broken: Error {}

  // zlib keeps the address of the stream, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  /// Whether the last member has ended.
  private var isAtEnd = false
  /// Whether unpacked bytes may be left that need no more input.
  package private(set) var hasMore = false

  /// - Throws: `Broken` where there is no memory for it.
  package init() throws(Broken) {
    stream.initialize(to: z_stream())
    // 32: whether it is zlib or gzip is seen by the header (zlib.h).
    let status = inflateInit2_(
      stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw Broken() }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether all that came ended where it should.
  package var isWhole: Bool { isAtEnd }

  /// Unpacks up to so many bytes, and takes the input that they were made of.
  package func decode(
    _ input: inout ArraySlice<UInt8>, limit: Int
  ) throws(Broken) -> [UInt8] {
    if isAtEnd, !input.isEmpty {
      // Members may follow one another (RFC 1952 §2.2).
      guard inflateReset(stream) == Z_OK else { throw Broken() }
      isAtEnd = false
    }
    var bytes = Array(input)
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      bytes.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        status = inflate(stream, Z_NO_FLUSH)
      }
      count = output.count - Int(stream.pointee.avail_out)
    }
    input = input.suffix(Int(stream.pointee.avail_in))
    isAtEnd = status == Z_STREAM_END
    hasMore = !isAtEnd && output.count == limit
    // Without room or input there is no progress, which is no mistake.
    guard isAtEnd || status == Z_OK || status == Z_BUF_ERROR else { throw Broken() }
    return output
  }
}
