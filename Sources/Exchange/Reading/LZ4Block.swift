/// Decompresses Firefox's backups, `*.jsonlz4`: a mark, the size of the text, and one LZ4 block.
enum LZ4Block {
  /// The mark at the beginning of such a file.
  static let firefoxMark = Array("mozLz40\0".utf8)
  /// Maximum size of the text in bytes.
  private static let maxBytes = 512 << 20

  /// Returns the text of a file; a truncated file gives its intact part.
  ///
  /// - Throws: `ExchangeError` if the size is implausible.
  static func firefoxText(_ file: [UInt8]) throws -> [UInt8] {
    let start = firefoxMark.count + 4
    guard file.count > start else { return [] }
    let size = (0..<4).reduce(0) { $0 | Int(file[firefoxMark.count + $1]) << (8 * $1) }
    guard size <= maxBytes else { throw ExchangeError.tooLarge(bytes: maxBytes) }
    return decompressed(file[start...], size: size)
  }

  /// Decompresses a block (LZ4 Block Format) up to its end or the first error.
  static func decompressed(_ block: ArraySlice<UInt8>, size: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(min(size, block.count * 8))
    var index = block.startIndex
    func length(_ nibble: Int) -> Int {
      guard nibble == 15 else { return nibble }
      var length = 15
      while index < block.endIndex {
        let byte = block[index]
        index += 1
        length += Int(byte)
        if byte != 255 { break }
      }
      return length
    }
    while index < block.endIndex, output.count < size {
      let token = Int(block[index])
      index += 1
      let literals = length(token >> 4)
      let end = min(index + literals, block.endIndex)
      output += block[index..<end].prefix(size - output.count)
      index = end
      guard index + 1 < block.endIndex else { break }
      let distance = Int(block[index]) | Int(block[index + 1]) << 8
      index += 2
      guard distance > 0, distance <= output.count else { break }
      let count = min(length(token & 15) + 4, size - output.count)
      let from = output.count - distance
      // A match may overlap its own output.
      for offset in 0..<max(count, 0) { output.append(output[from + offset]) }
    }
    return output
  }
}
