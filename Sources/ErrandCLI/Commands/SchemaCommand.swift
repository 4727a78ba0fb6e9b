import Catalog
import Engine
import JSON
import LanguageService

/// `errand schema`: prints a JSON Schema of definitions.
enum SchemaCommand {
  static let command = Command(
    "schema", "print a JSON Schema of definitions, for editors",
    discussion: """
      The schema (draft-07) knows every key, verb, intent, entity and argument in scope, and refuses
      other names: print it again when you have added a definition. docs/editors.md says how
      editors use it.
      """,
    flags: [
      Flag("shipped", .toggle, "know only what is built in, and allow definitions of other names")
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let isShipped = arguments.isOn("shipped")
    let catalog = isShipped ? DefinitionCatalog() : try invocation.catalog()
    let schema = DocumentSchema(
      invocation.checkingWorkspace(catalog).context, isOpen: isShipped)
    invocation.console.result(try JSONWriter(layout: .pretty).text(of: schema.value) + "\n")
  }
}
