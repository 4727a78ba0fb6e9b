import Catalog
import Source
import YAML

/// Compiles the templates of an entity, in which `self` is the item.
struct EntityCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector

  func compile(_ definition: EntityDefinition) -> CompiledEntity {
    let expressions = ExpressionCompiler(context: context, collector: collector)
    var scopes = Scopes()
    let slot = scopes.makeSlot()
    let subject = ExpressionCompiler.Subject(slot: slot, entity: nil)
    func compile(_ template: Template?) -> CompiledTemplate? {
      template.flatMap { expressions.compile($0, scopes, subject: subject) }
    }
    for property in definition.properties {
      guard let name = property.type.entityName, context.entity(name, collector) == nil,
        !context.library.entityNames.contains(name)
      else { continue }
      collector.report(
        Diagnostic(
          "unknown-entity", "there is no entity `\(name)`", at: property.name.span,
          help: Suggestion.help(for: name, in: context.library.entityNames)))
    }
    for query in definition.queries {
      guard let filter = query.filter else { continue }
      _ = expressions.compile(filter, scopes, subject: .init(slot: slot, entity: definition))
    }
    let plain = definition.transfer.first { $0.mediaType == "text/plain" }
    for transfer in definition.transfer where transfer.mediaType != "text/plain" {
      _ = compile(transfer.template)
    }
    return CompiledEntity(
      definition: definition, title: compile(definition.titleTemplate),
      subtitle: compile(definition.subtitleTemplate), plainText: compile(plain?.template))
  }
}
