import ForeignText

/// Language tags (BCP 47).
enum LanguageTag {
  /// Normalizes a tag such as `en_us` to `en-US`; nil if the text is not one.
  static func normalized(_ text: String) -> String? {
    let first = text.split { $0 == "," || $0 == ";" || $0 == " " || $0 == "." }.first ?? ""
    let parts = first.split { $0 == "-" || $0 == "_" }
    guard let language = parts.first, (2...3).contains(language.utf8.count),
      parts.count <= 4, first.utf8.count <= 35,
      parts.allSatisfy({ $0.utf8.allSatisfy { $0.isLetter || (0x30...0x39).contains($0) } })
    else { return nil }
    let code = language.lowercased()
    guard code.utf8.allSatisfy(\.isLetter), code != "und", code != "xx" else { return nil }
    var result = code
    for part in parts.dropFirst() {
      // RFC 5646 §2.1.1: scripts have four letters, regions two.
      switch part.utf8.count {
      case 2: result += "-" + part.uppercased()
      case 4 where part.utf8.allSatisfy(\.isLetter):
        result += "-" + part.prefix(1).uppercased() + part.dropFirst().lowercased()
      default: result += "-" + part.lowercased()
      }
    }
    return result
  }
}
