import Catalog
import Source

/// `errand help`: shows help.
enum HelpCommand {
  static let command = Command(
    "help", "show help", usage: "[COMMAND | INTENT | ENTITY | PAGE]", serves: [], reads: .always
  ) { invocation, arguments in
    let text = HelpText(invocation.console)
    guard let name = arguments.words.first else {
      return invocation.pager.write(text.overview(try invocation.catalog()))
    }
    for name in [name, Alias.target(of: name)].compactMap(\.self) {
      if let command = CommandTable.command(named: name) {
        return invocation.pager.write(text.command(command))
      }
      if let definition = try invocation.catalog().action(name) {
        return invocation.pager.write(text.action(definition))
      }
    }
    if let name = try ItemWords.entityIfNamed(name, in: invocation.catalog()),
      let entity = try invocation.catalog().entity(name)
    {
      return invocation.pager.write(text.entity(entity))
    }
    let page = name.hasSuffix(".md") ? String(name.dropLast(3)) : name
    if let page = GuidePage.all.first(where: { $0.name == page }) {
      return invocation.pager.write(text.page(page))
    }
    if page != name {
      let pages = GuidePage.all.map(\.name)
      throw UsageError("unknown page `\(name)`", help: Suggestion.help(for: page, in: pages))
    }
    throw CommandTable.unknown(name, try invocation.catalog())
  }
}
