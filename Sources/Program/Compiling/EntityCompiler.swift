package import CEL
package import Catalog
import Items
import Source
import YAML

extension DiagnosticCollector {
  /// Takes a problem that was found.
  func report(
    _ id: String, _ message: String, at span: Span, help: String? = nil,
    severity: Diagnostic.Severity = .error, related: [Diagnostic.Related] = []
  ) {
    report(
      Diagnostic(id, message, at: span, help: help, severity: severity, related: related))
  }
}

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
        "unknown-entity", "there is no entity `\(name)`", at: property.name.span,
        help: Suggestion.help(for: name, in: context.library.entityNames))
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

/// What a compiler must know beside the document: other definitions and the expression language.
package struct CompilationContext {
  package let library: Library
  package let environment: CEL.Environment
  /// The verbs that steps may call.
  package let verbs: VerbTable
  /// Whether the types in documents that came with the program are checked again.
  package let checksBuiltIns: Bool
  /// Whether to look for what is no mistake by the rules, and hardly meant.
  package let findsDoubts: Bool

  /// What compiles the definitions of a library.
  package init(
    library: Library, environment: CEL.Environment, verbs: VerbTable, checksBuiltIns: Bool = false,
    findsDoubts: Bool = false
  ) {
    self.library = library
    self.environment = environment
    self.verbs = verbs
    self.checksBuiltIns = checksBuiltIns
    self.findsDoubts = findsDoubts
  }

  /// The entity of a name; its own mistakes are reported where it is used.
  func entity(_ name: String, _ collector: DiagnosticCollector) -> EntityDefinition? {
    do throws(Diagnostics) {
      return try library.entity(name)
    } catch {
      collector.report(error.all)
      return nil
    }
  }

  /// The intent or shortcut of a name; its own mistakes are reported where it is called.
  func action(_ name: String, _ collector: DiagnosticCollector) -> ActionDefinition? {
    do throws(Diagnostics) {
      return try library.action(name)
    } catch {
      collector.report(error.all)
      return nil
    }
  }
}
