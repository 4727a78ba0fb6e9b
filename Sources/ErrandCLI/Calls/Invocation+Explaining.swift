import CEL
import Engine
import ErrandKit
import Glibc
import Items
import JSON
import Source
import Store

extension Invocation {
  /// Writes a query explanation as the result: text for a person, a value for a program.
  func write(_ explanation: QueryExplanation, of entity: String) throws {
    guard mode.isPlain else { return try resultWriter.write(explanation.value) }
    console.out(text(of: explanation, entity, style: console.style))
  }

  /// Writes the explanation of a run's query to standard error, separate from the results.
  func note(_ explanation: QueryExplanation, of entity: String) throws {
    // Keeps both streams in order.
    console.flush()
    if mode.isPlain {
      let style = console.errorStyle
      let text = text(of: explanation, entity, style: style)
      console.err(style.bold("find \(entity)") + "\n" + text)
    } else {
      let fields = Value.record(["query": entity, "explanation": explanation.value])
      console.err("\(try JSONWriter().text(of: fields))\n")
    }
  }

  private func text(
    of explanation: QueryExplanation, _ entity: String, style: Style
  ) -> TerminalText {
    var sections = [
      ("SQL", explanation.statements.isEmpty ? ["nothing can match"] : explanation.statements),
      ("in SQL", explanation.inSQL), ("in process", explanation.inProcess),
      ("plan", explanation.plan),
    ]
    if let match = explanation.match {
      let ranking =
        explanation.isRankingExact
        ? "BM25 of every match" : "the newest and the most used of many matches"
      let scores = explanation.hits.map { hit in
        "\(EntitySchema.kind(of: entity)):\(hit.id)  \(rounded(hit.score)) = "
          + "\(rounded(hit.relevance)) relevance × \(rounded(hit.use)) use"
      }
      sections += [("match", [match]), ("ranking", [ranking]), ("scores", scores)]
    }
    return sections.filter { !$0.1.isEmpty }.map { title, lines in
      style.bold("\(title)") + "\n" + lines.map { "  \($0)\n" as TerminalText }.joined()
    }.joined()
  }

  /// Rounds to three significant digits; the relevance of a common word is tiny.
  private func rounded(_ number: Double) -> String {
    guard number != 0, number.isFinite else { return Value.double(number).text }
    let unit = pow(10, 2 - floor(log10(abs(number))))
    return Value.double((number * unit).rounded() / unit).text
  }
}
