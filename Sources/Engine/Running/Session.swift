import CEL
package import Catalog
import JSON
import Source
package import Store
import YAML

/// All that runs share: the library, the store, the world outside, and what is compiled already.
///
/// Used from one thread.
package final class Session {
  package let library: Library
  package let host: Host
  package let front: any Front
  package let answers: Answers
  let context: CompilationContext
  private let makeStore: (StoreContext) throws -> EntityStore
  private var openedStore: EntityStore?
  private var actions: [String: CompiledAction] = [:]
  private var entities: [String: CompiledEntity] = [:]
  private var prepared: Set<String> = []
  /// What the change log names as the cause of changes: the intent or the command asked for.
  package var cause = "" {
    didSet { openedStore?.cause = cause }
  }

  /// Hears of each query of a run before it is made, such as to explain it.
  package var queryObserver: ((Query) throws -> Void)?

  /// A session whose store is opened by `makeStore` when it is first needed.
  package init(
    library: Library, host: Host, front: any Front, answers: Answers,
    checksBuiltIns: Bool = false,
    makeStore: @escaping (StoreContext) throws -> EntityStore
  ) {
    self.library = library
    self.host = host
    self.front = front
    self.answers = answers
    self.makeStore = makeStore
    context = CompilationContext(
      library: library, environment: Self.environment(of: host),
      checksBuiltIns: checksBuiltIns)
  }

  /// The expression language with what the host gives; `vars.x` is the variable `x`.
  private static func environment(of host: Host) -> CEL.Environment {
    var environment = CEL.Environment(allowsUndeclaredNames: true)
    environment.namespaces = ["vars"]
    environment.addErrandFunctions(
      FunctionContext(
        now: host.now, clock: host.clock, randomBytes: host.randomBytes,
        environment: host.environment))
    return environment
  }

  // MARK: Definitions

  /// The intent or shortcut of a name, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it.
  func action(_ name: String) throws -> CompiledAction {
    if let action = actions[name] { return action }
    let collector = DiagnosticCollector()
    var compiler = ActionCompiler(context, collector)
    let read: ActionDefinition?
    do {
      read = try library.action(name)
    } catch {
      if let partial = library.partialAction(name) { _ = compiler.compile(partial) }
      throw error.joined(by: collector.all)
    }
    guard let definition = read else {
      throw RunError(
        .notFound, "there is no intent or shortcut `\(name)`",
        help: Suggestion.help(for: name, in: library.actionNames))
    }
    let action = compiler.compile(definition)
    if collector.hasErrors { throw Diagnostics(collector.all) }
    actions[name] = action
    return action
  }

  /// The entity of a name, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it.
  func entity(_ name: String) throws -> CompiledEntity {
    if let entity = entities[name] { return entity }
    let collector = DiagnosticCollector()
    let compiler = EntityCompiler(context: context, collector: collector)
    let read: EntityDefinition?
    do {
      read = try library.entity(name)
    } catch {
      if let partial = library.partialEntity(name) { _ = compiler.compile(partial) }
      throw error.joined(by: collector.all)
    }
    guard let definition = read else {
      throw RunError(
        .notFound, "there is no entity `\(name)`",
        help: Suggestion.help(for: name, in: library.entityNames))
    }
    let entity = compiler.compile(definition)
    if collector.hasErrors { throw Diagnostics(collector.all) }
    entities[name] = entity
    return entity
  }

  /// Compiles an intent, shortcut or entity and all it calls, to find what is wrong with it.
  package func check(action name: String) throws {
    _ = try action(name)
  }

  /// Compiles an entity, to find what is wrong with it.
  package func check(entity name: String) throws {
    _ = try entity(name)
    _ = try schema(of: name)
  }

  // MARK: The store

  /// The store, opened on first use.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> EntityStore {
    if let openedStore { return openedStore }
    let store = try translating { try makeStore(storeContext) }
    store.cause = cause
    openedStore = store
    return store
  }

  /// Throws what the store could not tell in the middle of an expression, once.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func throwStoreFault() throws {
    if let openedStore { try translating { try openedStore.throwFault() } }
  }

  /// Closes the store, if it was opened; nothing may be done with its items afterwards.
  package func closeStore() {
    openedStore?.shutDown()
  }

  /// The store with the table of an entity ready.
  package func store(for entity: String) throws -> EntityStore {
    let store = try store()
    if prepared.insert(entity).inserted {
      let schema = try schema(of: entity)
      try translating { try store.prepare(schema) }
    }
    return store
  }

  /// What stores ask of this session's host.
  package var storeContext: StoreContext {
    let host = host
    return StoreContext(
      now: host.now, randomBytes: host.randomBytes,
      canonicalURL: { CanonicalURL.text(of: $0) }, isURL: { CanonicalURL.exists(of: $0) },
      dateText: { host.clock.time(at: $0).date.iso8601 },
      midnight: { CivilDate(iso8601: $0).map(host.clock.start) },
      schema: { [weak self] name in try? self?.schema(of: name) })
  }

  /// The schema of an entity, as the store needs it.
  package func schema(of name: String) throws -> EntitySchema {
    let definition = try entity(name).definition
    return EntitySchema(
      name: name,
      properties: try definition.properties.map { property in
        PropertySchema(
          name: property.name.text, type: PropertyType(property.type),
          isOptional: property.type.isOptional, default: try defaultValue(of: property),
          searchWeight: property.searchWeight, isIndexed: property.isIndexed)
      },
      identity: definition.identity?.text)
  }

  private func defaultValue(of property: EntityDefinition.Property) throws -> Value? {
    guard let node = property.defaultNode else { return nil }
    let collector = DiagnosticCollector()
    let compiled = ActionCompiler(context, collector).compile(node, as: property.type)
    if collector.hasErrors { throw Diagnostics(collector.all) }
    guard let compiled else { return nil }
    guard case .constant(let value) = compiled else {
      throw Diagnostics([
        Diagnostic(
          "default-not-constant", "the default of a property is a fixed value", at: node.span,
          help: "give it in the intent that creates the item")
      ])
    }
    return try Converter(self).convert(value, to: property.type, named: property.name.text)
  }

  /// Runs a body and makes what the store throws an error of the run.
  ///
  /// - Parameter source: the expression that the store evaluates, for the place of a mistake in it.
  func translating<Result>(
    in source: ExpressionSource? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw RunError(RunError.Code(error.languageCode), error.message)
    } catch let error as EvaluationError {
      throw RunError(error, in: source)
    }
  }
}

extension Diagnostics {
  /// The mistakes of a document's form, and those that were found in what could be read of it.
  ///
  /// Where a declaration could not be read, the names that it would have declared are missing:
  /// nothing is said of unknown names then.
  fileprivate func joined(by others: [Diagnostic]) -> Diagnostics {
    let hidesNames = all.contains { problem in
      ["unknown-type", "missing-type", "bad-name", "wrong-type"].contains(problem.id)
    }
    let further = others.filter { other in
      let isFollowing = hidesNames && other.id.contains("unknown")
      let isKnown = all.contains { $0.id == other.id && $0.span?.range == other.span?.range }
      return !isFollowing && !isKnown
    }
    let sorted = (all + further).sorted {
      ($0.span?.range.lowerBound ?? 0) < ($1.span?.range.lowerBound ?? 0)
    }
    return Diagnostics(sorted)
  }
}

extension PropertyType {
  fileprivate init(_ type: DataType) {
    self =
      switch type.unwrapped {
      case .string: .string
      case .int: .int
      case .double: .double
      case .bool: .bool
      case .url: .url
      case .timestamp: .timestamp
      case .date: .date
      case .duration: .duration
      case .file: .file
      case .any, .optional: .any
      case .enumeration(let values): .enumeration(values)
      case .list(let element): .list(PropertyType(element))
      case .map(let element): .map(PropertyType(element))
      case .entity(let name): .entity(name)
      }
  }
}
