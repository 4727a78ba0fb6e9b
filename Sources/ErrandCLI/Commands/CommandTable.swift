import Catalog
import Engine
import ErrandKit
import Glibc
import Program
import Source

/// All built-in commands, one per row; a start creates only the requested one.
enum CommandTable {
  /// Rows of (help heading, name, command), in help order.
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
    ("import and export", "import", { ImportCommand.command }),
    ("import and export", "export", { ExportCommand.command }),
    ("import and export", "calendar", { CalendarCommand.command }),
    ("import and export", "share-in", { ShareInCommand.command }),
    ("import and export", "inbox", { InboxCommand.command }),
    ("import and export", "shelf", { ShelfCommand.command }),
    ("import and export", "convert", { ConvertCommand.command }),
    ("import and export", "browser", { BrowserCommand.command }),
    ("import and export", "browser-host", { BrowserHostCommand.command }),
    ("import and export", "desktop", { DesktopCommand.command }),
    ("import and export", "follow", { FollowCommand.command }),
    ("import and export", "hub", { HubCommand.command }),
    ("definitions", "run", { RunCommand.command }),
    ("definitions", "call", { RunCommand.call }),
    ("definitions", "do", { DoCommand.command }),
    ("definitions", "phrases", { PhrasesCommand.command }),
    ("definitions", "list", { ListCommand.command }),
    ("definitions", "show", { ShowCommand.command }),
    ("definitions", "check", { CheckCommand.command }),
    ("definitions", "fmt", { FmtCommand.command }),
    ("definitions", "test", { TestCommand.command }),
    ("definitions", "eval", { EvalCommand.command }),
    ("definitions", "new", { NewCommand.command }),
    ("definitions", "edit", { EditCommand.command }),
    ("definitions", "lsp", { LSPCommand.command }),
    ("definitions", "schema", { SchemaCommand.command }),
    ("definitions", "mcp", { MCPCommand.command }),
    ("definitions", "trust", { TrustCommand.command }),
    ("definitions", "secret", { SecretCommand.command }),
    ("definitions", "vault", { VaultCommand.command }),
    ("definitions", "widget", { WidgetCommand.command }),
    ("runs", "runs", { RunsCommand.command }),
    ("runs", "suggest", { SuggestCommand.command }),
    ("runs", "log", { LogCommand.command }),
    ("runs", "resume", { ResumeCommand.command }),
    ("runs", "retry", { ResumeCommand.retry }),
    ("runs", "cancel", { ResumeCommand.cancel }),
    ("runs", "queue", { QueueCommand.command }),
    ("runs", "worker", { WorkerCommand.command }),
    ("runs", "serve", { ServeCommand.command }),
    ("runs", "automations", { AutomationsCommand.command }),
    ("runs", "activity", { ActivityCommand.command }),
    ("the program", "settings", { SettingsCommand.command }),
    ("the program", "backup", { BackupCommand.command }),
    ("the program", "vacuum", { VacuumCommand.command }),
    ("the program", "doctor", { DoctorCommand.command }),
    ("the program", "completion", { CompletionCommand.command }),
    ("the program", "help", { HelpCommand.command }),
    ("the program", "version", { VersionCommand.command }),
  ]

  /// Returns the command with a name, or nil.
  static func command(named name: String) -> Command? { rows.first { $0.name == name }?.command() }

  /// Whether a command with this name exists.
  static func holds(_ name: String) -> Bool { rows.contains { $0.name == name } }

  /// Names of all commands.
  static var names: Set<String> { Set(rows.map(\.name)) }

  /// All commands, in help order.
  static var all: [Command] { rows.map { $0.command() } }

  /// All commands, grouped by help heading.
  static var groups: [(subject: String, commands: [Command])] {
    var groups: [(subject: String, commands: [Command])] = []
    for row in rows {
      if groups.last?.subject != row.subject { groups.append((row.subject, [])) }
      groups[groups.count - 1].commands.append(row.command())
    }
    return groups
  }

  /// Returns the error for an unknown command.
  ///
  /// - Parameter others: The words after it; together they may be a sentence.
  static func unknown(
    _ name: String, _ catalog: DefinitionCatalog, after others: [String] = [],
    _ invocation: Invocation? = nil
  ) -> UsageError {
    let sentence = ([name] + others).joined(separator: " ")
    if let invocation, !others.isEmpty, let run = try? invocation.openRun(),
      !SentenceReader(SpokenPhrases(invocation, run), run).understand(sentence).isEmpty
    {
      return UsageError(
        "unknown command `\(name)`", help: "to have a sentence done: errand do \(sentence)")
    }
    if VerbTable.errand.row(name) != nil {
      return UsageError(
        "`\(name)` is a step of a shortcut, not a command", help: "`errand help verbs` tells of it")
    }
    let all = rows.map(\.name) + catalog.actionNames
    if let help = FamiliarWords.help(name, after: "") {
      return UsageError("unknown command `\(name)`", help: help)
    }
    let file = name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? name : name + ".yaml"
    if access(file, F_OK) == 0 {
      return UsageError("unknown command `\(name)`", help: "to run the file: errand run \(file)")
    }
    if let url = ShellValue.address(name) {
      return UsageError(
        "unknown command `\(name)`", help: "to save the address: errand save \(url)")
    }
    if let entity = try? ItemWords.entityIfNamed(name, in: catalog) {
      return UsageError(
        "unknown command `\(name)`", help: "`errand find \(name)` lists each \(entity)")
    }
    return UsageError(
      "unknown command `\(name)`",
      help: (Suggestion.nearest(to: name, in: all) ?? unabbreviated(name, in: all))
        .map { "did you mean `errand \($0)`?" } ?? "`errand help` lists the commands")
  }

  /// Returns the shortest name that contains the letters of an abbreviation such as `srch`, in
  /// order.
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
