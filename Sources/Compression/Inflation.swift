/// Decompresses zlib (RFC 1950) or gzip (RFC 1952) data.
package enum Inflation {
  /// Returns the decompressed bytes up to an error, and at most `limit` of them.
  package static func bytes(_ packed: some Sequence<UInt8>, limit: Int) -> [UInt8] {
    var input = Array(packed)[...]
    var output: [UInt8] = []
    guard !input.isEmpty, let decoder = try? GzipDecoder() else { return [] }
    while output.count < limit, !decoder.isWhole,
      let piece = try? decoder.decode(&input, limit: min(64 << 10, limit - output.count)),
      !piece.isEmpty
    {
      output += piece
    }
    return output
  }
}
