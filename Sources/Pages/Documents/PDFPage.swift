import Compression
import ForeignText

/// Reads the metadata of a PDF: its information dictionary and its XMP (ISO 32000-1 §14.3).
///
/// Cross-reference tables are often wrong, so objects are found by scanning the whole file; object
/// streams are decompressed.
struct PDFPage {
  private let bytes: Bytes
  private let budget: ReadingBudget
  /// The offsets of objects by number; the last one counts.
  private var places: [Int: Int] = [:]
  /// Objects in object streams, by number: the decompressed bytes and the offset.
  private var packed: [Int: (Bytes, Int)] = [:]
  /// The offsets of trailer dictionaries, in order.
  private var trailerPlaces: [Int] = []
  private var unpackedBytes = 0
  /// The number of compressed bytes read so far; streams may overlap.
  private var packedBytes = 0
  /// The bytes of the dictionaries that were read to find streams; more than the file has only if they
  /// lie within each other.
  private var headBytes = 0
  private var packs = 0
  /// The cached result of `endOfStream`: the start from which it is valid, and the offset or nil.
  private var knownEnd: (start: Int, end: Int?)?

  /// The maximum number of objects.
  private static let maxObjects = 500_000
  /// The maximum number of object streams.
  private static let maxPacks = 2_000
  /// The maximum number of trailers, counted from the end.
  private static let maxTrailers = 64
  /// The maximum total size of decompressed data.
  private static let maxUnpacked = 32 << 20
  /// The maximum size of a stream's or trailer's dictionary in bytes.
  private static let maxHead = 16 << 10

  private init(_ bytes: [UInt8], _ budget: ReadingBudget) {
    self.bytes = Bytes(bytes: bytes)
    self.budget = budget
  }

  /// Reads a PDF; nil if it is not one.
  static func page(_ bytes: [UInt8], dates: PageDate, _ budget: ReadingBudget) -> Page? {
    var reader = PDFPage(bytes, budget)
    // Bytes before the header are allowed (Adobe's implementation note 13).
    guard reader.bytes.find("%PDF-", from: 0, to: 1_024) != nil else { return nil }
    reader.findObjects()
    return reader.page(dates)
  }

  private mutating func page(_ dates: PageDate) -> Page {
    var page = Page()
    page.kind = "pdf"
    let trailers = trailers
    let trailer = trailers.last { $0["Root"] != nil }
    let root = trailer.flatMap { object($0["Root"]) }
    page.pages = (root.flatMap { object($0["Pages"]) }?["Count"]).flatMap { object($0)?.number }
      .map { Int64($0) }
    if case .text(let language)? = root?["Lang"].flatMap({ object($0) }) {
      page.language = LanguageTag.normalized(Self.text(language))
    }
    // In an encrypted file, strings are encrypted as well; XMP may be plain.
    if trailer?["Encrypt"] == nil,
      let info = trailers.last(where: { $0["Info"] != nil }).flatMap({
        object($0["Info"])
      })
    {
      func text(_ name: String) -> String? {
        guard case .text(let bytes)? = object(info[name]) else { return nil }
        return CleanText.line(Self.text(bytes))
      }
      page.title = text("Title")
      page.author = text("Author")
      page.description = text("Subject")
      page.date = dates.timestamp(text("CreationDate"))
      page.modified = dates.timestamp(text("ModDate"))
    }
    if let xml = xmp(root) {
      let data = XMPData(xml)
      page.title = data.title ?? page.title
      page.author = data.author ?? page.author
      page.description = data.description ?? page.description
      page.date = page.date ?? dates.timestamp(data.date)
      page.language = page.language ?? data.language.flatMap(LanguageTag.normalized)
    }
    return page
  }

  /// The XMP of the document, else the first uncompressed XMP in the file.
  private mutating func xmp(_ root: PDFValue?) -> String? {
    if case .reference(let number)? = root?["Metadata"], let place = places[number],
      let stream = stream(at: place, limit: 4 << 20)
    {
      return String(decoding: stream, as: UTF8.self)
    }
    guard let start = bytes.find("<x:xmpmeta", from: 0),
      let end = bytes.find("</x:xmpmeta>", from: start)
    else { return nil }
    return String(decoding: bytes.slice(start, min(end - start + 12, 4 << 20)), as: UTF8.self)
  }

  // MARK: Objects

  private func object(_ value: PDFValue?) -> PDFValue? {
    guard case .reference(let number)? = value else { return value }
    if let place = places[number] {
      var scanner = PDFScanner(bytes, at: place)
      return scanner.value()
    }
    guard let (bytes, place) = packed[number] else { return nil }
    var scanner = PDFScanner(bytes, at: place)
    return scanner.value()
  }

  /// The dictionaries of the last trailers, in order.
  private var trailers: [PDFValue] {
    trailerPlaces.suffix(Self.maxTrailers).map { place in
      var scanner = PDFScanner(bytes, at: place, length: Self.maxHead)
      return scanner.value()
    }
  }

  /// The offset of the next `endstream` at or after a start; nil if there is none.
  ///
  /// - Complexity: O(n) in total for queries in ascending order.
  private mutating func endOfStream(from start: Int) -> Int? {
    if let known = knownEnd, start >= known.start, known.end.map({ start <= $0 }) ?? true {
      return known.end
    }
    let end = bytes.find("endstream", from: start)
    _ = budget.spend((end ?? bytes.count) - min(start, bytes.count))
    knownEnd = (start, end)
    return end
  }

  private mutating func findObjects() {
    var position = 0
    var count = 0
    while position < bytes.count, count < Self.maxObjects, budget.spend(1) {
      let byte = bytes[position]
      if byte == UInt8(ascii: "o"), bytes.has("obj", at: position),
        let number = number(before: position)
      {
        count += 1
        places[number] = position + 3
        unpack(at: position + 3)
      } else if byte == UInt8(ascii: "t"), bytes.has("trailer", at: position) {
        trailerPlaces.append(position + 7)
      } else if byte == UInt8(ascii: "s"), bytes.has("stream", at: position),
        !bytes.has("end", at: position - 3),
        let end = endOfStream(from: position)
      {
        position = end + 8
      }
      position += 1
    }
  }

  /// The object number in `12 0 obj`.
  private func number(before place: Int) -> Int? {
    var position = place - 1
    func skipSpaces() -> Bool {
      let start = position
      while position >= 0, bytes[position].isBlank { position -= 1 }
      return position < start
    }
    func digits() -> Int? {
      let end = position
      while position >= 0, (0x30...0x39).contains(bytes[position]), end - position < 10 {
        position -= 1
      }
      return Int(String(decoding: bytes.slice(position + 1, end - position), as: UTF8.self))
    }
    _ = skipSpaces()
    guard digits() != nil, skipSpaces() else { return nil }
    return digits()
  }

  /// Reads an object if it is an object stream or a cross-reference stream.
  private mutating func unpack(at place: Int) {
    guard packs < Self.maxPacks, headBytes <= bytes.count,
      bytes.find("/ObjStm", from: place, to: place + 512) != nil
        || bytes.find("/XRef", from: place, to: place + 512) != nil
    else { return }
    packs += 1
    var scanner = PDFScanner(bytes, at: place, length: Self.maxHead)
    let value = scanner.value()
    headBytes += scanner.position - place
    switch value["Type"]?.name {
    case "XRef": trailerPlaces.append(place)
    case "ObjStm":
      guard let count = value["N"]?.number, let first = value["First"]?.number,
        let content = stream(at: place, limit: Self.maxUnpacked - unpackedBytes)
      else { return }
      unpackedBytes += content.count
      let inner = Bytes(bytes: content)
      var index = PDFScanner(inner, at: 0)
      for _ in 0..<min(max(count, 0), 10_000) {
        guard packed.count < Self.maxObjects, let number = index.value().number,
          let offset = index.value().number
        else { return }
        // Both have at most eleven digits, so the sum cannot overflow.
        packed[number] = (inner, first + offset)
      }
    default: break
    }
  }

  /// The decompressed stream of an object; nil if it has none or uses another filter.
  private mutating func stream(at place: Int, limit: Int) -> [UInt8]? {
    var scanner = PDFScanner(bytes, at: place, length: Self.maxHead)
    let value = scanner.value()
    scanner.skipSpaces()
    guard bytes.has("stream", at: scanner.position), limit > 0 else { return nil }
    var start = scanner.position + 6
    if bytes[start] == 0x0D { start += 1 }
    if bytes[start] == 0x0A { start += 1 }
    let length =
      object(value["Length"])?.number ?? (endOfStream(from: start) ?? bytes.count) - start
    let content = bytes.slice(start, length)
    packedBytes += content.count
    guard packedBytes <= 2 * bytes.count, budget.spend(content.count) else { return nil }
    let filter: String? =
      if case .list(let filters)? = value["Filter"] {
        filters.count == 1 ? filters[0].name : filters.isEmpty ? nil : "several"
      } else {
        value["Filter"]?.name
      }
    switch filter {
    case nil: return Array(content.prefix(limit))
    case "FlateDecode":
      // Predictors are used for rows of numbers, never for text.
      guard value["DecodeParms"]?["Predictor"]?.number ?? 1 == 1 else { return nil }
      return Inflation.bytes(content, limit: limit)
    default: return nil
    }
  }

  // MARK: Texts

  /// Decodes a text string (§7.9.2): UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding.
  private static func text(_ bytes: [UInt8]) -> String {
    if Charset.mark(bytes) != nil { return DecodedText(bytes).text }
    // Many programs write UTF-8 without a byte order mark.
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map(character)))
  }

  /// Decodes PDFDocEncoding (annex D.3): Latin-1 with different characters from 0x80 to 0xA0.
  private static func character(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0xA0).contains(byte) else { return Unicode.Scalar(byte) }
    let special = Array("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€".unicodeScalars)
    return special[Int(byte) - 0x80]
  }
}
