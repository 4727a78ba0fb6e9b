/// Sanitizes HTML: removes what would run, load or redirect when displayed.
package enum SafeHTML {
  /// Returns sanitized markup, without active elements and attributes.
  ///
  /// - Complexity: O(bytes).
  package static func markup(_ html: String) -> String {
    guard html.utf8.contains(UInt8(ascii: "<")) else { return html }
    var scanner = MarkupScanner(html, .html)
    var result = ""
    while let token = scanner.next() {
      switch token {
      case .text(let text): result += escaped(text)
      case .start(let tag):
        if hidesContent(tag.name) {
          scanner.skipContent(of: tag.name)
        } else if !isActive(tag.name) {
          result += self.tag(tag)
        }
      case .end(let name): if !hidesContent(name), !isActive(name) { result += "</\(name)>" }
      case .cutOff: break
      }
    }
    return result
  }

  /// Escapes a text for use in HTML.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 }) else {
      return text
    }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }

  /// Returns a start tag with its harmless attributes.
  package static func tag(_ tag: MarkupScanner.Tag, named name: String? = nil) -> String {
    var result = "<" + (name ?? tag.name)
    for (name, value) in tag.attributes where isHarmless(name, value) {
      result += " \(name)=\"\(escaped(value))\""
    }
    return result + ">"
  }

  /// Whether the content of an element is code.
  private static func hidesContent(_ name: String) -> Bool {
    ["script", "style", "applet"].contains(name)
  }

  /// Whether an element can run or load code, or affects the surrounding page.
  private static func isActive(_ name: String) -> Bool {
    if !name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x3A }) {
      return true
    }
    return [
      "object", "embed", "iframe", "noscript", "template", "xml", "frame", "frameset", "meta",
      "link", "base", "html", "head", "body",
      "animate", "set", "animatetransform", "use", "param",
    ].contains(name)
  }

  private static func isHarmless(_ name: String, _ value: String) -> Bool {
    let name = name.lowercased()
    let isPlain = name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x3A }
    if !isPlain || name.hasPrefix("on") || name.hasPrefix("xmlns") { return false }
    if ["style", "srcdoc", "formaction", "dynsrc", "lowsrc"].contains(name) { return false }
    // Browsers ignore blanks and control characters in a scheme.
    let start = value.unicodeScalars.lazy.filter { $0.value > 0x20 && $0.value != 0x7F }.prefix(20)
    let scheme = String(String.UnicodeScalarView(start)).lowercased().prefix { $0 != ":" }
    return scheme.count == start.count
      || !["javascript", "vbscript", "livescript", "mocha", "data", "jar"].contains(scheme)
      || String(String.UnicodeScalarView(start)).lowercased().hasPrefix("data:image/")
        && name == "src"
  }
}
