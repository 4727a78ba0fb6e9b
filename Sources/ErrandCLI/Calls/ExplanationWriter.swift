import CEL
import Engine
import ErrandKit
import Glibc
import Items
import JSON
import Source
import Store

/// Shows how a query runs.
struct ExplanationWriter {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  /// Writes an explanation as the result, as text for a person or as a value for a program.
  func write(_ explanation: QueryExplanation, of entity: String) throws {
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(explanation.value)
    }
    invocation.console.out(text(of: explanation, entity, style: invocation.console.style))
  }

  /// Writes how a query of a run is made to standard error, where it is in nobody's way.
  func note(_ explanation: QueryExplanation, of entity: String) throws {
    let console = invocation.console
    // What was said before it comes before it.
    console.flush()
    if invocation.mode.hasJSONErrors {
      let fields = MapValue([("query", .string(entity)), ("explanation", explanation.value)])
      console.err("\(try JSONWriter().text(of: .map(fields)))\n")
    } else {
      let style = console.errorStyle
      console.err(
        style.bold("find \(entity)") + "\n" + text(of: explanation, entity, style: style))
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

  /// A number with three digits that count; where a word is in most items, relevance is tiny.
  private func rounded(_ number: Double) -> String {
    guard number != 0, number.isFinite else { return Value.double(number).text }
    let unit = pow(10, 2 - floor(log10(abs(number))))
    return Value.double((number * unit).rounded() / unit).text
  }
}
