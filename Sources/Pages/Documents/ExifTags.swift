import ForeignText

/// What a camera or its owner wrote into a picture (Exif 2.3 §4.6).
struct ExifTags {
  private(set) var description: String?
  private(set) var artist: String?
  private(set) var date: String?
  private(set) var width: Int?
  private(set) var height: Int?
  /// Whether the picture is shown turned by a quarter.
  private(set) var isTurned = false

  private let bytes: Bytes
  private let start: Int
  private let isLittle: Bool

  /// How many bytes of texts are still read; many entries may point to one long text.
  private var textLeft = 64 << 10

  /// How many entries of a folder are looked at.
  private static let maxEntries = 500

  init(_ bytes: Bytes, at start: Int) {
    self.bytes = bytes
    self.start = start
    isLittle = bytes.has("II", at: start)
    guard isLittle || bytes.has("MM", at: start), let offset = number(at: 4, 4) else { return }
    if let inner = read(offset) { _ = read(inner) }
  }

  private func number(at offset: Int, _ size: Int) -> Int? {
    bytes.number(at: start + offset, size, isLittle: isLittle)
  }

  /// Reads a folder of entries; gives where the one with the times of the picture lies.
  private mutating func read(_ folder: Int) -> Int? {
    var inner: Int?
    guard let count = number(at: folder, 2) else { return nil }
    for index in 0..<min(count, Self.maxEntries) {
      let entry = folder + 2 + index * 12
      guard let tag = number(at: entry, 2) else { break }
      switch tag {
      case 0x0100: width = number(entry)
      case 0x0101: height = number(entry)
      case 0x010E: description = text(entry)
      case 0x0112: isTurned = (5...8).contains(number(entry) ?? 1)
      case 0x013B: artist = text(entry)
      case 0x0132: date = date ?? moment(entry)
      case 0x9003: date = moment(entry) ?? date
      case 0x8769: inner = number(at: entry + 8, 4)
      default: break
      }
    }
    return inner
  }

  private func number(_ entry: Int) -> Int? {
    number(at: entry + 2, 2) == 3 ? number(at: entry + 8, 2) : number(at: entry + 8, 4)
  }

  private mutating func text(_ entry: Int) -> String? {
    guard number(at: entry + 2, 2) == 2, let count = number(at: entry + 4, 4), count < 10_000,
      count <= textLeft, let offset = count <= 4 ? entry + 8 : number(at: entry + 8, 4)
    else { return nil }
    textLeft -= count
    let piece = bytes.slice(start + offset, count).prefix { $0 != 0 }
    return CleanText.line(String(foreign: piece))
  }

  /// `2026:11:20 14:00:00`, the colons of its day made hyphens.
  private mutating func moment(_ entry: Int) -> String? {
    guard let text = text(entry), !text.hasPrefix("0000") else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return nil }
    return parts[0].replacing(":", with: "-") + "T" + parts[1]
  }
}
