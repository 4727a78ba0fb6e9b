import Source
import YAML

/// The shares that an intent or a shortcut accepts (docs/language.md, “Shares”).
package struct ShareAcceptance: Sendable {
  /// Kinds and media types, such as `url`, `application/pdf` and `image/*`.
  package var types: [String] { words.map(\.text) }
  private var words: [Scalar] = []
  /// Maximum number of things per share; if above 1, the input is a list.
  package private(set) var max = 1
  /// Condition on a shared thing; if it holds, the share is handled without asking.
  package private(set) var filter: ExpressionSource?

  /// The fields that all accepted things have, of those that another thing may lack.
  package var commonFields: [String] {
    if types.allSatisfy({ $0 == "url" }) { return ["url"] }
    // A text has a media type too, but its content is in the share.
    let hasContent = types.allSatisfy { $0 != "url" && !$0.hasPrefix("text") }
    return hasContent ? ["path"] : []
  }

  /// Names of kinds.
  private static let kinds = ["url", "text", "image", "file"]
  /// Maximum number of things in a share.
  private static let limit = 10

  /// Keys of `accepts`.
  static let keys: [Key<Self>] = [
    Key("types", "Kinds and media types.", isRequired: true, .texts { $0.words = $1 }),
    Key("max", "Maximum number of things per share.", .int { $0.max = $1 }),
    Key("where", "Condition on a thing.", .expression { $0.filter = $1 }),
  ]

  /// Reports words of a node that are no kinds of shares.
  static func check(_ node: Node?, _ collector: DiagnosticCollector) {
    check(node?.scalar.map { [$0] } ?? node?.sequence?.compactMap(\.scalar) ?? [], collector)
  }

  private static func check(_ words: [Scalar], _ collector: DiagnosticCollector) {
    for word in words where !isType(word.text) {
      collector.report(
        "invalid-value", "`\(word.text)` is not a kind of share", at: word.span,
        help: ["pdf": "application/pdf", "html": "text/html", "json": "application/json"][word.text]
          .map { "write `\($0)`" } ?? Suggestion.help(for: word.text, in: kinds)
          ?? "write one of \(kinds.joined(separator: ", ")), or a media type such as "
          + "application/pdf or image/*")
    }
  }

  /// Reads the value of `accepts`; reports its errors.
  init?(_ node: Node, _ collector: DiagnosticCollector) {
    guard
      var reader = DefinitionReader(
        node, what: "`accepts`", collector,
        help: "write `accepts: {types: \(node.scalar.map { "[\($0.text)]" } ?? node.span.text)}`")
    else { return nil }
    reader.read(Self.keys, into: &self)
    if words.isEmpty {
      collector.report(
        "missing-argument", "`accepts` needs `types`", at: node.span,
        help: "add `types: [url]`, or any of \(Self.kinds.joined(separator: ", "))")
    }
    Self.check(words, collector)
    if !(1...Self.limit).contains(max), let span = reader.mapping["max"]?.span {
      collector.report("invalid-value", "`max` must be a number from 1 to \(Self.limit)", at: span)
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
