import ForeignText

/// Reads the size and metadata of a picture.
struct ImagePage {
  private let bytes: Bytes
  private let dates: PageDate
  private var page = Page()
  /// Whether Exif data was read; only the first in a file counts.
  private var hasExif = false

  private init(_ bytes: [UInt8], dates: PageDate) {
    self.bytes = Bytes(bytes: bytes)
    self.dates = dates
    page.kind = "image"
  }

  /// The maximum number of chunks read of a file.
  private static let maxParts = 10_000

  /// Reads a picture; nil if the format is unknown.
  static func page(_ bytes: [UInt8], dates: PageDate) -> Page? {
    var reader = ImagePage(bytes, dates: dates)
    return reader.read() ? reader.page : nil
  }

  private mutating func read() -> Bool {
    if bytes.has("PNG\r\n", at: 1) {
      readPNG()
    } else if bytes.number(at: 0, 2) == 0xFFD8 {
      readJPEG()
    } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
      setSize(bytes.number(at: 6, 2, isLittle: true), bytes.number(at: 8, 2, isLittle: true))
    } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
      readWebP()
    } else if bytes.has("BM", at: 0), bytes.number(at: 14, 4, isLittle: true) == 40 {
      setSize(bytes.number(at: 18, 4, isLittle: true), bytes.number(at: 22, 4, isLittle: true))
    } else if bytes.has("ftyp", at: 4),
      ["avif", "avis", "heic", "heix", "mif1", "msf1"].contains(where: {
        bytes.has($0, at: 8)
      })
    {
      // Use the size of the largest picture (ISO/IEC 23008-12, ImageSpatialExtentsProperty).
      readExtents()
    } else if bytes.has("II*\0", at: 0) || bytes.has("MM\0*", at: 0) {
      readExif(at: 0)
    } else {
      return false
    }
    return true
  }

  private mutating func setSize(_ width: Int?, _ height: Int?) {
    guard let width, let height, width > 0, height > 0 else { return }
    page.width = Int64(width)
    page.height = Int64(height)
  }

  private mutating func readExif(at place: Int) {
    guard !hasExif else { return }
    hasExif = true
    let exif = ExifTags(bytes, at: place)
    page.title = page.title ?? exif.description
    page.author = page.author ?? exif.artist
    page.date = page.date ?? dates.timestamp(exif.date)
    page.place = page.place ?? exif.place
    if page.width == nil { setSize(exif.width, exif.height) }
    // Rotated by 90° (Exif 2.3 §4.6.4, Orientation).
    if exif.isTurned { (page.width, page.height) = (page.height, page.width) }
  }

  private mutating func read(xmp text: String) {
    let data = XMPData(text)
    page.title = data.title ?? page.title
    page.author = page.author ?? data.author
    page.description = page.description ?? data.description
    page.date = page.date ?? dates.timestamp(data.date)
  }

  // MARK: Formats

  private mutating func readPNG() {
    var place = 8
    for _ in 0..<Self.maxParts {
      guard let length = bytes.number(at: place, 4), length <= bytes.count else { return }
      let data = place + 8
      if bytes.has("IHDR", at: place + 4) {
        setSize(bytes.number(at: data, 4), bytes.number(at: data + 4, 4))
      } else if bytes.has("tEXt", at: place + 4) || bytes.has("iTXt", at: place + 4) {
        readTextChunk(bytes.slice(data, length), isUnicode: bytes.has("iTXt", at: place + 4))
      } else if bytes.has("eXIf", at: place + 4) {
        readExif(at: data)
      } else if bytes.has("IEND", at: place + 4) {
        return
      }
      place = data + length + 4
    }
  }

  /// Reads a text chunk of a PNG (PNG §11.3.4): a keyword and its text.
  private mutating func readTextChunk(_ piece: ArraySlice<UInt8>, isUnicode: Bool) {
    guard let end = piece.firstIndex(of: 0) else { return }
    let keyword = String(decoding: piece[..<end], as: UTF8.self)
    var rest = piece[(end + 1)...]
    if isUnicode {
      // Skip the compression flag and method, the language and the translated keyword.
      guard rest.count > 2, rest[rest.startIndex] == 0 else { return }
      rest = rest.dropFirst(2)
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return }
        rest = rest[(end + 1)...]
      }
    }
    let text = isUnicode ? String(decoding: rest, as: UTF8.self) : String(foreign: rest)
    switch keyword {
    case "Title": page.title = CleanText.line(text)
    case "Author": page.author = CleanText.line(text)
    case "Description", "Comment": page.description = page.description ?? CleanText.line(text)
    case "Creation Time": page.date = dates.timestamp(text)
    case "XML:com.adobe.xmp": read(xmp: text)
    default: break
    }
  }

  private mutating func readJPEG() {
    var place = 2
    var exif: Int?
    defer { if let exif { readExif(at: exif) } }
    for _ in 0..<Self.maxParts {
      while bytes[place] == 0xFF, bytes[place + 1] == 0xFF { place += 1 }
      guard bytes[place] == 0xFF, let length = bytes.number(at: place + 2, 2), length >= 2 else {
        return
      }
      let marker = bytes[place + 1]
      switch marker {
      // Frames of all kinds, without the tables in the same range (ITU T.81, table B.1).
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        setSize(bytes.number(at: place + 7, 2), bytes.number(at: place + 5, 2))
        return
      case 0xE1 where bytes.has("Exif\0\0", at: place + 4):
        exif = exif ?? place + 10
      case 0xE1 where bytes.has("http://ns.adobe.com/xap/1.0/\0", at: place + 4):
        read(xmp: String(decoding: bytes.slice(place + 33, length - 31), as: UTF8.self))
      case 0xDA, 0xD9: return
      default: break
      }
      place += 2 + length
    }
  }

  private mutating func readWebP() {
    var place = 12
    for _ in 0..<Self.maxParts {
      guard let length = bytes.number(at: place + 4, 4, isLittle: true) else { return }
      let data = place + 8
      if bytes.has("VP8X", at: place) {
        setSize(
          bytes.number(at: data + 4, 3, isLittle: true).map { $0 + 1 },
          bytes.number(at: data + 7, 3, isLittle: true).map { $0 + 1 })
      } else if bytes.has("VP8 ", at: place), page.width == nil {
        setSize(
          bytes.number(at: data + 6, 2, isLittle: true).map { $0 & 0x3FFF },
          bytes.number(at: data + 8, 2, isLittle: true).map { $0 & 0x3FFF })
      } else if bytes.has("VP8L", at: place), page.width == nil,
        let bits = bytes.number(at: data + 1, 4, isLittle: true)
      {
        setSize((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
      } else if bytes.has("EXIF", at: place) {
        readExif(at: bytes.has("Exif\0\0", at: data) ? data + 6 : data)
      } else if bytes.has("XMP ", at: place) {
        read(xmp: String(decoding: bytes.slice(data, length), as: UTF8.self))
      }
      place = data + length + length % 2
    }
  }

  private mutating func readExtents() {
    var place = 0
    var largest: UInt64 = 0
    while let found = bytes.find("ispe", from: place, to: 1 << 20) {
      if let width = bytes.number(at: found + 8, 4), let height = bytes.number(at: found + 12, 4) {
        // The product of two 32-bit numbers needs 64 bits.
        let area = UInt64(width) * UInt64(height)
        if area > largest {
          largest = area
          setSize(width, height)
        }
      }
      place = found + 4
    }
  }
}
