import Catalog

/// What `run` and `call` have in common: their flags are those of what they run.
enum TargetCommand {
  /// Runs what the first word means.
  static func run(
    _ command: Command, _ rest: [String], _ console: Console,
    name: (String, Invocation) throws -> String
  ) throws -> Int32 {
    let first = try ParsedArguments(rest, flags: Flag.common, passesUnknown: true)
    guard let word = first.words.first else {
      if first.isOn("help") {
        console.out(HelpText(console).command(command, Alias.names(of:)))
        return ExitStatus.done
      }
      throw UsageError(
        "`\(command.name)` needs a name", help: "`errand list` shows the names")
    }
    let loader = try Invocation(first, console: console, isCommand: CommandTable.holds)
    let name = try name(word, loader)
    guard let definition = try loader.library().action(name) else {
      throw CommandTable.unknown(name, try loader.library())
    }
    let flags = ActionArguments(definition).flags() + Flag.common
    let arguments = try ParsedArguments(rest, flags: flags)
    if arguments.isOn("help") {
      console.out(HelpText(console).action(definition, Alias.names(of:)))
      return ExitStatus.done
    }
    let invocation = try Invocation(arguments, after: loader)
    return try ActionCommand.run(
      definition, arguments, words: Array(arguments.words.dropFirst()), invocation)
  }
}
