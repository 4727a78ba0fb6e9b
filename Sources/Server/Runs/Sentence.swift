import ErrandKit

/// The body of a request to understand a sentence: `text`, optionally `language` and `run`.
struct Sentence {
  private let text: String
  private let language: String?

  /// The maximum length of a sentence, in characters.
  static let limit = 2_000

  /// Reads a body.
  ///
  /// - Throws: A problem for an invalid body.
  init(_ head: RequestHead, _ body: Body) throws {
    guard head.mediaType == "application/json" else {
      throw Problem(415, "invalid-value", "the body must be application/json")
    }
    let members = try body.object()
    for name in members.keys.sorted() where !["text", "language", "run"].contains(name) {
      throw Problem(
        422, "invalid-value", "`\(name)` is not a member of this request",
        help: "the members are text, language and run")
    }
    guard let text = members["text"]?.string, !text.isEmpty, text.count <= Self.limit else {
      throw Problem(
        422, "invalid-value", "`text` must be a sentence of at most \(Self.limit) characters")
    }
    if let language = members["language"], language.string == nil {
      throw Problem(422, "invalid-value", "`language` must be a code such as de")
    }
    if let run = members["run"], run != .bool(true), run != .bool(false) {
      throw Problem(422, "invalid-value", "`run` must be true or false")
    }
    self.text = text
    language = members["language"]?.string
  }

  /// The call that the sentence was understood as.
  ///
  /// - Throws: A problem if no phrase fits, or several do.
  func understood(_ context: WorkerContext) throws -> Understanding {
    let errand = try context.errand()
    let found = try errand.understand(text, in: language)
    guard let first = found.first else {
      let near = errand.nearestSentences(to: text, in: language).map {
        "“\($0.sentence)” (\($0.action))"
      }
      throw Problem(
        422, "invalid-value", "nothing that can be said fits the sentence",
        help: near.isEmpty ? nil : near.joined(separator: "; "))
    }
    guard found.count == 1 else {
      let names = found.map { "`\($0.action)`" }.joined(separator: " and ")
      throw Problem(
        409, "conflict", "the sentence fits \(names) equally well", help: "say it in other words")
    }
    guard !first.isUnsure else {
      throw Problem(
        409, "conflict",
        "not all of the sentence was understood: should `\(first.action)` be done?",
        help: errand.sentence(for: first, in: language))
    }
    return first
  }
}
