import CEL
import Catalog
package import Items
import Program
import Source
package import Store
import YAML

extension Workspace {
  /// What stores ask of this workspace's world.
  package var storeContext: StoreContext {
    let clock = world.clock
    var context = StoreContext(
      now: world.now, randomBytes: world.randomBytes,
      canonicalURL: { CanonicalURL.text(of: $0) }, isURL: { CanonicalURL.exists(of: $0) },
      dateText: { clock.time(at: $0).date.iso8601 },
      midnight: { CivilDate(iso8601: $0).map(clock.start) },
      schema: { [weak self] name in try? self?.schema(of: name) })
    context.localIsUTC = { clock.zone.isUTC }
    if let language { context.language = language }
    return context
  }

  /// The language of the process, such as `de` for `de_AT.UTF-8` (POSIX, Environment Variables,
  /// 8.2).
  private var language: String? {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = variables.lazy.compactMap(world.environment).first { !$0.isEmpty }
    return locale.map { $0.prefix { $0.isLetter }.lowercased() }
  }

  /// The schema of an entity, as the store needs it.
  package func schema(of name: String) throws -> EntitySchema {
    let definition = try entity(name).definition
    return EntitySchema(
      name: name,
      properties: try definition.properties.map { property in
        PropertySchema(
          name: property.name.text, type: property.type,
          isOptional: property.type.isOptional, default: try defaultValue(of: property),
          searchWeight: property.searchWeight, isIndexed: property.isIndexed,
          constraints: property.constraints, formerValues: property.formerValues)
      },
      identities: definition.identities.map(\.text))
  }

  private func defaultValue(of property: EntityDefinition.Property) throws -> Value? {
    guard let node = property.defaultNode else { return nil }
    let collector = DiagnosticCollector()
    let compiled = ActionCompiler(context, collector).compile(node, as: property.type)
    if collector.hasErrors { throw Diagnostics(collector.errors) }
    guard let compiled else { return nil }
    guard case .constant(let value) = compiled else {
      throw Diagnostics([
        Diagnostic(
          "default-not-constant", "the default of a property is a fixed value", at: node.span,
          help: "give it in the intent that creates the item")
      ])
    }
    // A fixed value names no item: there is nothing to look one up for.
    let converter = Converter(now: world.now, clock: world.clock) { text, entity, name, _ in
      throw RunError(
        .invalidValue, "`\(name)`: the default of a property can't be a \(entity) (“\(text)”)")
    }
    do {
      let value = try converter.convert(value, to: property.type, named: property.name.text)
      if let problem = property.constraints?.problem(with: value) {
        throw RunError(.invalidValue, "the default of `\(property.name.text)` \(problem)")
      }
      return value
    } catch let error as RunError {
      throw Diagnostics([Diagnostic("invalid-value", error.message, at: node.span)])
    }
  }
}
