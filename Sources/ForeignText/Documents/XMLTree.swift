package import CEL

/// Converts XML to values: each element is a map of its name, attributes, text and children.
package enum XMLTree {
  /// The reason why a text is not well-formed XML.
  package struct Failure: Error {
    package let message: String
  }

  /// An open element.
  private struct Element {
    let name: String
    let line: Int
    var attributes = MapValue()
    var text = ""
    var children: [Value] = []

    var value: Value {
      .map(
        MapValue([
          ("name", .string(name)), ("attributes", .map(attributes)), ("text", .string(text)),
          ("children", .list(children)),
        ]))
    }
  }

  private static let maxDepth = 200
  private static let maxElements = 1_000_000

  /// Returns the root element of a text; an element's text is its direct character data.
  ///
  /// - Complexity: O(bytes).
  package static func value(of text: String) throws(Failure) -> Value {
    var scanner = MarkupScanner(text, .xml)
    var open: [Element] = []
    var count = 0
    while let token = scanner.next() {
      let line = scanner.window.line
      switch token {
      case .text(let piece):
        if let last = open.indices.last {
          open[last].text += piece
        } else if piece.unicodeScalars.contains(where: {
          !$0.properties.isWhitespace && $0 != "\u{FEFF}"
        }) {
          throw Failure(message: "the text is not XML: line \(line) has text outside of elements")
        }
      case .start(let tag):
        count += 1
        guard open.count < maxDepth, count <= maxElements else {
          throw Failure(message: "the text has too many elements, or they nest too deeply")
        }
        var element = Element(name: tag.name, line: tag.line)
        for (name, value) in tag.attributes { element.attributes[name] = .string(value) }
        open.append(element)
      case .end(let name):
        guard let last = open.popLast(), last.name == name else {
          throw Failure(message: "line \(line): `</\(name)>` has no start tag")
        }
        guard let outer = open.indices.last else { return last.value }
        open[outer].children.append(last.value)
      case .cutOff: break
      }
    }
    guard let last = open.last else { throw Failure(message: "the text is not XML: no element") }
    throw Failure(message: "line \(last.line): `<\(last.name)>` is never closed")
  }
}
