package import Catalog
import Items
import Source
import YAML

/// Compiles the templates of an entity, in which `self` is the item.
package struct EntityCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector

  /// A compiler that reports what is wrong to a collector.
  package init(_ context: CompilationContext, _ collector: DiagnosticCollector) {
    self.context = context
    self.collector = collector
  }

  /// The compiled entity; only to be used when nothing was reported.
  package func compile(_ definition: EntityDefinition) -> CompiledEntity {
    let entity = CompiledEntity(definition: definition) { template in
      var scopes = Scopes()
      let slot = scopes.makeSlot()
      return ExpressionCompiler(context, collector)
        .compile(
          template, scopes, subject: .init(slot: slot, entity: definition, allowsBareNames: false))
    }
    // What came with the program has no mistakes, and a start seldom needs all of it.
    if definition.name.span.file.isBuiltIn, !context.checksBuiltIns { return entity }
    check(definition)
    _ = (entity.title, entity.subtitle, entity.warnings, entity.marks, entity.plainText)
    return entity
  }

  /// Reports the mistakes in what is not compiled for use.
  private func check(_ definition: EntityDefinition) {
    let expressions = ExpressionCompiler(context, collector)
    var scopes = Scopes()
    let slot = scopes.makeSlot()
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
      _ = expressions.compile(
        condition: filter, scopes, subject: .init(slot: slot, entity: definition))
    }
    for transfer in definition.transfer where transfer.mediaType != "text/plain" {
      _ = expressions.compile(
        transfer.template, scopes,
        subject: .init(slot: slot, entity: definition, allowsBareNames: false))
    }
  }
}
