import CHTML
import ForeignText

/// A page as a tree (HTML Standard §13.2): its elements and texts in document order.
struct HTMLTree {
  /// An element or a text.
  struct Node {
    /// The element's name in lower case; empty for a text.
    let name: String
    /// The text; empty for an element.
    let text: String
    /// The element's attributes.
    let attributes: [(name: String, value: String)]
    /// The index of the parent; -1 at the top.
    let parent: Int
    /// The index after the last descendant.
    fileprivate(set) var end: Int

    /// Whether the node is a text.
    var isText: Bool { name.isEmpty }

    /// The value of an attribute; nil if there is none.
    subscript(name: String) -> String? {
      attributes.first { $0.name == name }?.value
    }
  }

  /// The nodes in document order.
  private(set) var nodes: [Node] = []

  /// The maximum number of bytes parsed of a page.
  static let maxBytes = 4 << 20
  /// The maximum memory of a tree, in bytes.
  private static let memory = 192 << 20
  /// The number of bytes read of a page that exceeds the limits.
  private static let flatBytes = 1 << 20

  /// Parses a page; accepts any text. A page that exceeds the limits is read as text without tags.
  init(_ html: String, _ budget: ReadingBudget = ReadingBudget()) {
    var bytes = Array(html.utf8.prefix(Self.maxBytes))
    let milliseconds = 1_000 + bytes.count / 500
    if let bounded = HTMLBounds.applied(to: bytes, budget), parse(bounded, milliseconds, budget) {
      return
    }
    guard budget.end != .interrupted else { return }
    bytes.removeSubrange(min(Self.flatBytes, bytes.count)...)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "<") { bytes[index] = 0x20 }
    if !parse(bytes, milliseconds, ReadingBudget()) { nodes = [] }
  }

  /// Parses the bytes; false if they exceed the limits.
  private mutating func parse(
    _ bytes: [UInt8], _ milliseconds: Int, _ budget: ReadingBudget
  ) -> Bool {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let start else { return true }
      let tree = withExtendedLifetime(budget) {
        chtml_parse(
          start, buffer.count, Self.memory, milliseconds,
          { context in
            guard let context else { return false }
            return Unmanaged<ReadingBudget>.fromOpaque(context).takeUnretainedValue().isOver()
          }, Unmanaged.passUnretained(budget).toOpaque())
      }
      guard let tree else { return false }
      defer { chtml_free(tree) }
      if let document = chtml_document(tree) { copyNodes(document.pointee.v.document.children) }
      return true
    }
  }

  /// Copies the nodes, iteratively, since the depth is not limited here.
  private mutating func copyNodes(_ top: GumboVector) {
    struct Level {
      let children: GumboVector
      let node: Int
      var next: UInt32 = 0
    }
    var levels = [Level(children: top, node: -1)]
    while let level = levels.last {
      guard level.next < level.children.length,
        let child = level.children.data[Int(level.next)]
      else {
        if level.node >= 0 { nodes[level.node].end = nodes.count }
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let pointer = child.assumingMemoryBound(to: GumboNode.self)
      let index = nodes.count
      switch pointer.pointee.type {
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        nodes.append(Self.element(pointer.pointee.v.element, parent: level.node))
        levels.append(Level(children: pointer.pointee.v.element.children, node: index))
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        let text = pointer.pointee.v.text.text.map { String(cString: $0) } ?? ""
        nodes.append(
          Node(name: "", text: text, attributes: [], parent: level.node, end: index + 1))
      default: break
      }
    }
  }

  private static func element(_ element: GumboElement, parent: Int) -> Node {
    var attributes: [(name: String, value: String)] = []
    for index in 0..<Int(element.attributes.length) {
      guard let pointer = element.attributes.data[index] else { continue }
      let attribute = pointer.assumingMemoryBound(to: GumboAttribute.self).pointee
      attributes.append((String(cString: attribute.name), String(cString: attribute.value)))
    }
    return Node(
      name: name(of: element), text: "", attributes: attributes, parent: parent, end: 0)
  }

  private static func name(of element: GumboElement) -> String {
    if element.tag != GUMBO_TAG_UNKNOWN {
      return String(cString: gumbo_normalized_tagname(element.tag))
    }
    var piece = element.original_tag
    gumbo_tag_from_original_text(&piece)
    guard let start = piece.data, piece.length > 0 else { return "?" }
    let bytes = UnsafeRawBufferPointer(start: start, count: min(piece.length, 64))
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }

  // MARK: Text

  /// The text within a node, without that of scripts and similar elements.
  ///
  /// - Parameter limit: The maximum number of bytes, and of nodes to visit.
  func text(of index: Int, limit: Int = 100_000) -> String {
    var text = ""
    var next = index
    while next < min(nodes[index].end, index + limit), text.utf8.count < limit {
      let node = nodes[next]
      if node.isText {
        text += node.text
      } else if next > index, Self.isNoContent(node.name) {
        next = node.end
        continue
      } else if HTMLElement.isBlock(node.name) {
        text += " "
      }
      next += 1
    }
    return text
  }

  /// Whether elements with this name have no content to display.
  static func isNoContent(_ name: String) -> Bool {
    HTMLElement.isNeverShown(name) || name == "head" || name == "object" || name == "math"
  }
}
