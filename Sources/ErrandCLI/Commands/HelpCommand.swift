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
    if let command = CommandTable.command(named: name) {
      invocation.pager.write(text.command(command, Alias.names(of:)))
      return ExitStatus.done
    }
    let library = try invocation.library()
    if let definition = try library.action(name) {
      invocation.pager.write(text.action(definition, Alias.names(of:)))
      return ExitStatus.done
    }
    guard let alias = Alias(named: name) else { throw CommandTable.unknown(name, library) }
    if let command = CommandTable.command(named: alias.target) {
      invocation.pager.write(text.command(command, Alias.names(of:)))
    } else if let definition = try library.action(alias.target) {
      invocation.pager.write(text.action(definition, Alias.names(of:)))
    }
    return ExitStatus.done
  }
}
