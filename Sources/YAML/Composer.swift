import CYAML
import Source

/// Builds nodes from libyaml's events, one document at a time.
///
/// libyaml reports positions in code points; `EventParser` converts them to byte offsets.
struct Composer {
  private let slice: DocumentSlice
  private let limits: Limits
  private let parser: EventParser
  private var anchors: [String: Node] = [:]
  /// Anchors of texts that no alias has used, and their texts.
  private var unusedAnchors: [String: Span] = [:]
  private var nodeCount = 0
  /// Problems that did not end the parse.
  private(set) var problems: [Diagnostic] = []

  init(slice: DocumentSlice, limits: Limits) {
    self.slice = slice
    self.limits = limits
    parser = EventParser(slice)
  }

  /// Returns the root node of the document.
  mutating func compose() throws(Diagnostic) -> Node {
    while true {
      let event = try parser.next()
      switch event.type {
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: continue
      case YAML_STREAM_END_EVENT, YAML_DOCUMENT_END_EVENT, YAML_NO_EVENT:
        throw Diagnostic("yaml-syntax", "the document is empty", at: event.span)
      default:
        let root = try node(from: event, depth: 1)
        for (name, span) in unusedAnchors.sorted(by: {
          $0.value.range.lowerBound < $1.value.range.lowerBound
        }) {
          problems.append(SyntaxAdvice.unusedAnchor(name, before: span))
        }
        return root
      }
    }
  }

  private mutating func node(from event: Event, depth: Int) throws(Diagnostic) -> Node {
    guard depth <= limits.depth else {
      throw Diagnostic("yaml-limit", "nested more than \(limits.depth) levels deep", at: event.span)
    }
    if let tag = event.tag { problems.append(SyntaxAdvice.tag(tag, at: event.span)) }
    let node: Node
    switch event.type {
    case YAML_ALIAS_EVENT:
      guard let target = anchors[event.text] else {
        throw Diagnostic(
          "yaml-alias", "there is no anchor `&\(event.text)` before this", at: event.span)
      }
      try count(target.weight, at: event.span)
      unusedAnchors[event.text] = nil
      return target
    case YAML_SCALAR_EVENT:
      let scalar = Scalar(text: event.text, style: event.style, span: event.span)
      // The following text would be misread, too.
      if let slip = SyntaxAdvice.emptyBlock(scalar) ?? SyntaxAdvice.strangeSpace(in: scalar) {
        throw slip
      }
      if let advice = SyntaxAdvice.swallowedComment(after: scalar)
        ?? SyntaxAdvice.curlyQuotes(around: scalar)
      {
        problems.append(advice)
      }
      try count(1, at: event.span)
      node = Node(content: .scalar(scalar), span: event.span, weight: 1)
    case YAML_SEQUENCE_START_EVENT:
      try count(1, at: event.span)
      node = try sequence(from: event, depth: depth)
    case YAML_MAPPING_START_EVENT:
      try count(1, at: event.span)
      node = try mapping(from: event, depth: depth)
    default: throw Diagnostic("yaml-syntax", "expected a value", at: event.span)
    }
    if let anchor = event.anchor {
      anchors[anchor] = node
      if node.scalar?.style == .plain { unusedAnchors[anchor] = event.span }
    }
    return node
  }

  private mutating func sequence(from start: Event, depth: Int) throws(Diagnostic) -> Node {
    var nodes: [Node] = []
    var weight = 1
    while true {
      let event = try parser.next()
      if event.type == YAML_SEQUENCE_END_EVENT {
        return Node(
          content: .sequence(nodes), span: whole(start, nodes.last?.span, event), weight: weight)
      }
      let node = try node(from: event, depth: depth + 1)
      weight += node.weight
      nodes.append(node)
    }
  }

  private mutating func mapping(from start: Event, depth: Int) throws(Diagnostic) -> Node {
    if let advice = SyntaxAdvice.unquotedTemplate(at: start.span) { throw advice }
    var entries: [Mapping.Entry] = []
    // For few keys, a linear search beats a dictionary.
    var seen: [String: Span]?
    var weight = 1
    var torn: Span?
    while true {
      let event = try parser.next()
      if event.type == YAML_MAPPING_END_EVENT {
        if let torn { problems.append(SyntaxAdvice.comma(in: torn)) }
        return Node(
          content: .mapping(Mapping(entries: entries)),
          span: whole(start, entries.last?.value.span, event), weight: weight)
      }
      let keyNode = try node(from: event, depth: depth + 1)
      guard case .scalar(let key) = keyNode.content else {
        throw SyntaxAdvice.unquotedTemplate(at: keyNode.span)
          ?? Diagnostic("yaml-syntax", "a key must be text", at: keyNode.span)
      }
      let value = try node(from: try parser.next(), depth: depth + 1)
      weight += keyNode.weight + value.weight
      if let start = torn ?? entries.last?.value.scalar?.span,
        SyntaxAdvice.isRest(key, of: start, value)
      {
        torn = Span(slice.file, start.range.lowerBound..<key.span.range.upperBound)
        continue
      }
      if let whole = torn {
        problems.append(SyntaxAdvice.comma(in: whole))
        torn = nil
      }
      if key.text == "<<", key.style == .plain {
        problems.append(
          Diagnostic(
            "yaml-merge-key", "merge keys (`<<`) are not allowed", at: key.span,
            help: "write the keys out"))
      } else if let first = Self.span(of: key.text, in: entries, &seen) {
        problems.append(
          Diagnostic(
            "duplicate-key", "duplicate key `\(key.text)`", at: key.span,
            help: "keep one of them", related: [.init("first given here", at: first)]))
      } else {
        seen?[key.text] = key.span
        entries.append(Mapping.Entry(key: key, value: value))
      }
    }
  }

  /// The span of an earlier equal key; large mappings are looked up in `seen`.
  private static func span(
    of key: String, in entries: [Mapping.Entry], _ seen: inout [String: Span]?
  ) -> Span? {
    if entries.count < 24 { return entries.first { $0.key.text == key }?.key.span }
    if let seen { return seen[key] }
    var index: [String: Span] = [:]
    for entry in entries { index[entry.key.text] = entry.key.span }
    seen = index
    return index[key]
  }

  private mutating func count(_ weight: Int, at span: Span) throws(Diagnostic) {
    nodeCount += weight
    guard nodeCount <= limits.nodes else {
      throw Diagnostic(
        "yaml-limit", "more than \(limits.nodes) nodes after expanding aliases", at: span,
        help: "use fewer aliases")
    }
  }

  /// The span of a collection; a block collection ends with its last node, not at the next token.
  private func whole(_ start: Event, _ last: Span?, _ end: Event) -> Span {
    let lower = start.span.range.lowerBound
    let isFlow = end.span.range.count > 0
    let upper = isFlow ? end.span.range.upperBound : last?.range.upperBound
    return Span(slice.file, lower..<max(lower, upper ?? start.span.range.upperBound))
  }
}
