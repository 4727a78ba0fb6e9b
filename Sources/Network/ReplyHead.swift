/// The status line and headers of a response, received line by line.
struct ReplyHead {
  private(set) var status = 0
  /// The headers in order, with names in lower case.
  private(set) var headers: [(name: String, value: String)] = []
  /// Whether all headers have been received.
  private(set) var isWhole = false
  private var size = 0

  /// Maximum size of all headers in bytes.
  static let limit = 256 << 10

  /// Whether it is a redirect with a location (RFC 9110 §15.4).
  var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(status) && location != nil
  }

  /// The target of a redirect.
  var location: String? { headers.last { $0.name == "location" }?.value }

  /// Whether the Content-Length fields differ or are not sizes; repeated equal values are allowed
  /// (RFC 9110 §8.6).
  var hasWrongLength: Bool {
    let lengths = headers.filter { $0.name == "content-length" }
      .flatMap {
        $0.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      }
      .map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
    return lengths.contains { length in
      length != lengths[0] || !length.allSatisfy { 0x30...0x39 ~= $0 }
        || Int64(String(decoding: length, as: UTF8.self)) == nil
    }
  }

  /// The content encodings, in the order they were applied (RFC 9110 §8.4).
  var encodings: [String] {
    headers.filter { $0.name == "content-encoding" }
      .flatMap { $0.value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" } }
      .map { String($0) }.filter { $0 != "identity" }
  }

  /// Adds a line; false if the headers exceed the limit.
  mutating func take(_ line: [UInt8]) -> Bool {
    size += line.count
    guard size <= Self.limit else { return false }
    if line.starts(with: "HTTP/".utf8) {
      // The final response replaces an interim one.
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
