package import Source
package import YAML

/// What a value must be like for a test to pass.
package indirect enum TestMatcher: Sendable {
  /// Equal to a value as it is written.
  case literal(Node)
  /// A list of so many elements, each like this.
  case list([TestMatcher], Span)
  /// A map, or a record of which only the named fields count.
  case fields([(name: Scalar, matcher: TestMatcher)], Span)
  /// All of some conditions.
  case conditions([Condition], Span)

  /// One condition on a value.
  package enum Condition: Sendable {
    case equals(TestMatcher)
    case contains(TestMatcher)
    case startsWith(Scalar)
    case matches(Scalar)
    case size(TestMatcher)
    case holds(ExpressionSource)
  }

  /// The words of conditions.
  package static let words = ["equals", "contains", "startsWith", "matches", "size", "where"]

  /// Where it stands.
  package var span: Span {
    switch self {
    case .literal(let node): node.span
    case .list(_, let span), .fields(_, let span), .conditions(_, let span): span
    }
  }
}

extension TestMatcher {
  /// Reads what is expected; a mapping of nothing but words such as `size` is conditions.
  init(_ node: Node, _ collector: DiagnosticCollector, isLiteral: Bool = false) {
    switch node.content {
    case .scalar: self = .literal(node)
    case .sequence(let nodes):
      self = .list(
        nodes.map { TestMatcher($0, collector, isLiteral: isLiteral) }, node.span)
    case .mapping(let mapping):
      let hasWords = mapping.entries.contains { Self.words.contains($0.key.text) }
      if !isLiteral, hasWords {
        self = .conditions(
          mapping.entries.compactMap { Self.condition($0, collector) }, node.span)
      } else {
        self = .fields(
          mapping.entries.map { ($0.key, TestMatcher($0.value, collector, isLiteral: isLiteral)) },
          node.span)
      }
    }
  }

  private static func condition(
    _ entry: Mapping.Entry, _ collector: DiagnosticCollector
  ) -> Condition? {
    func text() -> Scalar? {
      if let scalar = entry.value.scalar { return scalar }
      collector.report(
        "wrong-type", "`\(entry.key.text)` is text, and this is \(entry.value.kindName)",
        at: entry.value.span)
      return nil
    }
    switch entry.key.text {
    case "equals": return .equals(TestMatcher(entry.value, collector, isLiteral: true))
    case "contains": return .contains(TestMatcher(entry.value, collector))
    case "startsWith": return text().map(Condition.startsWith)
    case "matches": return text().map(Condition.matches)
    case "size": return .size(TestMatcher(entry.value, collector))
    case "where":
      return text().flatMap(collector.expression).map(Condition.holds)
    default:
      collector.report(
        "unknown-key", "`\(entry.key.text)` isn't a condition", at: entry.key.span,
        help: Suggestion.help(for: entry.key.text, in: words)
          ?? "put a map that has such a key under `equals:`")
      return nil
    }
  }
}
