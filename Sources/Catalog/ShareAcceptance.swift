import Source
import YAML

/// Which shares an intent or a shortcut takes (docs/language.md, “Shares”).
package struct ShareAcceptance: Sendable {
  /// Kinds and media types, such as `url`, `application/pdf` and `image/*`.
  package let types: [String]
  /// How many things it takes at once; its input is a list where that is over 1.
  package let max: Int
  /// What must hold for a thing that it takes; where it does, nobody is asked.
  package let filter: ExpressionSource?

  /// The words that stand for kinds.
  private static let kinds = ["url", "text", "image", "file"]
  /// How much a share holds at most.
  private static let limit = 10

  /// Reads the value of `accepts`; what is wrong with it is reported.
  init?(_ node: Node, _ collector: DiagnosticCollector) {
    guard var reader = DefinitionReader(node, what: "`accepts`", collector) else { return nil }
    let words = reader.scalars("types") ?? []
    types = words.map(\.text)
    max = reader.int("max") ?? 1
    filter = reader.expression("where")
    if words.isEmpty {
      collector.report(
        "missing-argument", "`accepts` needs `types`", at: node.span,
        help: "add `types: [url]`, or any of \(Self.kinds.joined(separator: ", "))")
    }
    for word in words where !Self.isType(word.text) {
      collector.report(
        "invalid-value", "`\(word.text)` is nothing that can be shared", at: word.span,
        help: Suggestion.help(for: word.text, in: Self.kinds)
          ?? "write one of \(Self.kinds.joined(separator: ", ")), or a media type such as "
          + "application/pdf or image/*")
    }
    if !(1...Self.limit).contains(max), let span = reader.mapping["max"]?.span {
      collector.report("invalid-value", "`max` is a number from 1 to \(Self.limit)", at: span)
    }
    reader.finish()
  }

  private static func isType(_ word: String) -> Bool {
    if kinds.contains(word) { return true }
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && word == word.lowercased() && !word.contains(where: \.isWhitespace)
      && (parts[1] == "*" || !parts[1].contains("*")) && !parts[0].contains("*")
  }
}
