package import CEL
package import Catalog
package import Items
import Program
import Source
package import Store
import YAML

/// Work on items without a document: what the command line's own commands do.
extension Run {
  /// What items are wanted, in the words of a person.
  package struct Search {
    package var entity: String
    package var match: String?
    /// A `where`, as it was given.
    package var filter: String?
    /// The place of the `where` in messages about it.
    package var filterLabel = "where"
    /// Property names, each with `-` before it for descending order.
    package var sort: [String] = []
    package var limit: Int?
    /// Whether items that have some of the words are found where none has all.
    package var isRelaxed = true
    /// The reference of the last item of the page before.
    package var after: String?

    package init(entity: String) {
      self.entity = entity
    }
  }

  /// The query of a search, its names checked.
  ///
  /// - Throws: `Diagnostics` when the `where` or a sort key is wrong.
  package func query(_ search: Search) throws -> Query {
    let definition = try workspace.entity(search.entity).definition
    var query = Query(search.entity, match: search.match, limit: search.limit)
    query.isRelaxed = search.isRelaxed
    for key in search.sort {
      if let problem = definition.sortProblem(key, at: nil) {
        throw RunError(.invalidValue, problem.message, help: problem.help).asUsage
      }
    }
    query.sort = search.sort.map { SortKey(parsing: $0) }
    if let after = search.after {
      query.after = try item(after, of: search.entity).reference
    }
    if let text = search.filter {
      let expression = try compile(text, label: search.filterLabel, of: definition)
      query.filter = try Filter(expression.program, in: workspace.context.environment)
    }
    return query
  }

  /// Finds items.
  ///
  /// - Throws: `Diagnostics` when the `where` is wrong, `RunError`.
  package func find(_ search: Search) throws -> [Item] {
    let query = try query(search)
    let store = try store(for: search.entity)
    return try RunError.translating { try store.items.find(query) }
  }

  /// What to say of items that have only some of the words; nil when they have all.
  ///
  /// - Throws: `RunError`.
  package func nearness(of items: [Item], _ search: Search) throws -> String? {
    let query = try query(search)
    let store = try store(for: search.entity)
    let definition = try workspace.entity(search.entity).definition
    return try RunError.translating { try FoundText(query, of: definition).near(items, in: store) }
  }

  /// Counts the items that a search wants, whatever its limit.
  ///
  /// - Throws: `Diagnostics` when the `where` is wrong, `RunError`.
  package func count(_ search: Search) throws -> Int {
    let query = try query(search)
    let store = try store(for: search.entity)
    return try RunError.translating { try store.items.count(query) }
  }

  /// The items that the entity's query `suggested` offers to a person who is asked for one.
  func suggestedItems(of entity: String) throws -> [Item] {
    let definition = try workspace.entity(entity).definition
    guard let suggested = definition.queries.first(where: { $0.name.text == "suggested" }) else {
      return []
    }
    var query = Query(entity, limit: suggested.limit ?? 10)
    query.sort = suggested.sort.map { SortKey(parsing: $0.text) }
    if let source = suggested.filter {
      let expression = try compile(source, of: definition)
      query.filter = try Filter(expression.program, in: workspace.context.environment)
    }
    try queryObserver?(query)
    let store = try store(for: entity)
    return try RunError.translating { try store.items.find(query) }
  }

  /// How a query runs.
  package func explain(_ query: Query) throws -> QueryExplanation {
    let store = try store(for: query.entity)
    return try RunError.translating { try store.search.explain(query) }
  }

  private func compile(
    _ text: String, label: String, of definition: EntityDefinition
  ) throws -> CompiledExpression {
    let collector = DiagnosticCollector()
    let source = collector.collecting { () throws(Diagnostic) in
      try ExpressionSource(scalar: Scalar(text: text, label: label))
    }
    guard let source else { throw Diagnostics(collector.errors) }
    return try compile(source, of: definition)
  }

  private func compile(
    _ source: ExpressionSource, of definition: EntityDefinition
  ) throws -> CompiledExpression {
    let collector = DiagnosticCollector()
    var scopes = Scopes()
    let slot = scopes.makeSlot()
    let compiler = ExpressionCompiler(workspace.context, collector)
    let expression = compiler.compile(
      condition: source, scopes, subject: .init(slot: slot, entity: definition))
    guard let expression, !collector.hasErrors else { throw Diagnostics(collector.errors) }
    return expression
  }

  /// The item that a text stands for; without an entity the text is a reference.
  package func item(_ text: String, of entity: String?) throws -> Item {
    let resolver = ItemResolver(self)
    guard let entity else { return try resolver.item(reference: text) }
    return try resolver.item(text, of: entity, named: "ref")
  }

  /// The item of any entity that words of a person find, by its title or by its texts.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  package func item(foundBy words: String) throws -> Item {
    try ItemResolver(self, keys: ["item"]).item(foundBy: words)
  }

  /// Expects that a text of a person fits a parameter.
  ///
  /// - Throws: `invalid-value`, `not-found`.
  package func expect(_ text: String, fits parameter: ParameterDefinition) throws {
    var converter = self.converter
    converter.isFromPerson = true
    do {
      _ = try converter.convert(
        .string(text), to: parameter.type, named: parameter.name.text)
    } catch let error as RunError {
      throw error.asUsage
    }
  }

  /// The properties that a person gave as text, each read as its type; the values of a list that is
  /// given several times are one list.
  ///
  /// - Throws: `invalid-value`, also for a name that is no property.
  package func properties(
    _ fields: [(name: String, text: String)], of entity: String
  ) throws -> [(name: String, value: Value)] {
    let definition = try workspace.entity(entity).definition
    var converter = self.converter
    converter.isFromPerson = true
    var given: [(name: String, value: Value)] = []
    for field in fields {
      guard let property = definition.property(field.name) else {
        throw RunError(
          .invalidValue, "\(entity) has no property `\(field.name)`",
          help: Suggestion.help(for: field.name, in: definition.properties.map(\.name.text))
        ).asUsage
      }
      do {
        let value = try converter.convert(
          .string(field.text), to: property.type, named: field.name)
        if let problem = property.constraints?.problem(with: value) {
          throw RunError(
            .invalidValue, "`\(field.name)`: “\(field.text.shortened)” \(problem)")
        }
        guard let index = given.firstIndex(where: { $0.name == field.name }) else {
          given.append((field.name, value))
          continue
        }
        guard case .list(let earlier) = given[index].value, case .list(let later) = value else {
          let texts = fields.filter { $0.name == field.name }.map { "“\($0.text.shortened)”" }
          throw RunError(
            .invalidValue, "`\(field.name)` is given twice: \(texts.joined(separator: " and "))",
            help: "keep one of them")
        }
        given[index].value = .list(earlier + later.filter { !earlier.contains($0) })
      } catch let error as RunError {
        throw error.asUsage
      }
    }
    return given
  }

  /// Expects that the properties which an item can't be without are given.
  ///
  /// - Throws: `needs-value`.
  package func expectRequired(of entity: String, in names: [String]) throws {
    for property in try workspace.entity(entity).definition.properties {
      let name = property.name.text
      if property.type.isOptional || property.defaultNode != nil || names.contains(name) {
        continue
      }
      throw RunError(
        .needsValue, "\(entity) needs `\(name)`", help: "add \(name)=VALUE")
    }
  }

  /// Creates an item.
  package func create(
    _ entity: String, _ values: [(name: String, value: Value)], onConflict policy: ConflictPolicy
  ) throws -> Item {
    let values = try LinkSigning(self).opened(values, of: try workspace.entity(entity).definition)
    let store = try store(for: entity)
    return try RunError.translating {
      try store.items.create(Draft(entity, values), onConflict: policy)
    }
  }
}

extension Scalar {
  /// Text that was given on a command line, as if it were a file of its own.
  package init(text: String, label: String) {
    let file = SourceFile(name: label, text: text)
    self.init(text: text, style: .plain, span: Span(file, 0..<file.bytes.count))
  }
}
