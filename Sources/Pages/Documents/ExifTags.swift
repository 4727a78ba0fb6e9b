import ForeignText

/// The Exif metadata of a picture (Exif 2.3 §4.6).
struct ExifTags {
  private(set) var description: String?
  private(set) var artist: String?
  private(set) var date: String?
  private(set) var width: Int?
  private(set) var height: Int?
  /// The location where it was taken, in degrees.
  private(set) var place: (latitude: Double, longitude: Double)?
  /// Whether the picture is displayed rotated by 90°.
  private(set) var isTurned = false

  /// The offset of the GPS directory.
  private var places: Int?

  private let bytes: Bytes
  private let start: Int
  private let isLittle: Bool

  /// The remaining budget for texts in bytes, since many entries may point to one long text.
  private var textLeft = 64 << 10

  /// The maximum number of entries read of a directory.
  private static let maxEntries = 500

  init(_ bytes: Bytes, at start: Int) {
    self.bytes = bytes
    self.start = start
    isLittle = bytes.has("II", at: start)
    guard isLittle || bytes.has("MM", at: start), let offset = number(at: 4, 4) else { return }
    if let inner = read(offset) { _ = read(inner) }
    if let places { readPlace(places) }
  }

  private func number(at offset: Int, _ size: Int) -> Int? {
    bytes.number(at: start + offset, size, isLittle: isLittle)
  }

  /// Reads a directory; returns the offset of the Exif directory.
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
      case 0x8825: places = number(at: entry + 8, 4)
      default: break
      }
    }
    return inner
  }

  /// Reads the GPS directory (Exif 2.3 §4.6.6): degrees, minutes and seconds, and the hemisphere.
  private mutating func readPlace(_ folder: Int) {
    var degrees: [Int: Double] = [:]
    var isNegative: [Int: Bool] = [:]
    for index in 0..<min(number(at: folder, 2) ?? 0, Self.maxEntries) {
      let entry = folder + 2 + index * 12
      switch number(at: entry, 2) {
      case let tag? where tag == 1 || tag == 3:
        let half = number(at: entry + 8, 1).map { UInt8(truncatingIfNeeded: $0) }
        isNegative[tag] = half == UInt8(ascii: "S") || half == UInt8(ascii: "W")
      case let tag? where tag == 2 || tag == 4:
        guard number(at: entry + 4, 4) == 3, let offset = number(at: entry + 8, 4) else { continue }
        let parts = (0..<3).map { part -> Double in
          let above = number(at: offset + part * 8, 4) ?? 0
          let below = number(at: offset + part * 8 + 4, 4) ?? 0
          return below == 0 ? 0 : Double(above) / Double(below)
        }
        degrees[tag - 1] = parts[0] + parts[1] / 60 + parts[2] / 3_600
      default: break
      }
    }
    guard let north = degrees[1], let east = degrees[3], north <= 90, east <= 180,
      north != 0 || east != 0
    else { return }
    place = (
      isNegative[1] == true ? -north : north, isNegative[3] == true ? -east : east
    )
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

  /// A date such as `2026:11:20 14:00:00`, with hyphens in its day.
  private mutating func moment(_ entry: Int) -> String? {
    guard let text = text(entry), !text.hasPrefix("0000") else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return nil }
    return parts[0].replacing(":", with: "-") + "T" + parts[1]
  }
}
