import Catalog
import Engine
import ErrandKit
import Program
import Source

/// `errand run`: runs a shortcut or an intent, by name or from a file.
enum RunCommand {
  static let command: Command = .init(
    "run", "run a shortcut or an intent, by name or from a file", usage: "NAME|FILE|- [INPUT…]",
    discussion: """
      A FILE contains a `/` or ends in `.yaml`; `FILE#name` chooses one of several; `-` reads the
      document from standard input. An INPUT of `-` is read from standard input. Its parameters
      are flags here, too.
      """,
    flags: [.parameter], serves: Flag.Service.allCases, sortsFlags: false
  ) { invocation, _ in
    try run(command, invocation) { try invocation.target($0) }
  }

  /// `errand call`: runs an intent or a shortcut whose name is also a command.
  static let call: Command = .init(
    "call", "run an intent or a shortcut whose name is also a command", usage: "NAME [WORDS…]",
    flags: [.parameter], serves: Flag.Service.allCases, sortsFlags: false
  ) { invocation, _ in
    try run(call, invocation) { RunTarget(named: $0) }
  }

  /// Advice on `run list` and the like, as of `gh`; nil for other words.
  private static func help(onVerb words: [String]) -> String? {
    let run = words.count > 1 ? words[1].quotedForShell : "RUN"
    switch words.first {
    case "list", "ls": return "`errand runs` lists the runs"
    case "view", "show", "watch": return "write errand log \(run)"
    case "rerun", "retry": return "write errand retry \(run)"
    case "cancel", "stop": return "write errand cancel \(run)"
    default: return nil
    }
  }

  /// Runs the action named by the first word, which declares the flags.
  private static func run(
    _ command: Command, _ invocation: Invocation, _ target: (String) throws -> RunTarget
  ) throws {
    guard let word = invocation.arguments.plainWords.first else {
      if invocation.arguments.isOn("help") {
        return invocation.console.out(HelpText(invocation.console).command(command))
      }
      throw UsageError(
        "`\(command.name)` needs a name",
        help: "`errand list` shows the names; - reads a document from standard input")
    }
    let target = try target(word)
    let catalog = try invocation.catalog()
    guard let definition = try catalog.action(target.name) else {
      let parts = word.split(separator: ":").map(String.init)
      if parts.count == 2, parts[0].hasSuffix(".yaml") || parts[0].hasSuffix(".yml") {
        throw UsageError("“\(word)” is not a file", help: "write \(parts[0])#\(parts[1])")
      }
      if let help = Self.help(onVerb: invocation.arguments.plainWords) {
        throw UsageError("there is no intent, shortcut or automation `\(word)`", help: help)
      }
      let known = CommandTable.unknown(target.name, catalog)
      throw UsageError(
        "there is no intent, shortcut or automation `\(target.name)`",
        help: Suggestion.didYouMean(target.name, in: catalog.actionNames)
          ?? (known.help?.contains("errand help") == true
            ? "`errand list` shows the names" : known.help))
    }
    do { try ActionCommand.run(definition, invocation, target) } catch let error as RunError {
      // The name is no command of its own.
      guard case .parameter(let name, _, isPrimary: true)? = error.remedy else { throw error }
      throw RunError(
        error.code, error.message,
        remedy: .parameter(name, of: "\(command.name) \(word.quotedForShell)", isPrimary: true))
    }
  }
}
