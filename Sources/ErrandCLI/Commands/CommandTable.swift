import Catalog
import Source

/// All commands of the program's own, a row each; a start makes only the one it wants.
enum CommandTable {
  /// The names under the headings of help, in the order in which it lists them.
  private static let names = [
    (
      "items",
      ["find", "get", "create", "update", "delete", "tags", "changes", "undo", "redo"]
    ),
    ("exchange", ["import", "export", "share-in", "inbox"]),
    (
      "definitions",
      ["run", "call", "list", "show", "check", "test", "eval", "trust", "secret"]
    ),
    (
      "runs",
      [
        "runs", "log", "resume", "retry", "cancel", "queue", "worker", "automations", "activity",
      ]
    ),
    ("the program", ["settings", "backup", "vacuum", "doctor", "help", "version"]),
  ]

  /// The command of a name; nil when there is none.
  static func command(named name: String) -> Command? {
    switch name {
    case "run": RunCommand.command
    case "call": CallCommand.command
    case "check": CheckCommand.command
    case "test": TestCommand.command
    case "find": FindCommand.command
    case "get": GetCommand.command
    case "create": CreateCommand.command
    case "update": UpdateCommand.command
    case "delete": DeleteCommand.command
    case "tags": TagsCommand.command
    case "list": ListCommand.command
    case "show": ShowCommand.command
    case "eval": EvalCommand.command
    case "import": ImportCommand.command
    case "export": ExportCommand.command
    case "share-in": ShareInCommand.command
    case "inbox": InboxCommand.command
    case "changes": ChangesCommand.command
    case "undo": UndoCommand.command
    case "redo": UndoCommand.redo
    case "runs": RunsCommand.command
    case "log": LogCommand.command
    case "resume": ResumeCommand.command
    case "retry": RetryCommand.command
    case "cancel": CancelCommand.command
    case "queue": QueueCommand.command
    case "worker": WorkerCommand.command
    case "automations": AutomationsCommand.command
    case "activity": ActivityCommand.command
    case "backup": BackupCommand.command
    case "vacuum": VacuumCommand.command
    case "settings": SettingsCommand.command
    case "trust": TrustCommand.command
    case "secret": SecretCommand.command
    case "doctor": DoctorCommand.command
    case "help": HelpCommand.command
    case "version": VersionCommand.command
    default: nil
    }
  }

  /// Whether there is a command of a name.
  static func holds(_ name: String) -> Bool { command(named: name) != nil }

  /// All of them, in the order in which help lists them.
  static var all: [Command] { groups.flatMap(\.commands) }

  /// All of them by what they are for.
  static var groups: [(subject: String, commands: [Command])] {
    names.map { ($0.0, $0.1.compactMap(command(named:))) }
  }

  /// The error for a word that isn't a command.
  static func unknown(_ name: String, _ library: Library) -> UsageError {
    let all = names.flatMap(\.1) + library.actionNames
    return UsageError(
      "unknown command `\(name)`",
      help: (Suggestion.nearest(to: name, in: all) ?? unabbreviated(name, in: all))
        .map { "did you mean `errand \($0)`?" } ?? "`errand help` lists the commands")
  }

  /// The shortest name that has the letters of an abbreviation such as `srch`, in their order.
  private static func unabbreviated(_ short: String, in names: [String]) -> String? {
    guard short.count >= 3 else { return nil }
    return names.filter { name in
      var rest = name[...]
      return name.first == short.first
        && short.allSatisfy { letter in
          guard let index = rest.firstIndex(of: letter) else { return false }
          rest = rest[rest.index(after: index)...]
          return true
        }
    }.min { ($0.count, $0) < ($1.count, $1) }
  }
}
