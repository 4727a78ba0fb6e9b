import Catalog
import Source

/// All commands of the program's own, a row each; a start makes only the one it wants.
enum CommandTable {
  /// Each with the heading of help that it stands under, in the order in which help lists them.
  private static let rows: [(subject: String, name: String, command: @Sendable () -> Command)] = [
    ("items", "find", { FindCommand.command }),
    ("items", "get", { GetCommand.command }),
    ("items", "create", { CreateCommand.command }),
    ("items", "update", { UpdateCommand.command }),
    ("items", "delete", { DeleteCommand.command }),
    ("items", "tags", { TagsCommand.command }),
    ("items", "changes", { ChangesCommand.command }),
    ("items", "undo", { UndoCommand.command }),
    ("items", "redo", { UndoCommand.redo }),
    ("exchange", "import", { ImportCommand.command }),
    ("exchange", "export", { ExportCommand.command }),
    ("exchange", "share-in", { ShareInCommand.command }),
    ("exchange", "inbox", { InboxCommand.command }),
    ("definitions", "run", { RunCommand.command }),
    ("definitions", "call", { CallCommand.command }),
    ("definitions", "list", { ListCommand.command }),
    ("definitions", "show", { ShowCommand.command }),
    ("definitions", "check", { CheckCommand.command }),
    ("definitions", "test", { TestCommand.command }),
    ("definitions", "eval", { EvalCommand.command }),
    ("definitions", "trust", { TrustCommand.command }),
    ("definitions", "secret", { SecretCommand.command }),
    ("runs", "runs", { RunsCommand.command }),
    ("runs", "log", { LogCommand.command }),
    ("runs", "resume", { ResumeCommand.command }),
    ("runs", "retry", { ResumeCommand.retry }),
    ("runs", "cancel", { ResumeCommand.cancel }),
    ("runs", "queue", { QueueCommand.command }),
    ("runs", "worker", { WorkerCommand.command }),
    ("runs", "automations", { AutomationsCommand.command }),
    ("runs", "activity", { ActivityCommand.command }),
    ("the program", "settings", { SettingsCommand.command }),
    ("the program", "backup", { BackupCommand.command }),
    ("the program", "vacuum", { VacuumCommand.command }),
    ("the program", "doctor", { DoctorCommand.command }),
    ("the program", "help", { HelpCommand.command }),
    ("the program", "version", { VersionCommand.command }),
  ]

  /// The command of a name; nil when there is none.
  static func command(named name: String) -> Command? {
    rows.first { $0.name == name }?.command()
  }

  /// Whether there is a command of a name.
  static func holds(_ name: String) -> Bool { rows.contains { $0.name == name } }

  /// All of them, in the order in which help lists them.
  static var all: [Command] { rows.map { $0.command() } }

  /// All of them by what they are for.
  static var groups: [(subject: String, commands: [Command])] {
    var groups: [(subject: String, commands: [Command])] = []
    for row in rows {
      if groups.last?.subject != row.subject { groups.append((row.subject, [])) }
      groups[groups.count - 1].commands.append(row.command())
    }
    return groups
  }

  /// The error for a word that isn't a command.
  static func unknown(_ name: String, _ library: Library) -> UsageError {
    let all = rows.map(\.name) + library.actionNames
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
