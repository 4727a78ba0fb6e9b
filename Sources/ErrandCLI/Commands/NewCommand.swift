import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import POSIX
import Platform
import Program
import Resources
import Source

/// `errand new`: writes a commented definition into the person's folder.
enum NewCommand {
  static let command = Command(
    "new", "write a new definition to start from",
    usage: "intent|shortcut|entity|automation|widget NAME",
    discussion: """
      The file is commented and goes into your own folder, where it is found at once; nothing is \
      overwritten. --from copies a definition, with its comments, under the new name.
      """,
    flags: [Flag("from", .value("NAME"), "the definition to copy")],
    serves: [], reads: .always
  ) { invocation, arguments in
    guard let word = arguments.words.first, let kind = kind(word), arguments.words.count == 2 else {
      let meant = try NounAndVerb.command(
        meantBy: ["new"] + arguments.words, in: invocation.catalog())
      throw UsageError(
        "`new` takes intent, shortcut, entity, automation or widget, and a name",
        help: meant.map { "did you mean `\($0)`?" } ?? "errand new shortcut hello")
    }
    let name = arguments.words[1].split(separator: ".yaml").first.map(String.init) ?? ""
    let catalog = try invocation.catalog()
    try expect(name, toBeFreeFor: kind, in: catalog, copying: arguments.last("from"))
    guard let folder = invocation.places?.config else {
      throw RunError(.io, "there is no folder for your definitions: HOME is not set")
    }
    let path = "\(folder)/\(name).yaml"
    let example = try text(kind, from: arguments.last("from"), catalog)
    guard access(path, F_OK) != 0 else {
      throw RunError(.conflict, "\(path) exists already", help: "choose another name")
    }
    do throws(SystemError) {
      try Folder.make(folder)
    } catch {
      throw RunError(.io, "\(folder) cannot be made: \(error)")
    }
    let sink = try FileSink(path)
    try sink.write(
      Array((schemaLine(in: folder) + renamed(example, kind, to: name)).utf8))
    try sink.publish(replacing: false)
    invocation.console.result(path + "\n")
    invocation.say("Change it to what you need, then: errand check \(path)")
  }

  private static func kind(_ word: String) -> Definition.Kind? {
    Definition.Kind(rawValue: word).flatMap { $0.isWording ? nil : $0 }
  }

  /// - Throws: `UsageError` if no definition may be called that, or one is.
  private static func expect(
    _ name: String, toBeFreeFor kind: Definition.Kind, in catalog: DefinitionCatalog,
    copying example: String?
  ) throws {
    guard kind.nameForm.accepts(name) else {
      throw UsageError(
        "the name of \(kind.phrase) must be \(kind.nameForm.example); “\(name)” is not",
        help: kind.nameForm.corrected(name).map { "write \($0)" })
    }
    if VerbTable.errand.row(name) != nil || CommandTable.holds(name) {
      throw UsageError("“\(name)” is a word of errand's own", help: "choose another name")
    }
    // Widgets have names of their own; a copy of a built-in definition may take its place.
    let known = kind == .widget ? WidgetDefinition.prefix + name : name
    guard catalog.source(of: known) != nil, !(name == example && catalog.isBuiltIn(known)) else {
      return
    }
    throw UsageError(
      "there is a definition called `\(name)` already",
      help: catalog.isBuiltIn(known)
        ? "errand new \(kind.rawValue) \(name) --from \(name) replaces it by your own"
        : "choose another name")
  }

  /// The text of the template, or of the definition to copy.
  private static func text(
    _ kind: Definition.Kind, from example: String?, _ catalog: DefinitionCatalog
  ) throws -> String {
    guard let example else {
      let template =
        switch kind {
        case .entity, .intent, .automation, .widget: kind.rawValue
        case .shortcut, .translation, .vocabulary: "shortcut"
        }
      return Resource.text(of: "Sources/ErrandCLI/templates/\(template).yaml")
    }
    guard let source = catalog.source(of: example) else {
      throw UsageError(
        "there is no definition `\(example)`",
        help: Suggestion.help(for: example, in: catalog.actionNames + catalog.entityNames))
    }
    guard head(of: source, kind) != nil else {
      throw UsageError("`\(example)` is not \(kind.phrase)")
    }
    return source.hasSuffix("\n") ? source : source + "\n"
  }

  /// The line that names the definition.
  private static func head(of text: String, _ kind: Definition.Kind) -> Substring? {
    text.split(separator: "\n").first { $0.hasPrefix("\(kind.rawValue):") }
  }

  /// The line that names the schema to editors, if the folder has one.
  private static func schemaLine(in folder: String) -> String {
    let name = "errand.schema.json"
    return access("\(folder)/\(name)", F_OK) == 0 ? "# yaml-language-server: $schema=\(name)\n" : ""
  }

  private static func renamed(_ text: String, _ kind: Definition.Kind, to name: String) -> String {
    guard let head = head(of: text, kind) else { return text }
    let old = head.drop { $0 != ":" }.dropFirst().prefix { $0 != "#" }.trimmed
    let renamed = text.replacing(head, with: "\(kind.rawValue): \(name)", maxReplacements: 1)
    return old == "NAME" ? renamed.replacing("NAME", with: name) : renamed
  }
}
