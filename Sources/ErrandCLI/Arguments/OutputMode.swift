/// Output format of a result (language §8).
enum OutputMode: Sendable {
  /// For a person on a terminal; one item per line elsewhere.
  case plain
  case json
  case jsonLines
  case format(String)
  /// Events, or entries of the transcript.
  case events

  /// Whether no machine-readable format was requested.
  var isPlain: Bool {
    if case .plain = self { true } else { false }
  }

  /// Creates the mode requested by flags.
  ///
  /// - Throws: `UsageError` if two are given.
  init(_ arguments: Arguments) throws(UsageError) {
    let asked: [(flag: String, mode: OutputMode?)] = [
      ("--json", arguments.isOn("json") ? .json : nil),
      ("--jsonl", arguments.isOn("jsonl") ? .jsonLines : nil),
      ("--format", arguments.last("format").map(OutputMode.format)),
      ("--events", arguments.isOn("events") ? .events : nil),
      ("--transcript", arguments.isOn("transcript") ? .events : nil),
    ].filter { $0.mode != nil }
    try UsageError.expect(
      asked.count <= 1, "\(asked[0].flag) and \(asked[1].flag) cannot be given together",
      help: "keep one of them")
    self = asked.first?.mode ?? .plain
  }
}
