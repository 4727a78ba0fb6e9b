/// A flag that a command takes.
struct Flag: Sendable {
  enum Kind: Sendable {
    /// Given or not; `--no-name` takes it back.
    case toggle
    /// With a value, which help calls by the name.
    case value(String)
  }

  /// What a common flag asks of a command; one that asks for what a command cannot do is refused.
  enum Service: CaseIterable, Sendable {
    /// Its result as JSON.
    case json
    /// A template for each item of its result.
    case format
    /// All that happens as events.
    case events
    /// Answers to its questions ahead of time.
    case answers
  }

  /// The name without its dashes.
  let name: String
  /// One letter for the short form.
  let short: Character?
  let kind: Kind
  let help: String
  /// What it asks of a command; nil when it concerns all of them.
  let service: Service?
  /// Whether its values are a list, so that it may be given several times.
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

  /// Whether a person may write it under a name: its own, or the other spelling of `--color`.
  func isNamed(_ name: some StringProtocol) -> Bool {
    self.name == name || self.name == "color" && name == "colour"
  }

  /// The flag as help shows it, such as `-y, --yes` or `--limit N`.
  var usage: String {
    let names = short.map { "-\($0)" + (name.isEmpty ? "" : ", --\(name)") } ?? "--\(name)"
    if case .value(let value) = kind { return "\(names) \(value)" }
    return names
  }

  /// What every intent and shortcut takes, unless a parameter has the name.
  static let explainRun = Flag(
    "explain", .toggle, "also show, on standard error, how each `find` runs")

  /// How long a run may be.
  static let maxSteps = Flag(
    "max-steps", .value("N"), "how many steps a run may take in all [default 50 million]")

  /// What definitions from elsewhere may touch.
  static let allow = Flag(
    "allow", .value("LIST"),
    "let a file or a project touch these, such as exec:git,write:./out", isList: true)

  /// A parameter by its own name.
  static let parameter = Flag(
    "param", short: "p", .value("NAME=VALUE"), "give a parameter by its name", isList: true)

  /// What a run would do, without doing it.
  static let dryRun = Flag("dry-run", .toggle, "show what would happen, and change nothing")

  /// Requests of a dry run that only read.
  static let allowRequests = Flag(
    "allow-requests", .toggle, "with --dry-run: make requests that only read, and go on with them")

  /// A question before each step.
  static let step = Flag("step", .toggle, "ask before each step: next, over, go on or stop")

  /// Each step while it runs.
  static let trace = Flag(
    "trace", .toggle, "show each step as it begins and ends, on standard error")

  /// Jobs are done and not left to a worker.
  static let now = Flag("now", .toggle, "run queued jobs right away")

  /// What every intent and shortcut takes to be watched, unless a parameter has the name.
  static let watching = [explainRun, trace, step, dryRun, allowRequests, now, maxSteps, allow]

  /// Who hears and answers.
  static let front = Flag(
    "front", .value("WHERE"), "where to ask and show messages: terminal or desktop",
    asks: .answers)

  /// What commands take whose result is a list.
  static let exitStatus = Flag("exit-status", .toggle, "end with status 1 when nothing is found")

  /// The flags that mean the same for every command that takes them.
  static let common: [Flag] = [
    Flag("json", .toggle, "print the result as one JSON value", asks: .json),
    Flag("jsonl", .toggle, "print the result as JSON, one item a line", asks: .json),
    Flag(
      "format", .value("TEMPLATE"), "print a template for each item, such as '{{ self.ref }}'",
      asks: .format),
    Flag(
      "null", short: "0", .toggle, "end each item with NUL instead of a newline", asks: .format),
    Flag(
      "events", .toggle, "print every event as JSON and read answers as JSON", asks: .events),
    Flag(
      "answer", .value("KEY=VALUE"), "answer a question ahead of time; may be repeated",
      asks: .answers, isList: true),
    Flag(
      "yes", short: "y", .toggle, "accept confirmations that are not marked as dangerous",
      asks: .answers),
    front,
    Flag("store", .value("PATH"), "use another store; `:memory:` keeps nothing"),
    Flag("catalog", .value("DIR"), "also load the definitions of a folder"),
    Flag("color", .value("WHEN"), "use colour: auto, always or never"),
    Flag("no-pager", .toggle, "write long results as they are, not page by page"),
    Flag("quiet", short: "q", .toggle, "say nothing; print only the result"),
    Flag("help", short: "h", .toggle, "show help"),
  ]

  /// The common flags that a command with some services takes.
  static func common(_ services: [Service]) -> [Flag] {
    common.filter { $0.service.map(services.contains) ?? true }
  }
}
