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
    self = .plain
    var given: String?
    func take(_ flag: String) throws(UsageError) {
      if let given {
        throw UsageError("\(given) and \(flag) can't be given together", help: "keep one of them")
      }
      given = flag
    }
    if arguments.isOn("json") {
      try take("--json")
      self = .json
    }
    if arguments.isOn("jsonl") {
      try take("--jsonl")
      self = .jsonLines
    }
    if let format = arguments.last("format") {
      try take("--format")
      self = .format(format)
    }
    if arguments.isOn("events") {
      try take("--events")
      self = .events
    }
  }
}
