import CEL
import Catalog
import Source
import YAML

extension Matching {
  /// Compares a subject of a test: one value may stand for a list of one, and null for none.
  mutating func match(_ matcher: TestMatcher, _ value: Value, asSubject name: String) {
    guard case .list(let values) = value, case .literal(let node) = matcher else {
      return match(matcher, value, at: name)
    }
    if node.scalar?.isNull == true, name != "output" {
      match(.list([], node.span), value, at: name)
    } else if name != "output" {
      match(
        values.count == 1 ? matcher : .list([matcher], node.span),
        values.count == 1 ? values[0] : value, at: name)
    } else {
      match(matcher, value, at: name)
    }
  }

  /// Notes something that can't be compared.
  mutating func fail(_ message: String, at span: Span, help: String) {
    failures.append(TestFailure(message, at: span, help: help))
  }
}
