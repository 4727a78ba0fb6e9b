import ForeignText

extension PageParser {
  /// The maximum number of bytes read of a document.
  package static let maxBytes = 64 << 20

  /// Reads a document of any kind, detected from its content.
  ///
  /// - Parameters:
  ///   - url: The URL of the document; empty if unknown.
  ///   - mediaType: The server's media type; only its charset is used.
  ///   - budget: Limits the work; if it runs out, the result is incomplete.
  package func page(
    _ bytes: [UInt8], url: String, mediaType: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Page {
    let bytes = bytes.count > Self.maxBytes ? Array(bytes[..<Self.maxBytes]) : bytes
    if let page = PDFPage.page(bytes, dates: dates, budget) { return page }
    if let page = ImagePage.page(bytes, dates: dates) { return page }
    let isNamed = DecodedText.charset(ofMediaType: mediaType) != nil
    guard isNamed || !Self.isBinary(bytes) else {
      var page = Page()
      page.kind = "file"
      return page
    }
    return large.read(bytes.count, budget) {
      parsed(DecodedText(bytes, mediaType: mediaType).text, url: url, budget)
    }
  }

  /// The readable text of a document.
  package func readable(_ bytes: [UInt8], _ budget: ReadingBudget = ReadingBudget()) -> String {
    let page = page(bytes, url: "", mediaType: "", budget)
    return page.kind == "pdf" ? page.text : readable(DecodedText(bytes).text, budget)
  }

  /// Reads a feed; nil if the bytes are not one.
  package func feed(
    _ bytes: [UInt8], url: String, mediaType: String, _ budget: ReadingBudget = ReadingBudget()
  ) -> Feed? {
    let bytes = bytes.count > Self.maxBytes ? Array(bytes[..<Self.maxBytes]) : bytes
    return feed(DecodedText(bytes, mediaType: mediaType).text, url: url, budget)
  }

  /// Whether the bytes are binary: with zeros or control characters, and not UTF-16.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1_024)
    if Charset.mark(bytes) != nil || DecodedText.unmarked(bytes) != nil { return false }
    let zeros = start.count { $0 == 0 }
    let controls = start.count { $0 < 0x08 || (0x0E...0x1A).contains($0) }
    // UTF-16 without a byte order mark has zeros in every second byte.
    return zeros > 0 && zeros < start.count * 2 / 5 || controls - zeros > start.count / 20
  }
}
