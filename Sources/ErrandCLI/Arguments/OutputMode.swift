/// How a result is handed to the next program (language §8).
enum OutputMode: Sendable {
  /// For a person on a terminal, one item a line elsewhere.
  case plain
  case json
  case jsonLines
  case format(String)
  case events

  /// Whether errors are JSON on stderr.
  var hasJSONErrors: Bool {
    if case .plain = self { false } else { true }
  }

  /// The mode that flags ask for.
  ///
  /// - Throws: `UsageError` when they ask for two.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    var modes: [(String, OutputMode)] = []
    if arguments.isOn("json") { modes.append(("--json", .json)) }
    if arguments.isOn("jsonl") { modes.append(("--jsonl", .jsonLines)) }
    if let format = arguments.last("format") { modes.append(("--format", .format(format))) }
    if arguments.isOn("events") { modes.append(("--events", .events)) }
    if modes.count > 1 {
      throw UsageError(
        "\(modes[0].0) and \(modes[1].0) can't be given together", help: "keep one of them")
    }
    self = modes.first?.1 ?? .plain
  }
}
