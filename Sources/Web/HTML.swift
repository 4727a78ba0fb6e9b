/// HTML whose interpolated texts are escaped, so that no text of an item is ever markup.
///
/// Attribute values must be in double quotes.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// The markup.
  package private(set) var markup: String

  package init(stringLiteral value: String) { markup = value }

  package init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

  /// Trusted markup, such as a file of the program.
  init(trusted markup: String) { self.markup = markup }

  /// Joins parts.
  init(joining parts: [HTML]) { markup = parts.map(\.markup).joined() }

  static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.markup + right.markup) }

  /// Builds a literal with interpolations.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 32)
    }

    package mutating func appendLiteral(_ literal: String) { markup += literal }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    package mutating func appendInterpolation(_ html: HTML?) { markup += html?.markup ?? "" }

    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      markup += String(number)
    }

    package mutating func appendInterpolation(_ text: some StringProtocol) {
      var rest = Substring(text).utf8[...]
      while let index = rest.firstIndex(where: Self.isSpecial) {
        markup += Substring(rest[..<index])
        switch rest[index] {
        case UInt8(ascii: "&"): markup += "&amp;"
        case UInt8(ascii: "<"): markup += "&lt;"
        case UInt8(ascii: ">"): markup += "&gt;"
        case UInt8(ascii: "\""): markup += "&quot;"
        case UInt8(ascii: "'"): markup += "&#39;"
        // Other control characters are not allowed in HTML.
        default: markup += "\u{FFFD}"
        }
        rest = rest[rest.index(after: index)...]
      }
      markup += Substring(rest)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
        UInt8(ascii: "'"):
        true
      default: byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F
      }
    }
  }
}

extension HTML {
  /// An icon of the sprite; ` flip` after its name turns it in right-to-left text.
  static func icon(_ name: String, isSmall: Bool = false) -> HTML {
    let words = name.split(separator: " ")
    let (name, flip) = (words[0], words.count > 1 ? " flip" : "")
    return
      "<svg class=\"i\(isSmall ? " s" : "")\(flip)\" aria-hidden=\"true\"><use href=\"/assets/icons.svg#i-\(name)\"/></svg>"
  }
}
