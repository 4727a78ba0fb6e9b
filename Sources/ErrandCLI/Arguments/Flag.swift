/// A command-line flag.
struct Flag: Sendable {
  /// Whether a flag takes a value.
  enum Kind: Sendable {
    /// On or off; `--no-name` turns it off.
    case toggle
    /// A flag with a value; the placeholder is shown in help.
    case value(String)
  }

  /// A capability that a common flag needs from a command; commands without it reject the flag.
  enum Service: CaseIterable, Sendable {
    /// Results as JSON.
    case json
    /// A template for each result item.
    case format
    /// A stream of events.
    case events
    /// Preset answers to questions.
    case answers
  }

  /// Name without dashes.
  let name: String
  /// Letter of the short form.
  let short: Character?
  let kind: Kind
  let help: String
  /// The service it needs; nil if every command accepts it.
  let service: Service?
  /// Whether it may be repeated.
  let isList: Bool

  init(
    _ name: String, short: Character? = nil, _ kind: Kind, _ help: String, asks: Service? = nil,
    isList: Bool = false
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.help = help
    self.isList = isList
    service = asks
  }

  /// Whether `name` is the flag's name or, for `--color`, its British spelling.
  func isNamed(_ name: some StringProtocol) -> Bool {
    self.name == name || self.name == "color" && name == "colour"
  }

  /// The flag as shown in help, such as `-y, --yes` or `--limit N`.
  var usage: String {
    let names = short.map { "-\($0)" + (name.isEmpty ? "" : ", --\(name)") } ?? "--\(name)"
    if case .value(let value) = kind { return "\(names) \(value)" }
    return names
  }

  /// Whether it takes no value.
  var isToggle: Bool { if case .toggle = kind { true } else { false } }

  /// Whether its value is the reference of an item.
  var takesReference: Bool { if case .value("REF") = kind { true } else { false } }

  /// Flag that shows how each `find` runs.
  static let explainRun = Flag(
    "explain", .toggle, "also show on standard error how each `find` runs")

  /// Step limit of a run.
  static let maxSteps = Flag(
    "max-steps", .value("N"), "maximum number of steps [default 50 million]")

  /// Capabilities granted to definitions from files and projects.
  static let allow = Flag(
    "allow", .value("LIST"),
    "let a file or project use these, such as exec:git,write:./out", isList: true)

  /// Sets a parameter by name.
  static let parameter = Flag(
    "param", short: "p", .value("NAME=VALUE"), "set a parameter by name", isList: true)

  /// Shows the effects of a run without performing them.
  static let dryRun = Flag("dry-run", .toggle, "show what would happen, change nothing")

  /// Allows read-only requests in a dry run.
  static let allowRequests = Flag(
    "allow-requests", .toggle, "with --dry-run: make read-only requests and use their results")

  /// Asks before each step.
  static let step = Flag("step", .toggle, "ask before each step: next, over, go on or stop")

  /// Traces steps on standard error.
  static let trace = Flag(
    "trace", .toggle, "show each step on standard error as it starts and ends")

  /// Runs queued jobs in this process instead of leaving them to a worker.
  static let now = Flag("now", .toggle, "run queued jobs right away")

  /// Flags of every intent and shortcut, unless a parameter has the same name.
  static let watching = [explainRun, trace, step, dryRun, allowRequests, now, maxSteps, allow]

  /// Whether a flag has the same meaning in every command or action.
  static func isEverywhere(_ flag: Flag) -> Bool {
    (common + watching + [.parameter]).contains { $0.name == flag.name }
  }

  /// Selects the front: terminal or desktop.
  static let front = Flag(
    "front", .value("terminal|desktop"), "where to ask and show messages",
    asks: .answers)

  /// Exit status 1 for an empty result; for commands that return a list.
  static let exitStatus = Flag("exit-status", .toggle, "exit with status 1 if nothing is found")

  /// Flags with the same meaning for every command that accepts them.
  static let common: [Flag] = [
    Flag("json", .toggle, "print the result as one JSON value", asks: .json),
    Flag("jsonl", .toggle, "print the result as JSON, one item per line", asks: .json),
    Flag(
      "format", .value("TEMPLATE"), "print a template for each item, such as '{{ self.ref }}'",
      asks: .format),
    Flag("null", short: "0", .toggle, "end each item with NUL instead of a newline", asks: .format),
    Flag("events", .toggle, "print every event as JSON and read answers as JSON", asks: .events),
    Flag(
      "transcript", .toggle, "print the entries of the transcript as JSON, and read answers so",
      asks: .events),
    Flag(
      "answer", .value("KEY=VALUE"), "answer a question ahead of time; may be repeated",
      asks: .answers, isList: true),
    Flag(
      "yes", short: "y", .toggle, "accept confirmations that are not marked as dangerous",
      asks: .answers),
    front,
    Flag("store", .value("PATH"), "use another store; `:memory:` keeps nothing"),
    Flag("catalog", .value("DIR"), "also load definitions from a folder"),
    Flag("language", .value("CODE"), "speak another language, such as de"),
    Flag("color", .value("auto|always|never"), "use colour"),
    Flag("no-pager", .toggle, "do not use a pager"),
    Flag("quiet", short: "q", .toggle, "print only the result"),
    Flag("help", short: "h", .toggle, "show help"),
  ]

  /// Returns the common flags accepted by a command with these services.
  static func common(_ services: [Service]) -> [Flag] {
    common.filter { $0.service.map(services.contains) ?? true }
  }
}
