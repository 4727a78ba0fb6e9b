import CEL
import Catalog
import Engine
import Items
import JSON
import Program
import Source
import YAML

/// `errand create`: creates an item.
enum CreateCommand {
  static let command = Command(
    "create", "create an item", usage: "ENTITY NAME=VALUE…",
    flags: [
      Flag(
        "on-conflict", .value("fail|keep|merge|update|replace"),
        "what to do if an item with this identity exists [default fail]")
    ],
    serves: [.json, .format, .events, .answers], flagHelp: ItemWords.fieldHelp
  ) { invocation, arguments in
    let word = try arguments.words.first.expected(
      "missing entity", help: "for example: errand create Task title='Write'")
    let run = try invocation.openRun()
    let entity = try ItemWords.entity(word, in: run.catalog)
    try expectFields(arguments.words.dropFirst(), of: entity, in: run.catalog)
    let choice = arguments.last("on-conflict") ?? "fail"
    let policy = try ConflictPolicy(rawValue: choice).expected(
      "--on-conflict cannot be `\(choice)`", help: "choose fail, keep, merge, update or replace")
    let values = try invocation.properties(
      ItemWords.fields(arguments.words.dropFirst()), of: entity, run)
    // A merge or update may take missing properties from the existing item.
    if policy == .fail || policy == .replace {
      try run.expectRequired(of: entity, in: values.map(\.name))
    }
    let item = try run.create(entity, values, onConflict: policy)
    try invocation.resultWriter.write(
      changed: [item], item.isNew == true ? "Created" : "Updated", isSingle: true)
  }

  /// - Throws: `UsageError` for a word that is not NAME=VALUE, with a suggestion.
  private static func expectFields(
    _ words: ArraySlice<String>, of entity: String, in catalog: DefinitionCatalog
  ) throws {
    guard let word = words.first(where: { !WordForm.isField($0) }) else { return }
    let definition = try catalog.entity(entity)
    var help = "errand create \(entity) NAME=VALUE…"
    if let identity = definition?.identity?.text,
      definition?.property(identity)?.type.unwrapped == .url,
      let url = word.contains("://") ? word : ShellValue.address(word)
    {
      help = "write \(identity)=\(url)" + (entity == "Link" ? ", or errand save \(url)" : "")
    } else if let fields = ItemWords.fields(meantBy: words, of: definition) {
      help = "write \(fields)"
    } else if let parsed = try? JSONParser().parse(word), case .map(let map) = parsed {
      let fields = map.entries.map { entry in
        let text = if case .string(let text) = entry.value { text } else { "\(entry.value)" }
        return "\(entry.key.text)=\(text.quotedForShell)"
      }
      help = "write \(fields.joined(separator: " "))"
    } else if let text = definition?.properties.first(where: { $0.type == .string })?.name.text {
      let words = words.filter { !WordForm.isField($0) }
      help = "write \(text)=\(words.joined(separator: " ").quotedForShell)"
    }
    throw UsageError("“\(word.shortened)” is not of the form NAME=VALUE", help: help)
  }
}
