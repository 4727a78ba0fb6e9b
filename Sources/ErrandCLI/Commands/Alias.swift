import Catalog
import Program
import Source

/// Another name of a command or an intent, which hands know from other programs.
///
/// A definition of the person's own of that name goes before it.
struct Alias: Sendable {
  let name: String
  /// The command or the intent that it stands for.
  let target: String

  /// All of them.
  static let all = [
    Alias("ls", "recent"), Alias("rm", "delete"), Alias("edit", "update"), Alias("add", "save"),
    Alias("bookmark", "save"),
  ]

  private init(_ name: String, _ target: String) {
    self.name = name
    self.target = target
  }

  /// The alias of a name; nil when there is none.
  init?(named name: String) {
    guard let alias = Self.all.first(where: { $0.name == name }) else { return nil }
    self = alias
  }

  /// The names that stand for a command or an intent.
  static func names(of target: String) -> [String] {
    all.filter { $0.target == target }.map(\.name)
  }

  /// The name of the command or the intent that is meant by a command line.
  ///
  /// - Throws: `UsageError` for words that could mean something else.
  func meaning(_ line: ParsedArguments, in library: Library) throws -> String {
    switch name {
    case "ls": return try listing(line, in: library)
    case "edit" where !line.isOn("help") && !Self.changesItems(line.open):
      throw UsageError(
        "`edit` changes items, and no NAME=VALUE was given",
        help: "errand edit link:42 title=Swift; `errand show NAME` prints a definition")
    default: return target
    }
  }

  /// `ls` alone is `recent`, `ls shortcuts` is `list`, and `ls tasks` is `find`.
  private func listing(_ line: ParsedArguments, in library: Library) throws -> String {
    var line = line
    try line.takeKnown(FindCommand.command.flags)
    let words = line.plainWords
    guard let word = words.first else { return target }
    if ListCommand.kinds(named: word) != nil { return "list" }
    if try ItemWords.entityIfNamed(word, in: library) != nil { return "find" }
    throw UsageError(
      "can't list “\(word)”",
      help: "to search links: errand search \(words.map(\.quotedForShell).joined(separator: " "))")
  }

  private static func changesItems(_ rest: [String]) -> Bool {
    let flags = ["--add", "--remove"]
    return rest.contains { word in
      ItemWords.isField(word) || flags.contains { word == $0 || word.hasPrefix($0 + "=") }
    }
  }
}
