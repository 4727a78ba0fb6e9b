import Catalog

/// `errand help`: shows help.
enum HelpCommand {
  static let command = Command("help", "show help", usage: "[COMMAND]", serves: [], reads: .always)
  { invocation, arguments in
    let text = HelpText(invocation.console)
    guard let name = arguments.words.first else {
      invocation.pager.write(text.overview(try invocation.library(), CommandTable.all))
      return ExitStatus.done
    }
    if let command = CommandTable.command(named: name) {
      invocation.pager.write(text.command(command))
      return ExitStatus.done
    }
    guard let definition = try invocation.library().action(name) else {
      throw CommandTable.unknown(name, try invocation.library())
    }
    invocation.pager.write(text.action(definition))
    return ExitStatus.done
  }
}
