import CEL
import Engine
import Store

/// Shows how a query runs.
struct ExplanationWriter {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Writes an explanation, as text for a person or as a value for a program.
  func write(_ explanation: QueryExplanation, of entity: String) throws {
    guard case .plain = invocation.mode else {
      return try invocation.resultWriter.write(value(of: explanation))
    }
    var text = section("SQL", explanation.sql.map { [$0] } ?? ["nothing can match"])
    text += section("in SQL", explanation.inSQL)
    text += section("in process", explanation.inProcess)
    text += section("plan", explanation.plan)
    if let match = explanation.match {
      text += section("match", [match])
      text += section(
        "ranking",
        [
          explanation.isRankingExact
            ? "BM25 of every match" : "the newest and the most used of many matches"
        ])
      text += section(
        "scores",
        explanation.hits.map { hit in
          "\(EntitySchema.kind(of: entity)):\(hit.id)  \(rounded(hit.score)) = "
            + "\(rounded(hit.relevance)) relevance × \(rounded(hit.use)) use"
        })
    }
    invocation.console.out(text)
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    if lines.isEmpty { return "" }
    let heading = invocation.console.style.bold(title)
    return heading + "\n" + lines.map { "  \($0)\n" }.joined()
  }

  private func rounded(_ number: Double) -> String {
    Value.double((number * 1000).rounded() / 1000).text
  }

  private func value(of explanation: QueryExplanation) -> Value {
    func list(_ texts: [String]) -> Value { .list(texts.map(Value.string)) }
    let hits = explanation.hits.map { hit in
      Value.map(
        MapValue([
          ("id", .int(hit.id)), ("score", .double(hit.score)),
          ("relevance", .double(hit.relevance)), ("use", .double(hit.use)),
        ]))
    }
    return .map(
      MapValue([
        ("sql", explanation.sql.map(Value.string) ?? .null), ("inSQL", list(explanation.inSQL)),
        ("inProcess", list(explanation.inProcess)), ("plan", list(explanation.plan)),
        ("match", explanation.match.map(Value.string) ?? .null),
        ("isRankingExact", .bool(explanation.isRankingExact)), ("hits", .list(hits)),
      ]))
  }
}
