import CZip

/// A streaming decompressor of gzip (RFC 1952) and zlib (RFC 1950) that detects truncation.
///
/// The target Compression owns the wrappers of zlib.
package final class GzipDecoder {
  /// Invalid compressed data.
  package struct Broken: Error {}

  // zlib keeps a pointer to the stream, so it must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  /// Whether the last member is complete.
  private var isAtEnd = false
  /// Whether more output may be available without further input.
  package private(set) var hasMore = false

  /// - Throws: `Broken` if out of memory.
  package init() throws(Broken) {
    stream.initialize(to: z_stream())
    // 32: detect zlib or gzip from the header (zlib.h).
    let status = inflateInit2_(
      stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw Broken() }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Whether the input so far ends at the end of a member.
  package var isWhole: Bool { isAtEnd }

  /// Decompresses up to `limit` bytes and consumes the input used.
  ///
  /// - Throws: `Broken` if no valid data precedes the error.
  package func decode(
    _ input: inout ArraySlice<UInt8>, limit: Int
  ) throws(Broken) -> [UInt8] {
    if isAtEnd, !input.isEmpty {
      // Members may follow one another (RFC 1952 §2.2).
      guard inflateReset(stream) == Z_OK else { throw Broken() }
      isAtEnd = false
    }
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      input.withUnsafeBufferPointer { input in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        status = inflate(stream, Z_NO_FLUSH)
      }
      count = output.count - Int(stream.pointee.avail_out)
    }
    input = input.suffix(Int(stream.pointee.avail_in))
    isAtEnd = status == Z_STREAM_END
    // Without room or input there is no progress, which is not an error.
    let isBroken = !isAtEnd && status != Z_OK && status != Z_BUF_ERROR
    hasMore = !isAtEnd && output.count == limit || isBroken
    // Return the output before the error; the next call throws it.
    if isBroken, output.isEmpty { throw Broken() }
    return output
  }
}
