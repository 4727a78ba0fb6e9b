import Pages

/// What a server says that a body is (RFC 9110 §8.3).
struct ContentType {
  /// The type and subtype in lower case, such as `text/html`; empty when it says nothing.
  let name: String
  private let header: String

  init(_ header: String) {
    let parts = header.split(separator: ";").map { $0.trimmed.lowercased() }
    name = parts.first ?? ""
    self.header = header
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

  /// The text of bytes: by the mark at their beginning, by what the server or the text itself says
  /// of its encoding, or by its look; what is no character becomes U+FFFD.
  func text(of bytes: [UInt8]) -> String {
    // JSON is UTF-8, whatever else is said (RFC 8259 §8.1).
    isJSON && !bytes.isEmpty && String(validating: bytes, as: UTF8.self) != nil
      ? TextEncoding.utf8.text(of: bytes) ?? ""
      : PageParser.text(of: bytes, mediaType: header)
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
