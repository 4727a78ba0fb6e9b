/// One of the command line's own commands.
struct Command: Sendable {
  let name: String
  let summary: String
  /// The words after the name, as help shows them.
  let usage: String
  /// More about it, for its help.
  let discussion: String
  let flags: [Flag]
  let run: @Sendable (Invocation, ParsedArguments) throws -> Int32

  init(
    _ name: String, _ summary: String, usage: String = "", discussion: String = "",
    flags: [Flag] = [], run: @escaping @Sendable (Invocation, ParsedArguments) throws -> Int32
  ) {
    self.name = name
    self.summary = summary
    self.usage = usage
    self.discussion = discussion
    self.flags = flags
    self.run = run
  }

  /// Refuses words that the command has no use for, which somebody meant something by.
  ///
  /// - Throws: `UsageError`.
  func expectUse(of words: [String]) throws(UsageError) {
    if usage.contains("…") { return }
    let count = usage.split(separator: " ").count
    guard words.count > count else { return }
    throw UsageError(
      count == 0
        ? "`\(name)` takes no words, and “\(words[0])” was given"
        : "“\(words[count])” is one word too many", help: "errand help \(name)")
  }

  /// The names, in the order in which help lists them; a start makes only the command it wants.
  private enum Name: String, CaseIterable {
    case run, call, find, get, create, update, delete, list, show, eval
    case importItems = "import"
    case exportItems = "export"
    case changes, undo, backup, vacuum, trust, doctor, help, version

    var command: Command {
      switch self {
      case .run: .run
      case .call: .call
      case .find: .find
      case .get: .get
      case .create: .create
      case .update: .update
      case .delete: .delete
      case .list: .list
      case .show: .show
      case .eval: .eval
      case .importItems: .importItems
      case .exportItems: .exportItems
      case .changes: .changes
      case .undo: .undo
      case .backup: .backup
      case .vacuum: .vacuum
      case .trust: .trust
      case .doctor: .doctor
      case .help: .help
      case .version: .version
      }
    }
  }

  /// All of them, in the order in which help lists them.
  static var all: [Command] { Name.allCases.map(\.command) }

  /// The command of a name; nil when there is none.
  ///
  /// `init(rawValue:)` would make a table of all names first, for the one that is looked up.
  static func named(_ name: String) -> Command? {
    Name.allCases.first { $0.rawValue == name }?.command
  }
}
