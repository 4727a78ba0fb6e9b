package import CEL
package import Store

extension QueryExplanation {
  /// The explanation for a program.
  package var value: Value {
    func list(_ texts: [String]) -> Value { .list(texts.map(Value.string)) }
    let hits = hits.map { hit in
      Value.map(
        MapValue([
          ("id", .int(hit.id)), ("score", .double(hit.score)),
          ("relevance", .double(hit.relevance)), ("use", .double(hit.use)),
        ]))
    }
    return .map(
      MapValue([
        ("sql", list(statements)), ("inSQL", list(inSQL)), ("inProcess", list(inProcess)),
        ("plan", list(plan)),
        ("match", match.map(Value.string) ?? .null), ("isRankingExact", .bool(isRankingExact)),
        ("hits", .list(hits)),
      ]))
  }
}
