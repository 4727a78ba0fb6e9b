package import CEL
package import Catalog
package import Items
import Program
import Source
package import Store
import YAML

/// Operations on items for the built-in commands.
extension Run {
  /// A search for items, as given by a person.
  package struct Search {
    package var entity: String
    package var match: String?
    /// The `where` condition as text.
    package var filter: String?
    /// The range of time within which items take place, as text.
    package var during: String?
    /// The name of the condition in messages.
    package var filterLabel = "where"
    /// Property names, with a leading `-` for descending order.
    package var sort: [String] = []
    package var limit: Int?
    /// When items are returned that have only some of the words.
    package var closeMatches = CloseMatches.never
    /// The reference of the last item of the previous page.
    package var after: String?

    package init(entity: String) { self.entity = entity }
  }

  /// The query of a search, after checking its names.
  ///
  /// - Throws: `Diagnostics` when the condition or a sort key is invalid.
  package func query(_ search: Search) throws -> Query {
    let definition = try workspace.entity(search.entity).definition
    var query = Query(search.entity, match: search.match, limit: search.limit)
    query.closeMatches = search.closeMatches
    for key in search.sort {
      if let problem = definition.sortProblem(key, at: nil) {
        throw RunError(.invalidValue, problem.message, help: problem.help).asUsage
      }
    }
    query.sort = search.sort.map { SortKey(parsing: $0) }
    query.during = try search.during.map { text in
      try RunError.asUsage { try range(.string(text), named: "during") }
    }
    if let after = search.after { query.after = try item(after, of: search.entity).reference }
    if let text = search.filter {
      let source = try workspace.expectSound { collector in
        collector.collecting { () throws(Diagnostic) in
          try ExpressionSource(scalar: Scalar(text: text, label: search.filterLabel))
        }
      }
      query.filter = try filter(source, over: definition)
    }
    return query
  }

  /// The moments of a range, which `range()` made or a text names.
  ///
  /// - Throws: `invalid-value`.
  func range(_ value: Value, named name: String) throws -> Range<Timestamp> {
    let named = value.asText.flatMap {
      DayRange($0, now: host.now(), clock: host.clock, language: workspace.spokenLanguage)
    }
    guard let range = named ?? DayRange(value) else {
      throw RunError(
        .invalidValue, "`\(name)`: \(value.text.shortened) is not a range of days",
        help: "for example \(DayRange.examples)")
    }
    return range.moments
  }

  /// Finds items.
  ///
  /// - Throws: `Diagnostics` when the condition is invalid, `RunError`.
  package func find(_ search: Search) throws -> [Item] {
    let query = try query(search)
    return try stored(search.entity) { try $0.items.find(query) }
  }

  /// A remark about items that match only some words; nil when they match all.
  ///
  /// - Throws: `RunError`.
  package func nearness(of items: [Item], _ search: Search) throws -> String? {
    let found = FoundText(
      try query(search), of: try workspace.entity(search.entity).definition, words: words)
    return try stored(search.entity) { try found.near(items, in: $0) }
  }

  /// The words of a search that finds nothing which no item has, each with the nearest one.
  ///
  /// - Throws: `RunError`.
  package func missingWords(of search: Search) throws -> [SearchSummary.MissingWord] {
    let query = try query(search)
    return try stored(search.entity) { try $0.search.summary(of: query, countingTo: 1).missing }
  }

  /// Counts the matches of a search, ignoring its limit.
  ///
  /// - Throws: `Diagnostics` when the condition is invalid, `RunError`.
  package func count(_ search: Search) throws -> Int {
    let query = try query(search)
    return try stored(search.entity) { try $0.items.count(query) }
  }

  /// The items of the query `suggested`, offered in prompts for an item of the entity.
  func suggestedItems(of entity: String) throws -> [Item] {
    let definition = try workspace.entity(entity).definition
    guard let suggested = definition.queries.first(where: { $0.name.text == "suggested" }) else {
      return []
    }
    var query = Query(entity, limit: suggested.limit ?? 10)
    query.sort = suggested.sort.map { SortKey(parsing: $0.text) }
    query.filter = try suggested.filter.map { try filter($0, over: definition) }
    try queryObserver?(query)
    return try stored(entity) { try $0.items.find(query) }
  }

  /// The query plan of a query.
  package func explain(_ query: Query) throws -> QueryExplanation {
    try stored(query.entity) { try $0.search.explain(query) }
  }

  private func filter(
    _ source: ExpressionSource, over definition: EntityDefinition
  ) throws -> Filter {
    let condition = try sound { context, collector in
      Workspace.condition(source, over: .init(slot: 0, entity: definition), context, collector)
    }
    return try Filter(condition.program, in: workspace.context.environment)
  }

  /// The item that a text refers to; without an entity the text must be a reference.
  package func item(_ text: String, of entity: String?) throws -> Item {
    let resolver = ItemResolver(run: self)
    guard let entity else { return try resolver.item(reference: text) }
    return try resolver.item(text, of: entity, named: "ref")
  }

  /// The item of any entity found by title or full-text search.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  package func item(foundBy words: String) throws -> Item {
    try ItemResolver(run: self, keys: ["item"]).item(foundBy: words)
  }

  /// Checks that a text is a valid value for a parameter.
  ///
  /// - Throws: `invalid-value`, `not-found`.
  package func expect(_ text: String, fits parameter: ParameterDefinition) throws {
    let (type, name) = (parameter.type, parameter.name.text)
    _ = try RunError.asUsage {
      try converter(ofPerson: true).convert(.string(text), to: type, named: name)
    }
  }

  /// Property values parsed from text; repeated values of a list property are combined.
  ///
  /// - Parameter read: Reads the notation of a text.
  /// - Throws: `invalid-value`, also for an unknown property.
  package func properties(
    _ fields: [(name: String, text: String)], of entity: String,
    read: (_ name: String, _ text: String, DataType) throws -> Value
  ) throws -> [(name: String, value: Value)] {
    let definition = try workspace.entity(entity).definition
    let converter = converter(ofPerson: true)
    var given: [(name: String, value: Value)] = []
    for (name, text) in fields {
      try RunError.asUsage {
        guard let property = definition.property(name) else {
          if ["id", "createdAt", "updatedAt"].contains(name) {
            throw RunError(
              .invalidValue, "`\(name)` cannot be set: errand keeps it itself",
              help: "leave it out")
          }
          throw RunError(
            .invalidValue, "\(entity) has no property `\(name)`",
            help: Suggestion.help(for: name, in: definition.properties.map(\.name.text)))
        }
        let value = try converter.convert(
          read(name, text, property.type), to: property.type, named: name)
        if let problem = property.constraints?.problem(with: value) {
          throw RunError(.invalidValue, "`\(name)`: “\(text.shortened)” \(problem)")
        }
        guard let index = given.firstIndex(where: { $0.name == name }) else {
          return given.append((name, value))
        }
        guard let earlier = given[index].value.asList, let later = value.asList else {
          let texts = fields.filter { $0.name == name }.map { "“\($0.text.shortened)”" }
          throw RunError(
            .invalidValue, "`\(name)` is given twice: \(texts.joined(separator: " and "))",
            help: "keep one of them")
        }
        given[index].value = .list(earlier + later.filter { !earlier.contains($0) })
      }
    }
    return given
  }

  /// Checks that all required properties are given.
  ///
  /// - Throws: `needs-value`.
  package func expectRequired(of entity: String, in names: [String]) throws {
    let missing = try workspace.entity(entity).definition.properties.first {
      !$0.type.isOptional && $0.defaultNode == nil && !names.contains($0.name.text)
    }
    guard let name = missing?.name.text else { return }
    throw RunError(.needsValue, "\(entity) needs `\(name)`", help: "add \(name)=VALUE")
  }

  /// Creates an item.
  package func create(
    _ entity: String, _ values: [(name: String, value: Value)], onConflict policy: ConflictPolicy
  ) throws -> Item {
    let values = try LinkSigning(run: self).opened(
      values, of: try workspace.entity(entity).definition)
    return try stored(entity) { try $0.items.create(NewItem(entity, values), onConflict: policy) }
  }
}

extension Scalar {
  /// Text from a command line, as a separate source file.
  package init(text: String, label: String) {
    let file = SourceFile(name: label, text: text)
    self.init(text: text, style: .plain, span: Span(file, 0..<file.bytes.count))
  }
}
