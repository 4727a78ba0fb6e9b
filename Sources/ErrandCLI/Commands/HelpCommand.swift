import Catalog

/// `errand help`: shows help.
enum HelpCommand {
  static let command = Command("help", "show help", usage: "[COMMAND]", serves: [], reads: .always)
  { invocation, arguments in
    let text = HelpText(invocation.console)
    guard let name = arguments.words.first else {
      invocation.pager.write(
        text.overview(try invocation.library(), CommandTable.groups, Alias.names(of:)))
      return ExitStatus.done
    }
    for name in [name, Alias(named: name)?.target].compactMap(\.self) {
      if let command = CommandTable.command(named: name) {
        invocation.pager.write(text.command(command, Alias.names(of:)))
        return ExitStatus.done
      }
      if let definition = try invocation.library().action(name) {
        invocation.pager.write(text.action(definition, Alias.names(of:)))
        return ExitStatus.done
      }
    }
    throw CommandTable.unknown(name, try invocation.library())
  }
}
