/// How a result is handed to the next program (language §8).
enum OutputMode: Sendable {
  /// For a person on a terminal, one item a line elsewhere.
  case plain
  case json
  case jsonLines
  case format(String)
  case events

  /// Whether no flag asked for a form that programs read.
  var isPlain: Bool {
    if case .plain = self { true } else { false }
  }

  /// Whether errors are JSON on stderr.
  var hasJSONErrors: Bool { !isPlain }

  /// The mode that flags ask for.
  ///
  /// - Throws: `UsageError` when they ask for two.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let asked: [(flag: String, mode: OutputMode?)] = [
      ("--json", arguments.isOn("json") ? .json : nil),
      ("--jsonl", arguments.isOn("jsonl") ? .jsonLines : nil),
      ("--format", arguments.last("format").map(OutputMode.format)),
      ("--events", arguments.isOn("events") ? .events : nil),
    ].filter { $0.mode != nil }
    if asked.count > 1 {
      throw UsageError(
        "\(asked[0].flag) and \(asked[1].flag) can't be given together", help: "keep one of them")
    }
    self = asked.first?.mode ?? .plain
  }
}
