package import Source

/// A node of a YAML document, with its span.
///
/// The target owns YAML: splitting a file into documents, parsing them with libyaml into nodes with
/// spans, within limits, and syntax errors with the corrected line.
package struct Node: Sendable {
  /// Content by kind of node.
  package enum Content: Sendable {
    case scalar(Scalar)
    case sequence([Node])
    case mapping(Mapping)
  }

  package let content: Content
  package let span: Span
  /// Number of nodes after expanding aliases.
  let weight: Int

  /// A node that stands for a part of a document in another form.
  package init(content: Content, span: Span) {
    self.init(content: content, span: span, weight: 1)
  }

  init(content: Content, span: Span, weight: Int) {
    self.content = content
    self.span = span
    self.weight = weight
  }

  /// The kind of node in a message: "text", "a list", "a mapping".
  package var kindName: String {
    switch content {
    case .scalar(let scalar): scalar.isNull ? "nothing" : "text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  package var scalar: Scalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  package var sequence: [Node]? {
    if case .sequence(let nodes) = content { nodes } else { nil }
  }

  package var mapping: Mapping? {
    if case .mapping(let mapping) = content { mapping } else { nil }
  }
}

/// The entries of a mapping, in source order.
package struct Mapping: Sendable {
  /// A key with its value.
  package struct Entry: Sendable {
    package let key: Scalar
    package let value: Node

    package init(key: Scalar, value: Node) {
      self.key = key
      self.value = value
    }
  }

  package let entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  /// Returns the value of a key.
  package subscript(key: String) -> Node? { entries.first { $0.key.text == key }?.value }

  /// Returns the entry of a key.
  package func entry(_ key: String) -> Entry? { entries.first { $0.key.text == key } }
}

/// A scalar: its unquoted text, style and span.
package struct Scalar: Sendable {
  /// Notation of a scalar.
  package enum Style: Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  package let text: String
  package let style: Style
  package let span: Span
  /// Whether the text is not in the document, but was made from another part of it.
  package private(set) var isGenerated = false

  /// A text made from the part of a document at a span.
  package init(generated text: String, at span: Span) {
    self.init(text: text, style: .singleQuoted, span: span)
    isGenerated = true
  }

  package init(text: String, style: Style, span: Span) {
    self.text = text
    self.style = style
    self.span = span
  }

  /// Whether it is YAML's null: empty, `~` or `null`, unquoted (YAML 1.2.2 §10.3.2).
  package var isNull: Bool { style == .plain && ["", "~", "null", "Null", "NULL"].contains(text) }

  /// The Boolean in the core schema (only `true` and `false`); nil for others.
  package var bool: Bool? {
    guard style == .plain else { return nil }
    return switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }

  /// Returns the span in the file for a part of `text`, given in UTF-8 offsets.
  ///
  /// - Complexity: O(length of the scalar) for the first part, O(1) for others of the same scalar.
  package func span(of range: Range<Int>) -> Span {
    let map = span.file.offsets(at: span.range.lowerBound) { offsetMap() }
    let last = span.range.upperBound
    func place(_ offset: Int) -> Int { offset < map.count ? map[offset] : map.isEmpty ? last : end }
    let end = map.last.map { $0 + 1 } ?? last
    let lower = place(range.lowerBound)
    let upper = range.isEmpty ? lower : max(place(range.upperBound - 1) + 1, lower)
    return Span(span.file, lower..<min(max(upper, lower), max(last, lower)))
  }
}
