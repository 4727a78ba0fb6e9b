/// A flag that a command takes.
struct Flag: Sendable {
  enum Kind: Sendable {
    /// Given or not; `--no-name` takes it back.
    case toggle
    /// With a value, which help calls by the name.
    case value(String)
  }

  /// The name without its dashes.
  let name: String
  /// One letter for the short form.
  let short: Character?
  let kind: Kind
  let help: String

  init(_ name: String, short: Character? = nil, _ kind: Kind, _ help: String) {
    self.name = name
    self.short = short
    self.kind = kind
    self.help = help
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

  /// The flags that every command takes.
  static let common: [Flag] = [
    Flag("json", .toggle, "print the result as one JSON value"),
    Flag("jsonl", .toggle, "print the result as JSON, one item a line"),
    Flag("format", .value("TEMPLATE"), "print a template for each item, such as '{{ self.ref }}'"),
    Flag("null", short: "0", .toggle, "put NUL instead of a newline after each item"),
    Flag("events", .toggle, "print every event as JSON and read answers as JSON"),
    Flag("answer", .value("KEY=VALUE"), "answer a question ahead of time; may be repeated"),
    Flag("yes", short: "y", .toggle, "accept confirmations that are not marked as dangerous"),
    Flag("store", .value("PATH"), "use another store; `:memory:` keeps nothing"),
    Flag("catalog", .value("DIR"), "also load the definitions of a folder"),
    Flag("color", .value("WHEN"), "use colour: auto, always or never"),
    Flag("quiet", short: "q", .toggle, "say nothing; print only the result"),
    Flag("help", short: "h", .toggle, "show help"),
  ]
}
