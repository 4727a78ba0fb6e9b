package import CEL
import Catalog
import Source
import YAML

extension DocumentIndex {
  /// The words of all expressions with their bytes in the file, in the order of the text.
  package var expressionTokens: [(kind: ExpressionToken.Kind, range: Range<Int>)] {
    var tokens: [(kind: ExpressionToken.Kind, range: Range<Int>)] = []
    for source in sites.flatMap(Self.sources) {
      for token in ExpressionToken.all(in: source.text) {
        tokens.append((token.kind, source.span(of: token.range).range))
      }
    }
    return tokens.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The expressions in a scalar.
  private static func sources(in site: Site) -> [ExpressionSource] {
    if case .expression = site.role {
      return (try? ExpressionSource(scalar: site.scalar)).map { [$0] } ?? []
    }
    guard site.scalar.text.contains("{{"), let template = try? Template(scalar: site.scalar) else {
      return []
    }
    return template.segments.compactMap { segment in
      if case .expression(let source) = segment { source } else { nil }
    }
  }
}
