package import Source

/// The nodes of a document in a compact form, from which they are made again without parsing.
///
/// The built-in definitions have one each, because parsing them would be a fifth of a cold start. It
/// holds the size and a hash of its text, so that it is never used for another one.
package struct NodeOutline: Sendable {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Kinds of nodes; scalars by style, and by whether their text is the source within their quotes.
  private enum Mark {
    static let sequence: UInt8 = 0x40
    static let mapping: UInt8 = 0x41
    /// Added to the index of a scalar's style, if the text is not that of the source.
    static let hasText: UInt8 = 0x10
    static let styles: [Scalar.Style] = [.plain, .singleQuoted, .doubleQuoted, .literal, .folded]
  }

  // MARK: - Writing

  /// Returns the outline of a document.
  package static func bytes(of slice: DocumentSlice) throws(Diagnostics) -> [UInt8] {
    let root = try slice.parse()
    var writer = Writer()
    writer.put(slice.range.count)
    writer.put(Int(hash(of: slice)))
    writer.put(root, from: 0)
    return writer.bytes
  }

  private struct Writer {
    var bytes: [UInt8] = []

    /// Writes a number, seven bits at a time, low ones first.
    mutating func put(_ number: Int) {
      var rest = UInt(bitPattern: number)
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    /// Writes a node; its span begins at or after that of the node before it.
    mutating func put(_ node: Node, from start: Int) {
      switch node.content {
      case .scalar(let scalar): put(scalar, from: start)
      case .sequence(let nodes):
        bytes.append(Mark.sequence)
        put(node.span, from: start)
        put(nodes.count)
        var last = node.span.range.lowerBound
        for node in nodes {
          put(node, from: last)
          last = node.span.range.lowerBound
        }
      case .mapping(let mapping):
        bytes.append(Mark.mapping)
        put(node.span, from: start)
        put(mapping.entries.count)
        var last = node.span.range.lowerBound
        for entry in mapping.entries {
          put(entry.key, from: last)
          put(entry.value, from: entry.key.span.range.lowerBound)
          last = entry.value.span.range.lowerBound
        }
      }
    }

    private mutating func put(_ scalar: Scalar, from start: Int) {
      let style = UInt8(Mark.styles.firstIndex(of: scalar.style) ?? 0)
      let source = scalar.span.file.bytes[NodeOutline.inside(scalar.span.range, scalar.style)]
      let isSource = scalar.text.utf8.elementsEqual(source)
      bytes.append(style + (isSource ? 0 : Mark.hasText))
      put(scalar.span, from: start)
      guard !isSource else { return }
      put(scalar.text.utf8.count)
      bytes += scalar.text.utf8
    }

    private mutating func put(_ span: Span, from start: Int) {
      put(span.range.lowerBound - start)
      put(span.range.count)
    }
  }

  // MARK: - Reading

  /// Returns the root node of a document; nil if this is the outline of another text.
  package func root(of slice: DocumentSlice) -> Node? {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = Reader(bytes: bytes, file: slice.file)
      guard reader.number() == slice.range.count, reader.number() == Int(Self.hash(of: slice))
      else {
        return nil
      }
      return reader.node(from: 0)
    }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    let file: SourceFile
    var place = 0

    mutating func byte() -> UInt8 {
      defer { place += 1 }
      return bytes[place]
    }

    mutating func number() -> Int {
      var number: UInt = 0
      var shift: UInt = 0
      while true {
        let next = byte()
        number |= UInt(next & 0x7F) << shift
        if next < 0x80 { return Int(bitPattern: number) }
        shift += 7
      }
    }

    mutating func node(from start: Int) -> Node {
      let mark = byte()
      switch mark {
      case Mark.sequence:
        let span = span(from: start)
        let count = number()
        var last = span.range.lowerBound
        var weight = 1
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        for _ in 0..<count {
          let node = node(from: last)
          last = node.span.range.lowerBound
          weight += node.weight
          nodes.append(node)
        }
        return Node(content: .sequence(nodes), span: span, weight: weight)
      case Mark.mapping:
        let span = span(from: start)
        let count = number()
        var last = span.range.lowerBound
        var weight = 1
        var entries: [Mapping.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
          let key = scalar(byte(), from: last)
          let value = node(from: key.span.range.lowerBound)
          last = value.span.range.lowerBound
          weight += 1 + value.weight
          entries.append(Mapping.Entry(key: key, value: value))
        }
        return Node(content: .mapping(Mapping(entries: entries)), span: span, weight: weight)
      default:
        let scalar = scalar(mark, from: start)
        return Node(content: .scalar(scalar), span: scalar.span, weight: 1)
      }
    }

    private mutating func scalar(_ mark: UInt8, from start: Int) -> Scalar {
      let style = Mark.styles[Int(mark & 0x0F)]
      let span = span(from: start)
      guard mark & Mark.hasText != 0 else {
        let text = String(
          decoding: file.bytes[NodeOutline.inside(span.range, style)], as: UTF8.self)
        return Scalar(text: text, style: style, span: span)
      }
      let count = number()
      defer { place += count }
      let text = String(decoding: bytes[place..<place + count], as: UTF8.self)
      return Scalar(text: text, style: style, span: span)
    }

    private mutating func span(from start: Int) -> Span {
      let lower = start + number()
      return Span(file, lower..<lower + number())
    }
  }

  /// The range of a scalar's source without quotes.
  private static func inside(_ range: Range<Int>, _ style: Scalar.Style) -> Range<Int> {
    let isQuoted = style == .singleQuoted || style == .doubleQuoted
    return isQuoted && range.count >= 2 ? range.lowerBound + 1..<range.upperBound - 1 : range
  }

  /// The FNV-1a hash of a document's text, in 32 bits
  /// (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv).
  private static func hash(of slice: DocumentSlice) -> UInt32 {
    slice.file.bytes.withUnsafeBufferPointer { bytes in
      bytes[slice.range].reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
  }
}
