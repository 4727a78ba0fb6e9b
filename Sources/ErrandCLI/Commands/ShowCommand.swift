import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source

/// `errand show`: shows the YAML of a definition, or an item.
enum ShowCommand {
  static let command = Command(
    "show", "show the YAML of an intent, a shortcut or an entity, or an item",
    usage: "NAME|REF",
    discussion: """
      To customize a definition, save the output to your own folder and change it there. --access
      shows what an intent, a shortcut or a FILE may access outside the library, including
      everything it calls. --as draws the steps: as a tree, as a flowchart for Mermaid or \
      Graphviz (`| dot -Tsvg`), or as JSON with the parameters.
      """,
    flags: [
      Flag("access", .toggle, "show what it may access instead of its source"),
      Flag("as", .value("tree|mermaid|dot|json"), "draw its steps instead"),
    ],
    serves: [.json, .format, .events, .answers], reads: .always
  ) { invocation, arguments in
    let words = arguments.words.map(WordForm.normal)
    if !words.isEmpty { try ItemWords.expectReferences(words, in: invocation.catalog()) }
    guard let word = words.first, words.count == 1 else {
      throw UsageError("`show` takes one name", help: "errand show save")
    }
    if arguments.isOn("access") { return try invocation.write(accessOf: word) }
    let catalog = try invocation.catalog()
    if let form = arguments.last("as") {
      return invocation.console.result(try drawing(of: word, as: form, catalog, invocation))
    }
    if let source = catalog.source(of: word) {
      if !invocation.mode.isPlain {
        try UsageError.expect(
          catalog.action(word) != nil, "an entity is shown as YAML only",
          help: "errand show \(word); `errand schema` prints a JSON schema")
        return invocation.console.result(try drawing(of: word, as: "json", catalog, invocation))
      }
      return invocation.console.result(source.hasSuffix("\n") ? source : source + "\n")
    }
    if word.contains(":") {
      let item = try invocation.openRun().item(word, of: word.contains("://") ? "Link" : nil)
      return try invocation.resultWriter.write(detail: item)
    }
    throw try UsageError(
      "there is no intent, shortcut or entity `\(word)`",
      help: Suggestion.nearest(to: word, in: catalog.actionNames + catalog.entityNames)
        .map { "did you mean `\($0)`? `errand list` shows all names" }
        ?? NounAndVerb.command(meantBy: ["show", word], in: catalog, isCommand: CommandTable.holds)
        .map { "did you mean `\($0)`?" }
        ?? "`errand list` shows all names")
  }

  private static let forms = ["tree", "mermaid", "dot", "json"]

  /// A definition as a drawing or as JSON, with a line break at its end.
  private static func drawing(
    of word: String, as form: String, _ catalog: DefinitionCatalog, _ invocation: Invocation
  ) throws -> String {
    guard forms.contains(form) else {
      throw UsageError(
        "--as must be one of \(forms.joined(separator: ", ")), not “\(form)”",
        help: Suggestion.nearest(to: form, in: forms).map { "did you mean \($0)?" })
    }
    guard let action = try catalog.action(word) else {
      let isEntity = catalog.entityNames.contains(word)
      throw UsageError(
        isEntity
          ? "\(word) is an entity, and has no steps" : "there is no intent or shortcut `\(word)`",
        help: isEntity
          ? "errand show \(word)" : Suggestion.help(for: word, in: catalog.actionNames))
    }
    let steps = StepOutline.steps(of: action)
    switch form {
    case "tree": return ([word] + StepOutline.tree(steps)).joined(separator: "\n") + "\n"
    case "mermaid": return StepGraph(word, steps).mermaid
    case "dot": return StepGraph(word, steps).dot
    default:
      var options = Errand.Options()
      options.catalog = invocation.arguments.last("catalog")
      guard case .object(var members) = try Errand.open(options).definition(word).json else {
        return "null\n"
      }
      members["steps"] = .array(steps.map(\.json))
      return try JSONValue.object(members).text() + "\n"
    }
  }
}
