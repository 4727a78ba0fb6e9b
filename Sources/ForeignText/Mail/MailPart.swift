/// A mail or a part of one: header fields, an empty line and a body.
struct MailPart {
  private var fields: [(name: String, value: String)] = []
  private let body: ArraySlice<UInt8>

  /// Maximum number of header fields.
  private static let maxFields = 500

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let line = Self.line(&rest), fields.count < Self.maxFields {
      if line.isEmpty { break }
      let text = MailText.text(line, charset: "")
      if let first = text.first, first == " " || first == "\t" {
        // Folded field (RFC 5322 §2.2.3).
        if let last = fields.indices.last { fields[last].value += text }
        continue
      }
      guard let colon = text.firstIndex(of: ":") else { continue }
      fields.append(
        (text[..<colon].lowercased(), String(text[text.index(after: colon)...])))
    }
    body = rest
  }

  /// Consumes the next line and returns it without its line ending.
  static func line(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
    var line = rest[..<end]
    if line.last == 0x0D { line.removeLast() }
    rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
    return line
  }

  /// Returns the value of a field given by its lowercase name.
  func header(_ name: String) -> String? {
    fields.first { $0.name == name }.map { String($0.value.drop { $0 == " " || $0 == "\t" }) }
  }

  /// The media type in lower case; `text/plain` by default (RFC 2045 §5.2).
  var type: String {
    let value = header("content-type")?.prefix { $0 != ";" }.lowercased() ?? ""
    let type = value.filter { !$0.isWhitespace }
    return type.contains("/") ? type : "text/plain"
  }

  /// Returns a parameter of a field, such as `boundary`, joining the continuations of RFC 2231.
  func parameter(_ name: String, of field: String) -> String? {
    guard let value = header(field) else { return nil }
    let found = MailText.parameters(value)
    if let text = found[name] { return text }
    if let text = found[name + "*"] { return MailText.extended(text) }
    var joined = ""
    var isExtended = false
    for number in 0..<100 {
      if let text = found["\(name)*\(number)"] {
        joined += text
      } else if let text = found["\(name)*\(number)*"] {
        isExtended = true
        joined += text
      } else {
        break
      }
    }
    if joined.isEmpty { return nil }
    return isExtended ? MailText.extended(joined) : joined
  }

  /// Returns the first parts of those separated by a boundary (RFC 2046 §5.1.1).
  func parts(_ boundary: String, limit: Int) -> [MailPart] {
    let marker = Array(("--" + boundary).utf8)
    var parts: [MailPart] = []
    var rest = body
    var start: Int?
    while parts.count < limit {
      let position = rest.startIndex
      guard let line = Self.line(&rest) else { break }
      guard line.starts(with: marker) else { continue }
      let after = line.dropFirst(marker.count)
      let isEnd = after.starts(with: [0x2D, 0x2D])
      guard isEnd || after.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      if let start { parts.append(MailPart(Self.trimmed(body[start..<position]))) }
      start = rest.startIndex
      if isEnd { return parts }
    }
    // Keep a truncated last part.
    if let start, parts.count < limit { parts.append(MailPart(body[start..<body.endIndex])) }
    return parts
  }

  /// Removes the line ending before a boundary, which belongs to it.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    return bytes
  }

  /// The decoded bytes of the body.
  var content: [UInt8] {
    switch header("content-transfer-encoding")?.lowercased().filter({ !$0.isWhitespace }) {
    case "base64"?: MailText.base64(body)
    case "quoted-printable"?: MailText.quotedPrintable(body)
    default: Array(body)
    }
  }

  /// The body as text with LF line endings.
  var text: String {
    let text = MailText.text(content, charset: parameter("charset", of: "content-type") ?? "")
    return text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
  }
}
