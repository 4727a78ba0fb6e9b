import CEL
import Calendars
import Catalog
package import Items
import Links
import Program
import Source
package import Store
import YAML

/// Schemas and rules for the store.
extension Workspace {
  /// The clock, random source, schemas and language for the store.
  package var storeContext: StoreContext {
    let clock = world.clock
    var context = StoreContext(
      world: StoreWorld(
        now: world.now, randomBytes: world.randomBytes,
        dateText: { clock.time(at: $0).date.iso8601 },
        midnight: { CivilDate(iso8601: $0).map(clock.start) },
        sameTime: { clock.sameTime(as: $0, on: $1) }, localIsUTC: { clock.zone.isUTC }),
      rules: StoreRules(
        canonicalURL: { CanonicalURL.text(of: $0) }, isURL: { CanonicalURL.exists(of: $0) },
        schema: { [weak self] name in try? self?.schema(of: name) }, language: language ?? "en",
        holidays: world.holidays,
        occurrences: { [world] record, schema, range, limit in
          guard let places = schema.occurrence else { return [] }
          return CalendarSeries(zone: clock.zone, holidays: world.holidays() ?? .none)
            .occurrences(of: record, schema, places, in: range, limit: limit)
        }))
    context.rules.preferredURL = WebURL.preferred
    return context
  }

  /// The language of the process, such as `de` for `de_AT.UTF-8` (POSIX, Environment Variables,
  /// 8.2).
  private var language: String? {
    LocaleName.text(of: "LC_MESSAGES", in: world.environment)
      .map { $0.prefix { $0.isLetter }.lowercased() }
  }

  /// The schema of an entity for the store.
  package func schema(of name: String) throws -> EntitySchema {
    let definition = try entity(name).definition
    return EntitySchema(
      name: name,
      properties: try definition.properties.map { property in
        PropertySchema(
          name: property.name.text, type: property.type,
          isOptional: property.type.isOptional, default: try defaultValue(of: property),
          searchWeight: property.searchWeight, isIndexed: property.isIndexed,
          constraints: property.constraints, isShared: property.isShared,
          isAcyclic: property.isAcyclic,
          formerName: property.formerName?.text, formerValues: property.formerValues,
          isLong: property.isLong)
      },
      identities: definition.identities.map(\.text),
      repetition: Self.repetition(of: definition), occurrence: Self.occurrence(of: definition))
  }

  private static func occurrence(of entity: EntityDefinition) -> EntitySchema.Occurrence? {
    func index(_ name: Scalar?) -> Int? {
      entity.properties.firstIndex { $0.name.text == name?.text }
    }
    guard let occurrence = entity.occurrence, let start = index(occurrence.start) else {
      return nil
    }
    return EntitySchema.Occurrence(
      start: start, end: index(occurrence.end), allDay: index(occurrence.allDay),
      zone: index(occurrence.zone), rule: index(occurrence.rule),
      source: index(occurrence.source))
  }

  private static func repetition(of entity: EntityDefinition) -> EntitySchema.Repetition? {
    func index(_ name: Scalar?) -> Int? {
      entity.properties.firstIndex { $0.name.text == name?.text }
    }
    guard let repetition = entity.repetition, let done = index(repetition.done),
      let rule = index(repetition.rule), let day = index(repetition.day)
    else { return nil }
    return EntitySchema.Repetition(
      done: done, rule: rule, day: day, moves: repetition.moves.compactMap(index),
      parts: index(repetition.parts), after: index(repetition.after))
  }

  private func defaultValue(of property: EntityDefinition.Property) throws -> Value? {
    guard let node = property.defaultNode else { return nil }
    let compiled = try expectSound {
      .some(ActionCompiler(context, $0).compile(node, as: property.type))
    }
    guard let compiled else { return nil }
    guard case .constant(let value) = compiled else {
      throw Diagnostics([
        Diagnostic(
          "default-not-constant", "the default of a property must be a fixed value", at: node.span,
          help: "set it in the intent that creates the item")
      ])
    }
    // A fixed value names no item, so there is nothing to look up.
    func converted(_ now: @escaping @Sendable () -> Timestamp) throws -> Value {
      try Converter(now: now, clock: world.clock) { text, entity, name in
        throw RunError(
          .invalidValue, "`\(name)`: the default of a property cannot be a \(entity) (“\(text)”)")
      }.convert(value, to: property.type, named: property.name.text)
    }
    do {
      let value = try converted(world.now)
      if property.type.isTime,
        try converted({ Timestamp(seconds: 0) }) != value
      {
        throw Diagnostics([
          Diagnostic(
            "default-not-constant",
            "“\(node.span.text)” is another moment each time, and the default of a property is one "
              + "value for all items", at: node.span,
            help: "set it in the intent that creates the item; every item has `createdAt`, too")
        ])
      }
      if let problem = property.constraints?.problem(with: value) {
        throw RunError(.invalidValue, "the default of `\(property.name.text)` \(problem)")
      }
      return value
    } catch let error as RunError {
      throw Diagnostics([Diagnostic("invalid-value", error.message, at: node.span)])
    }
  }
}
