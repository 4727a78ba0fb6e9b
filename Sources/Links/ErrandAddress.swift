/// An address of Errand's own, such as `errand://run/save?url=…`, which other programs open.
package struct ErrandAddress: Hashable, Sendable {
  /// The meaning of an address.
  package enum Action: Hashable, Sendable {
    /// Opens an item.
    case open(String)
    /// Searches links.
    case search(String)
    /// Shows an item, or a list such as `tasks`.
    case show(String)
    /// Runs an intent or a shortcut with values by the names of its parameters.
    case run(String, [Value])
  }

  /// A value with its name.
  package struct Value: Hashable, Sendable {
    package let name: String
    package let text: String
  }

  package let action: Action
  /// The address that gets the result (x-callback-url); nil for none.
  package let success: WebURL?
  /// The address that gets the code of an error.
  package let error: WebURL?
  /// The address to open if the person declines.
  package let cancel: WebURL?

  /// The maximum length of an address in bytes.
  package static let maxBytes = 64 << 10

  /// The scheme with its signs.
  package static let prefix = "errand://"

  /// The reason why a text is not an address.
  package struct Problem: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  /// Parses an address.
  ///
  /// - Throws: The reason why it is not one. Nothing of an address that is refused has an effect.
  package init(_ text: String) throws(Problem) {
    guard text.utf8.count <= Self.maxBytes else {
      throw Problem(description: "the address is longer than \(Self.maxBytes >> 10) KiB")
    }
    guard text.utf8.prefix(Self.prefix.utf8.count).elementsEqual(Self.prefix.utf8) else {
      throw Problem(description: "the address does not begin with \(Self.prefix)")
    }
    let rest = text.dropFirst(Self.prefix.count)
    let sides = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !rest.contains("#") else { throw Problem(description: "the address has a fragment") }
    let words = try sides[0].split(separator: "/").map { part throws(Problem) in
      try Self.decoded(part)
    }
    var values: [Value] = []
    for pair in sides.count > 1 ? sides[1].split(separator: "&") : [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(parts[0])
      guard !values.contains(where: { $0.name == name }) else {
        throw Problem(description: "`\(name)` stands twice in the address")
      }
      values.append(Value(name: name, text: parts.count > 1 ? try Self.decoded(parts[1]) : ""))
    }
    func callback(_ name: String) throws(Problem) -> WebURL? {
      guard let value = values.first(where: { $0.name == name }) else { return nil }
      do { return try WebURL(value.text) } catch {
        throw Problem(description: "`\(name)` is not the address of a web page")
      }
    }
    success = try callback("x-success")
    error = try callback("x-error")
    cancel = try callback("x-cancel")
    // The caller's name is self-declared and proves nothing.
    values.removeAll { $0.name.hasPrefix("x-") }
    switch (words.first, words.count) {
    case ("open", 2): action = .open(words[1])
    case ("show", 2): action = .show(words[1])
    case ("search", 1):
      guard let words = values.first(where: { $0.name == "q" })?.text, !words.isEmpty else {
        throw Problem(description: "the address has no words to search for: errand://search?q=…")
      }
      action = .search(words)
    case ("run", 2):
      action = .run(words[1], values)
      return
    default:
      throw Problem(description: "the address is neither open, show, search nor run")
    }
    guard values.allSatisfy({ $0.name == "q" && words.first == "search" }) else {
      throw Problem(description: "the address has values that `\(words[0])` does not take")
    }
  }

  /// Decodes percent signs; control characters and damaged text are refused.
  private static func decoded(_ text: Substring) throws(Problem) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2,
          let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
          rest.first != UInt8(ascii: "+"), rest.first != UInt8(ascii: "-")
        else {
          throw Problem(description: "a percent sign in the address is not followed by two digits")
        }
        bytes.append(number)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(description: "the address is not valid UTF-8")
    }
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .surrogate, .lineSeparator, .paragraphSeparator:
        scalar == "\n" || scalar == "\t"
      // Characters that change the direction of text could hide parts of a question.
      case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
      default: true
      }
    }
    guard isPlain else { throw Problem(description: "the address has control characters") }
    return text
  }

  /// An address with values added to its query.
  package static func adding(_ values: [(name: String, text: String)], to url: WebURL) -> String {
    let query = values.map { "\($0.name)=\(PercentEncoding.encode($0.text))" }.joined(
      separator: "&")
    let parts = url.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let sign = url.query == nil ? "?" : "&"
    return parts[0] + sign + query + (parts.count > 1 ? "#" + parts[1] : "")
  }
}
