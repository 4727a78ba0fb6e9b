/// What a server says that a body is (RFC 9110 §8.3).
struct ContentType {
  /// The type and subtype in lower case, such as `text/html`; empty when it says nothing.
  let name: String
  private let charset: String

  init(_ header: String) {
    let parts = header.split(separator: ";").map { $0.trimmed.lowercased() }
    name = parts.first ?? ""
    let parameter = parts.dropFirst().first { $0.hasPrefix("charset=") }
    charset = parameter.map { $0.dropFirst(8).filter { $0 != "\"" } } ?? ""
  }

  /// Whether it is JSON (RFC 6839 §3.1).
  var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

  /// Whether it is text that a person can read.
  var isText: Bool {
    name.hasPrefix("text/") || isJSON || name.hasSuffix("+xml")
      || [
        "application/xml", "application/javascript", "application/x-www-form-urlencoded",
        "application/yaml", "application/x-yaml", "application/toml", "application/jsonl",
        "application/x-ndjson", "application/sql",
      ].contains(name)
  }

  /// The text of bytes; what is not of the named character set becomes U+FFFD.
  func text(of bytes: [UInt8]) -> String {
    let encoding: TextEncoding =
      switch charset {
      case "iso-8859-1", "latin1", "windows-1252", "iso-8859-15": .latin1
      case "utf-16", "utf-16le", "utf-16be": .utf16
      default: .utf8
      }
    return encoding.text(of: bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}

extension Substring {
  /// The text without blanks around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
