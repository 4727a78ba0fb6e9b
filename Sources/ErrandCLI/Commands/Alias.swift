import Catalog
import Program
import Source

/// Alternative names of commands and intents, familiar from other programs; definitions of the
/// person take precedence.
enum Alias {
  /// All aliases with their targets.
  static let all: [(name: String, target: String)] = [
    ("ls", "recent"), ("rm", "delete"), ("add", "save"), ("bookmark", "save"),
  ]

  /// Returns the target of an alias; nil for any other name.
  static func target(of name: String) -> String? { all.first { $0.name == name }?.target }

  /// Returns the aliases of a command or an intent.
  static func names(of target: String) -> [String] {
    all.filter { $0.target == target }.map(\.name)
  }

  /// Resolves an alias with the rest of its command line; nil if the name is not an alias.
  ///
  /// - Throws: `UsageError` for an ambiguous command line.
  static func meaning(
    of name: String, _ line: Arguments, in catalog: DefinitionCatalog
  ) throws -> String? {
    name == "ls" ? try listing(line, in: catalog) : target(of: name)
  }

  /// `ls` alone is `recent`, `ls shortcuts` is `list`, and `ls tasks` is `find`.
  private static func listing(_ line: Arguments, in catalog: DefinitionCatalog) throws -> String {
    var line = line
    try line.takeKnown(FindCommand.command.flags)
    let words = line.plainWords
    guard let word = words.first else { return "recent" }
    if ListCommand.kinds(named: word) != nil { return "list" }
    if try ItemWords.entityIfNamed(word, in: catalog) != nil { return "find" }
    throw UsageError(
      "cannot list “\(word)”",
      help: try NounAndVerb.command(
        meantBy: ["list"] + words, in: catalog, isCommand: CommandTable.holds
      )
      .map { "did you mean `\($0)`?" }
        ?? "to search links: errand search \(words.map(\.quotedForShell).joined(separator: " "))")
  }
}
