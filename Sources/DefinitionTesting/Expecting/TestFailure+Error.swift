import Engine
import Source

extension TestFailure {
  /// What was thrown, after some words.
  init(_ error: any Error, _ words: String = "", at span: Span? = nil) {
    switch error {
    case let error as RunError:
      self.init(
        "\(words)\(error.message) [\(error.code)]", at: error.span ?? span,
        help: Self.help(for: error))
    case let error as Diagnostics:
      let first = error.all.first
      let others = error.all.count > 1 ? ", and \(error.all.count - 1) more mistakes" : ""
      self.init(
        "\(words)\(first?.message ?? "a mistake") [\(first?.id ?? "internal")]\(others)",
        at: first?.span ?? span, help: first?.help)
    case let error as Diagnostic:
      self.init("\(words)\(error.message) [\(error.id)]", at: error.span ?? span, help: error.help)
    default: self.init("\(words)\(error) [internal]", at: span)
    }
  }

  /// What a test can do about an error.
  private static func help(for error: RunError) -> String? {
    switch error.remedy {
    case .advice(let text): text
    case .answer(let key): "answer it in the test: `answers: {\(key): …}`"
    case .agree: "answer it in the test under `answers:`, by the step's `name` or its prompt"
    case .parameter(let name, _, _), .callParameter(let name):
      "give it in the test: `parameters: {\(name): …}`, or `input: …`"
    case .choose(let references): "one of " + references.joined(separator: ", ")
    default: nil
    }
  }
}
