package import Source
package import YAML

/// The expected shape of a value in a test.
package indirect enum TestMatcher: Sendable {
  /// Equality with a literal value.
  case literal(Node)
  /// A list of the same length whose elements match in turn.
  case list([TestMatcher], Span)
  /// A map or record; only the named fields are compared.
  case fields([(name: Scalar, matcher: TestMatcher)], Span)
  /// Several conditions that must all hold.
  case conditions([Condition], Span)

  /// A condition on a value.
  package enum Condition: Sendable {
    case equals(TestMatcher)
    case contains(TestMatcher)
    case startsWith(Scalar)
    case matches(Scalar)
    case size(TestMatcher)
    case holds(ExpressionSource)
  }

  /// Keys of conditions.
  package static let words = ["equals", "contains", "startsWith", "matches", "size", "where"]

  /// Position in the file.
  package var span: Span {
    switch self {
    case .literal(let node): node.span
    case .list(_, let span), .fields(_, let span), .conditions(_, let span): span
    }
  }
}

extension TestMatcher {
  /// Parses an expectation; a mapping with only keys such as `size` is a list of conditions.
  init(_ node: Node, _ collector: DiagnosticCollector, isLiteral: Bool = false) {
    switch node.content {
    case .scalar: self = .literal(node)
    case .sequence(let nodes):
      self = .list(nodes.map { TestMatcher($0, collector, isLiteral: isLiteral) }, node.span)
    case .mapping(let mapping):
      let hasWords = mapping.entries.contains { Self.words.contains($0.key.text) }
      if !isLiteral, hasWords {
        self = .conditions(mapping.entries.compactMap { Self.condition($0, collector) }, node.span)
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
        "wrong-type", "`\(entry.key.text)` must be text, not \(entry.value.kindName)",
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
        "unknown-key", "`\(entry.key.text)` is not a condition", at: entry.key.span,
        help: Suggestion.help(for: entry.key.text, in: words)
          ?? "put a map that has such a key under `equals:`")
      return nil
    }
  }
}
