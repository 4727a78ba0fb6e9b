package import CEL
package import Store

extension QueryExplanation {
  /// The explanation for machine-readable output.
  package var value: Value {
    let hits = hits.map { hit in
      Value.record(["id": hit.id, "score": hit.score, "relevance": hit.relevance, "use": hit.use])
    }
    return .record([
      "sql": statements, "inSQL": inSQL, "inProcess": inProcess, "plan": plan, "match": match,
      "isRankingExact": isRankingExact, "hits": hits,
    ])
  }
}
