import Source
import YAML

/// Makes nodes at one place.
struct NodeMaker {
  /// A character without width: a template with more than a placeholder is always a text.
  static let joiner = "\u{2060}"

  let span: Span

  /// A template whose value is a text, also for a placeholder alone.
  func joined(_ node: Node) -> Node {
    guard let scalar = node.scalar else { return node }
    // CEL treats an item as an object, but its title as text. The length is unchanged, so that all
    // source positions stay valid.
    var titled = ""
    var rest = scalar.text[...]
    // Most texts name none, and searching one by characters slows a start.
    let isTitled = scalar.text.hasPart("string(items[")
    while isTitled, let start = rest.firstRange(of: "string(items[") {
      let number = rest[start.upperBound...].prefix(while: \.isNumber)
      let tail = rest[number.endIndex...]
      if number.isEmpty || !tail.hasPrefix("])") {
        titled += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
      } else {
        titled += rest[..<start.lowerBound] + "(titles[\(number)])" + "     "
        rest = tail.dropFirst(2)
      }
    }
    let text = Scalar(text: titled + rest + Self.joiner, style: scalar.style, span: scalar.span)
    return Node(content: .scalar(text), span: node.span)
  }

  func key(_ text: String) -> Scalar { Scalar(text: text, style: .plain, span: span) }

  func text(_ text: String) -> Node {
    Node(content: .scalar(Scalar(generated: text, at: span)), span: span)
  }

  func list(_ nodes: [Node]) -> Node { Node(content: .sequence(nodes), span: span) }

  func mapping(_ entries: [(String, Node)]) -> Node {
    Node(
      content: .mapping(
        Mapping(entries: entries.map { Mapping.Entry(key: key($0.0), value: $0.1) })),
      span: span)
  }

  func value(_ text: String, as name: String) -> Node {
    mapping([("value", self.text(text)), ("as", self.text(name))])
  }
}
