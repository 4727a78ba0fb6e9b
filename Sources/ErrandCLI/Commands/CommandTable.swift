import Catalog
import Source

/// All commands of the program's own, a row each; a start makes only the one it wants.
enum CommandTable {
  /// The names, in the order in which help lists them.
  private static let names = [
    "run", "call", "check", "test", "find", "get", "create", "update", "delete", "tags", "list",
    "show", "eval", "import", "export", "share-in", "inbox", "changes", "undo", "redo", "runs",
    "log",
    "resume", "retry", "cancel", "queue", "worker", "automations", "activity", "backup", "vacuum",
    "trust",
    "secret", "settings", "doctor", "help",
    "version",
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
    case "redo": RedoCommand.command
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
  static var all: [Command] { names.compactMap(command(named:)) }

  /// The error for a word that is no command.
  static func unknown(_ name: String, _ library: Library) -> UsageError {
    UsageError(
      "there is no command `\(name)`",
      help: Suggestion.nearest(to: name, in: names + library.actionNames)
        .map { "did you mean `errand \($0)`?" } ?? "`errand help` lists the commands")
  }
}
