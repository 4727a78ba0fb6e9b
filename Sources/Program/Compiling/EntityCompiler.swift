package import CEL
package import Catalog
import Items
import Source
import YAML

extension DiagnosticCollector {
  /// What a body gives; nil where it throws mistakes, which are reported.
  func reporting<Result>(_ body: () throws(Diagnostics) -> Result) -> Result? {
    do throws(Diagnostics) {
      return try body()
    } catch {
      report(error.all)
      return nil
    }
  }

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
      if let name = property.type.entityName {
        context.entity(name, at: property.name.span, collector)
      }
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
    collector.reporting { () throws(Diagnostics) in try library.entity(name) } ?? nil
  }

  /// The entity that is named at a place; reports a name of none.
  ///
  /// - Parameter help: advice that goes before names that are near.
  @discardableResult
  func entity(
    _ name: String, at span: Span, _ collector: DiagnosticCollector,
    help: @autoclosure () -> String? = nil
  ) -> EntityDefinition? {
    let entity = entity(name, collector)
    if entity == nil, !library.entityNames.contains(name) {
      collector.report(
        "unknown-entity", "there is no entity `\(name)`", at: span,
        help: help()
          ?? (collector.wantsAdvice ? Suggestion.help(for: name, in: library.entityNames) : nil))
    }
    return entity
  }

  /// The intent or shortcut of a name; its own mistakes are reported where it is called.
  func action(_ name: String, _ collector: DiagnosticCollector) -> ActionDefinition? {
    collector.reporting { () throws(Diagnostics) in try library.action(name) } ?? nil
  }
}
