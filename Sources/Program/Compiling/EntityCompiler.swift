package import CEL
package import Catalog
import Items
import Source
import YAML

extension DiagnosticCollector {
  /// Returns the result of `body`, or reports its errors and returns nil.
  func reporting<Result>(_ body: () throws(Diagnostics) -> Result) -> Result? {
    do throws(Diagnostics) {
      return try body()
    } catch {
      report(error.all)
      return nil
    }
  }
}

/// Compiles the templates of an entity, in which `self` is the item.
package struct EntityCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector

  /// Creates a compiler that reports to a collector.
  package init(_ context: CompilationContext, _ collector: DiagnosticCollector) {
    self.context = context
    self.collector = collector
  }

  /// Compiles a definition; use the result only if no errors were reported.
  package func compile(_ definition: EntityDefinition) -> CompiledEntity {
    let entity = CompiledEntity(definition: definition) { template in
      var scopes = Scopes()
      let slot = scopes.makeSlot()
      return ExpressionCompiler(context, collector)
        .compile(
          template, scopes, subject: .init(slot: slot, entity: definition, allowsBareNames: false))
    }
    // Built-in definitions are checked by tests; at a start they are compiled on demand.
    if definition.name.span.file.isBuiltIn, !context.checksBuiltIns { return entity }
    check(definition)
    _ = (entity.title, entity.subtitle, entity.warnings, entity.marks, entity.plainText)
    if context.reportsWarnings { doubtTexts(of: definition) }
    return entity
  }

  /// Warns of texts such as `self.title` that lack their braces.
  private func doubtTexts(of definition: EntityDefinition) {
    let templates =
      [definition.titleTemplate, definition.subtitleTemplate].compactMap { $0 }
      + definition.warningTemplates + definition.markTemplates + definition.transfer.map(\.template)
    for template in templates {
      guard let text = template.plainText,
        text.hasPrefix("self.") || definition.property(text) != nil,
        text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." })
      else { continue }
      let span = template.scalar.span
      let braced = "'{{ \(text.hasPrefix("self.") ? "" : "self.")\(text) }}'"
      collector.report(
        "W203", "this is the text “\(text)”, not the value of an expression", at: span,
        help: "for the value: \(span.line(with: braced) ?? braced)", severity: .warning)
    }
  }

  /// Checks the parts that are compiled on demand.
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

/// The compiler's environment besides the document: other definitions, verbs and CEL.
package struct CompilationContext {
  package let catalog: DefinitionCatalog
  package let environment: CEL.Environment
  /// The environment of texts in another language than English.
  package let environmentIn: (Language) -> CEL.Environment
  /// Verbs for steps.
  package let verbs: VerbTable
  /// Whether built-in definitions are type-checked again.
  package let checksBuiltIns: Bool
  /// Whether to look for warnings.
  package var reportsWarnings: Bool
  /// Names of the program's commands, which a definition should not have.
  package var commandNames: Set<String> = []
  /// Codes of errors, for completion.
  package var errorCodes: [String] = []
  /// Records expressions with the names in scope, for editors; nil to record nothing.
  package var trace: CompilationTrace?
  /// Checked expressions of earlier compilations; nil to keep none.
  package var memory: ExpressionMemory?

  /// Creates a context for the definitions of a catalog.
  package init(
    catalog: DefinitionCatalog, environment: CEL.Environment, verbs: VerbTable,
    checksBuiltIns: Bool = false,
    reportsWarnings: Bool = false,
    environmentIn: ((Language) -> CEL.Environment)? = nil
  ) {
    self.environmentIn = environmentIn ?? { _ in environment }
    self.catalog = catalog
    self.environment = environment
    self.verbs = verbs
    self.checksBuiltIns = checksBuiltIns
    self.reportsWarnings = reportsWarnings
  }

  /// Returns the entity with a name; its own errors are reported where it is used.
  func entity(_ name: String, _ collector: DiagnosticCollector) -> EntityDefinition? {
    collector.reporting { () throws(Diagnostics) in try catalog.entity(name) } ?? nil
  }

  /// Returns the entity named at a place; reports an unknown name.
  ///
  /// - Parameter help: advice that takes precedence over similar names.
  @discardableResult
  func entity(
    _ name: String, at span: Span, _ collector: DiagnosticCollector,
    help: @autoclosure () -> String? = nil
  ) -> EntityDefinition? {
    let entity = entity(name, collector)
    if entity == nil, name.contains("{{") {
      collector.report(
        "unknown-entity", "the name of an entity cannot be computed", at: span,
        help: "write it out: a step for each entity, each below its `if`")
    } else if entity == nil, !catalog.entityNames.contains(name) {
      collector.report(
        "unknown-entity", "there is no entity `\(name)`", at: span,
        help: help()
          ?? name.split(separator: ".").first.map(String.init)
          .flatMap { entity in
            entity != name && catalog.entityNames.contains(entity)
              ? "write `\(entity)`; for a change of one property, `was:` and `where:` beside it, as in "
                + "`was: '!self.done'` and `where: self.done`" : nil
          }
          ?? TypeAdvice.meant(by: name).map { "write `\($0)`" }
          ?? (collector.wantsAdvice ? entityHelp(name, at: span) : nil))
    }
    return entity
  }

  /// Advice on the name of an entity that is not defined; without the one that a file defines there.
  private func entityHelp(_ name: String, at span: Span) -> String? {
    let own = catalog.definitions(in: span.file).map(\.name)
    let names = catalog.entityNames
    guard Suggestion.meant(by: name, in: names) == nil, NameForm.upperCamel.accepts(name) else {
      return Suggestion.help(for: name, in: names)
    }
    let others = names.filter { !own.contains($0) }.map { "`\($0)`" }.joined(separator: ", ")
    return "define it by `entity: \(name)`, or choose one of \(others)"
  }

  /// Returns the action with a name; its own errors are reported where it is called.
  func action(_ name: String, _ collector: DiagnosticCollector) -> ActionDefinition? {
    collector.reporting { () throws(Diagnostics) in try catalog.action(name) } ?? nil
  }
}
