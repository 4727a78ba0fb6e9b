/// The status line and the headers of a reply, as they come line by line.
struct ReplyHead {
  private(set) var status = 0
  /// The headers in their order, their names in lower case.
  private(set) var headers: [(name: String, value: String)] = []
  /// Whether all of it is there.
  private(set) var isWhole = false
  private var size = 0

  /// How many bytes all of them may have.
  static let limit = 256 << 10

  /// Whether it says where to go on (RFC 9110 §15.4).
  var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(status) && location != nil
  }

  /// Where to go on.
  var location: String? { headers.last { $0.name == "location" }?.value }

  /// Whether its fields tell different lengths of the body, or one that is not a number; the same
  /// one several times counts as one (RFC 9110 §8.6).
  var hasWrongLength: Bool {
    let lengths = headers.filter { $0.name == "content-length" }
      .flatMap {
        $0.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      }
      .map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
    return lengths.contains { length in
      length != lengths[0] || length.isEmpty || !length.allSatisfy { 0x30...0x39 ~= $0 }
    }
  }

  /// How the body is packed, in the order in which that was done (RFC 9110 §8.4).
  var encodings: [String] {
    headers.filter { $0.name == "content-encoding" }
      .flatMap { $0.value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }
      .map { String($0) }.filter { $0 != "identity" }
  }

  /// Takes a line; false when it is too much.
  mutating func take(_ line: [UInt8]) -> Bool {
    size += line.count
    guard size <= Self.limit else { return false }
    if line.starts(with: Array("HTTP/".utf8)) {
      // The head after an interim reply takes its place.
      let words = line.split(separator: 0x20, maxSplits: 2)
      status = words.count > 1 ? Int(String(decoding: words[1].prefix(3), as: UTF8.self)) ?? 0 : 0
      headers = []
      isWhole = false
      return true
    }
    if line.first == 0x0D || line.first == 0x0A { isWhole = true }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    let end = value.lastIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D && $0 != 0x0A }
    let text = end.map { String(decoding: value[...$0], as: UTF8.self) } ?? ""
    headers.append((name, text))
    return true
  }
}
