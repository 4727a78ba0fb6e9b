package import CEL
import Links

/// Parts that Apple's Shortcuts finds in texts: addresses, parts of them, names in cards.
package enum ShortcutTexts {
  /// Rows of the function table.
  static let table = [
    FunctionRow("findLinks") {
      Function($0, .global, [.dyn], returns: .list(.string), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(links(in: ShortcutFunctions.text(of: value)).map { .string($0) })
      }
    },
    FunctionRow("contactNames") {
      Function($0, .global, [.dyn], returns: .list(.string), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(names(in: ShortcutFunctions.text(of: value)).map { .string($0) })
      }
    },
    FunctionRow("contactCards") {
      Function($0, .global, [.dyn], returns: .list(.string), isPure: false) {
        (value: Value) throws(EvaluationError) -> Value in
        .list(cards(in: ShortcutFunctions.text(of: value)).map { .string($0) })
      }
    },
    FunctionRow("contactField") {
      Function($0, .global, [.dyn, .string], returns: .list(.string), isPure: false) {
        (value: Value, field: Value) throws(EvaluationError) -> Value in
        let name = field.text.uppercased()
        return .list(
          fields(in: ShortcutFunctions.text(of: value)).filter { $0.name == name }.map {
            .string(name == "ORG" ? organization($0.value) : plain($0.value))
          })
      }
    },
    FunctionRow("urlPart") {
      Function($0, .global, [.dyn, .string], returns: .string) {
        (url: Value, part: Value) throws(EvaluationError) -> Value in
        .string(Self.part(part.text, of: ShortcutFunctions.text(of: url)))
      }
    },
    FunctionRow("fromBase64") {
      Function($0, .global, [.dyn], returns: .dyn) {
        (text: Value) throws(EvaluationError) -> Value in
        let digits = ShortcutFunctions.text(of: text).filter { !$0.isWhitespace && $0 != "=" }
        guard let bytes = Base64.decode(digits) else { return .null }
        return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
      }
    },
    FunctionRow("urlDecode") {
      Function($0, .method) { (text: String) in WebURL.decode(text) }
    },
  ]

  /// An address that can be opened: with a scheme, and with only the characters of one.
  package static func address(_ text: String) -> String {
    var text = text.trimmed
    if scheme(of: text) == nil, !text.isEmpty { text = "http://" + text }
    var output: [UInt8] = []
    for byte in text.utf8 {
      // Brackets of IPv6 addresses and existing escapes stay.
      if byte > 0x20, byte < 0x7F, !"\"<>\\^`{|}".utf8.contains(byte) {
        output.append(byte)
      } else {
        output += Array("%".utf8) + hexadecimal(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The scheme of an address; nil if it has none.
  package static func scheme(of text: String) -> String? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    let rest = text[scheme.endIndex...]
    let hasScheme =
      scheme.first?.isLetter == true && rest.hasPrefix(":")
      && !(rest.dropFirst().first?.isNumber ?? false)
    return hasScheme ? String(scheme) : nil
  }

  /// The addresses to open: those of a list, or the lines of a text, without empty ones.
  package static func addresses(_ value: Value) -> [String] {
    ShortcutFunctions.list(of: value).flatMap { item in
      ShortcutFunctions.lines(of: ShortcutFunctions.text(of: item)).map(address)
        .filter { !$0.isEmpty }
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// The addresses in a text: with a scheme, or a domain with an ending that is known.
  static func links(in text: String) -> [String] {
    let endings: Set = [
      "com", "org", "net", "io", "de", "uk", "co", "fr", "jp", "cn", "app", "dev", "edu", "gov",
      "me", "tv", "info", "us",
      "ca", "it", "es", "nl", "ch", "at", "eu", "ru", "br", "in", "au",
    ]
    var found: [String] = []
    for run in text.split(whereSeparator: {
      $0.isWhitespace || $0.unicodeScalars.first.map(TextLinks.breaks.contains) == true
    }) {
      var word = run
      while let first = word.first, "([',;".contains(first) { word.removeFirst() }
      if let start = word.firstRange(of: "://") {
        // Drop leading text that does not belong to the scheme.
        let scheme = word[..<start.lowerBound].reversed().prefix {
          $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        guard !scheme.isEmpty else { continue }
        word = word[word.index(start.lowerBound, offsetBy: -scheme.count)...]
        let link = trimmedEnd(word)
        if link.count > scheme.count + 3 { found.append(String(link)) }
      } else if word.hasPrefix("mailto:") || word.hasPrefix("tel:") {
        found.append(String(trimmedEnd(word)))
      } else {
        let link = trimmedEnd(word)
        let host = link.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != ":" }
        guard !host.contains("@"), let ending = host.split(separator: ".").last, host.contains("."),
          endings.contains(ending.lowercased()),
          host.first?.isLetter == true || host.first?.isNumber == true,
          host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" })
        else { continue }
        found.append("http://" + link)
      }
      if found.count >= 100_000 { break }
    }
    return found
  }

  /// A link without the sentence marks behind it; a closing bracket stays if it was opened in it.
  private static func trimmedEnd(_ word: Substring) -> Substring {
    var word = word
    while let last = word.last {
      if ".,;:!?'…".contains(last) || last == ")" && !word.contains("(")
        || last == "]" && !word.contains("[")
      {
        word.removeLast()
      } else {
        break
      }
    }
    return word
  }

  /// The names in vCards; any other text is itself the name.
  static func names(in text: String) -> [String] {
    guard text.contains("BEGIN:VCARD") else { return text.isEmpty ? [] : [text] }
    var names: [String] = []
    var name = ""
    for (key, value) in fields(in: text) {
      switch key {
      case "FN": name = plain(value)
      case "N" where name.isEmpty:
        let fields = value.split(separator: ";", omittingEmptySubsequences: false).map {
          plain(String($0))
        }
        name = [fields.count > 1 ? fields[1] : "", fields.first ?? ""].filter { !$0.isEmpty }
          .joined(separator: " ")
      case "ORG" where name.isEmpty: name = organization(value)
      case "END":
        names.append(name)
        name = ""
      default: break
      }
    }
    return names
  }

  /// The fields of cards (RFC 2426), without their groups and parameters.
  private static func fields(in text: String) -> [(name: String, value: String)] {
    ShortcutFunctions.lines(of: text).map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].prefix { $0 != ";" }
      let bare = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name
      return (bare.uppercased(), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The cards in a text; a text that has none is a card with its name.
  static func cards(in text: String) -> [String] {
    guard text.contains("BEGIN:VCARD") else {
      return text.isEmpty ? [] : ["BEGIN:VCARD\nFN:\(text)\nEND:VCARD"]
    }
    var cards: [String] = []
    var lines: [String] = []
    for line in ShortcutFunctions.lines(of: text) {
      lines.append(line)
      guard line.uppercased().hasPrefix("END:VCARD") else { continue }
      cards.append(lines.joined(separator: "\n"))
      lines = []
    }
    return cards
  }

  /// An organization and its units.
  private static func organization(_ value: String) -> String {
    value.split(separator: ";").map { plain(String($0)) }.joined(separator: ", ")
  }

  private static func plain(_ text: String) -> String {
    text.replacing("\\n", with: "\n").replacing("\\,", with: ",").replacing("\\;", with: ";")
  }

  /// A part of an address, empty without it; the path has its first `/`.
  static func part(_ name: String, of url: String) -> String {
    var rest = url[...]
    var parts: [String: Substring] = [:]
    if let mark = rest.firstIndex(of: "#") {
      parts["fragment"] = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: "?") {
      parts["query"] = rest[rest.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") {
      parts["scheme"] = rest[..<colon]
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      var authority = rest.prefix { $0 != "/" }
      rest = rest[authority.endIndex...]
      if let at = authority.lastIndex(of: "@") {
        let user = authority[..<at].split(
          separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        parts["user"] = user[0]
        if user.count > 1 { parts["password"] = user[1] }
        authority = authority[authority.index(after: at)...]
      }
      if let colon = authority.lastIndex(of: ":"),
        authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
      {
        parts["port"] = authority[authority.index(after: colon)...]
        authority = authority[..<colon]
      }
      parts["host"] = authority
    }
    parts["path"] = rest
    return String(parts[name] ?? "")
  }
}
