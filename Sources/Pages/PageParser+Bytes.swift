import ForeignText

extension PageParser {
  /// How much of a document is looked at.
  package static let maxBytes = 64 << 20

  /// What a document tells, by what is in it, whatever it is said to be.
  ///
  /// - Parameters:
  ///   - url: The address that it came from; empty where that is not known.
  ///   - mediaType: What the server says that it is; only its encoding counts.
  ///   - budget: Is spent on the way; where it ends, what was read until then counts.
  package func page(
    _ bytes: [UInt8], url: String, mediaType: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Page {
    let bytes = bytes.count > Self.maxBytes ? Array(bytes[..<Self.maxBytes]) : bytes
    if let page = PDFPage.page(bytes, dates: dates, budget) { return page }
    if let page = ImagePage.page(bytes, dates: dates) { return page }
    guard !Self.isBinary(bytes) else {
      var page = Page()
      page.kind = "file"
      return page
    }
    return page(DecodedText(bytes, mediaType: mediaType).text, url: url, budget)
  }

  /// Whether bytes are rather no text: they have zeros, and no mark of UTF-16.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1_024)
    guard !start.starts(with: [0xFF, 0xFE]), !start.starts(with: [0xFE, 0xFF]) else { return false }
    let zeros = start.count { $0 == 0 }
    let controls = start.count { $0 < 0x08 || (0x0E...0x1A).contains($0) }
    // Texts in UTF-16 without a mark have a zero in every second byte.
    return zeros > 0 && zeros < start.count * 2 / 5 || controls - zeros > start.count / 20
  }
}
