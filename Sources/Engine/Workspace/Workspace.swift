import CEL
package import Catalog
package import Program
import Source
package import Store

/// What a process keeps from run to run: definitions, what is compiled of them, and the store.
///
/// Used from one thread.
package final class Workspace {
  package let library: Library
  /// What the functions of expressions take from outside.
  package let world: FunctionContext
  package let context: CompilationContext
  private let makeStore: (StoreContext) throws -> EntityStore
  /// The store, when something has wanted it.
  package private(set) var openedStore: EntityStore?
  /// The intents and shortcuts that came from elsewhere, whatever layer they are read in: those that
  /// a recorded run began with.
  package var foreignNames: Set<String> = []
  /// When steps that keep a pace last began, by step and key, in nanoseconds of the monotonic clock.
  var beginnings: [String: [Value: Int64]] = [:]
  private var actions: [String: CompiledAction] = [:]
  private var entities: [String: CompiledEntity] = [:]
  private var doubts: [String: [Diagnostic]] = [:]
  /// The intents and shortcuts that have mistakes, which are not looked for again.
  private var failures: [String: Failure] = [:]
  /// How many intents and shortcuts were compiled, and how often one was looked up: the work of the
  /// checks that go along calls.
  private(set) var compilationCount = 0
  private(set) var lookupCount = 0
  /// What is known of calls in circles, and of calls that `atomic` blocks may not make.
  var callCircles = CallCircles()
  var obstacles = ObstacleMemory()
  /// What intents and shortcuts come to by their calls.
  var callReach = CallReach()
  private var prepared: Set<String> = []
  /// The definitions that were compiled without a mistake in them and in all that they call.
  private var sound: Set<String> = []

  /// A workspace whose store is opened by `makeStore` when it is first needed.
  ///
  /// - Parameters:
  ///   - checksBuiltIns: whether documents that came with the program are type-checked.
  ///   - findsDoubts: whether to look for what is no mistake by the rules, and hardly meant.
  package init(
    library: Library, world: FunctionContext, verbs: VerbTable, checksBuiltIns: Bool = false,
    findsDoubts: Bool = false,
    makeStore: @escaping (StoreContext) throws -> EntityStore
  ) {
    self.library = library
    self.world = world
    self.makeStore = makeStore
    context = CompilationContext(
      library: library, environment: Self.environment(of: world), verbs: verbs,
      checksBuiltIns: checksBuiltIns, findsDoubts: findsDoubts)
  }

  /// The expression language with what the world gives; `vars.x` is the variable `x`.
  private static func environment(of world: FunctionContext) -> CEL.Environment {
    var environment = CEL.Environment(allowsUndeclaredNames: true)
    environment.namespaces = ["vars"]
    environment.addErrandFunctions(world)
    return environment
  }

  // MARK: Definitions

  /// What was found in an intent or a shortcut with mistakes.
  private struct Failure {
    /// The mistakes.
    let errors: Diagnostics
    /// The mistakes and what is doubtful.
    let all: [Diagnostic]
    /// How many files were in reach: another one may bring what was missing.
    let fileCount: Int
  }

  private func failure(ofAction name: String) -> Failure? {
    failures[name].flatMap { $0.fileCount == library.files.count ? $0 : nil }
  }

  private func note(_ errors: Diagnostics, _ all: [Diagnostic], inAction name: String) {
    failures[name] = Failure(errors: errors, all: all, fileCount: library.files.count)
  }

  /// The intent or shortcut of a name, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it.
  func action(_ name: String) throws -> CompiledAction {
    lookupCount += 1
    if let action = actions[name] { return action }
    if let failure = failure(ofAction: name) { throw failure.errors }
    let collector = DiagnosticCollector()
    let action = try compile(action: name, collector)
    if collector.hasErrors { throw Diagnostics(collector.errors) }
    return action
  }

  /// What the compilation of an intent or a shortcut found; nil when it was not compiled, or was
  /// without mistakes and doubts are not looked for.
  func known(inAction name: String) -> [Diagnostic]? {
    doubts[name] ?? failure(ofAction: name)?.all
  }

  /// Compiles an intent or a shortcut; what is found in its steps goes to the collector.
  ///
  /// - Throws: `Diagnostics` when its form is wrong, with what was found in the rest of it.
  func compile(action name: String, _ collector: DiagnosticCollector) throws -> CompiledAction {
    var compiler = ActionCompiler(context, collector)
    compilationCount += 1
    let read: ActionDefinition?
    do {
      read = try library.action(name)
    } catch {
      if let partial = library.partialAction(name) { _ = compiler.compile(partial) }
      let errors = error.joined(by: collector.errors)
      note(errors, errors.all, inAction: name)
      throw errors
    }
    guard let definition = read else {
      throw RunError(
        .notFound, "there is no intent or shortcut `\(name)`",
        help: Suggestion.help(for: name, in: library.actionNames))
    }
    let action = compiler.compile(definition)
    switch library.place(ofAction: name)?.layer {
    case .project?, .catalog?, .file?: action.isForeign = true
    case .builtIn?, .user?, nil: action.isForeign = foreignNames.contains(name)
    }
    if collector.hasErrors {
      note(Diagnostics(collector.errors), collector.all, inAction: name)
    } else {
      actions[name] = action
      if context.findsDoubts { doubts[name] = collector.all }
    }
    return action
  }

  /// Whether a definition and all that it calls were compiled without a mistake.
  func isSound(_ name: String) -> Bool { sound.contains(name) }

  /// Notes definitions that were compiled, with all that they call, without a mistake.
  func addSound(_ names: Set<String>) { sound.formUnion(names) }

  /// The entity of a name, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it.
  func entity(_ name: String) throws -> CompiledEntity {
    if let entity = entities[name] { return entity }
    let collector = DiagnosticCollector()
    let entity = try compile(entity: name, collector)
    if collector.hasErrors { throw Diagnostics(collector.errors) }
    return entity
  }

  /// Compiles an entity; what is found in its templates goes to the collector.
  ///
  /// - Throws: `Diagnostics` when its form is wrong, with what was found in the rest of it.
  func compile(entity name: String, _ collector: DiagnosticCollector) throws -> CompiledEntity {
    let compiler = EntityCompiler(context, collector)
    let read: EntityDefinition?
    do {
      read = try library.entity(name)
    } catch {
      if let partial = library.partialEntity(name) { _ = compiler.compile(partial) }
      throw error.joined(by: collector.errors)
    }
    guard let definition = read else {
      throw RunError(
        .notFound, "there is no entity `\(name)`",
        help: Suggestion.help(for: name, in: library.entityNames))
    }
    let entity = compiler.compile(definition)
    if !collector.hasErrors { entities[name] = entity }
    return entity
  }

  // MARK: The store

  /// The store, opened on first use.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> EntityStore {
    if let openedStore { return openedStore }
    let store = try RunError.translating { try makeStore(storeContext) }
    openedStore = store
    return store
  }

  /// The store with the table of an entity ready.
  package func store(for entity: String) throws -> EntityStore {
    let store = try store()
    if prepared.insert(entity).inserted {
      let schema = try schema(of: entity)
      try RunError.translating { try store.prepare(schema) }
    }
    return store
  }

  /// Whether the table of an entity is ready.
  func isPrepared(_ entity: String) -> Bool { prepared.contains(entity) }

  /// Throws what the store could not tell in the middle of an expression, once.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func throwStoreFault() throws {
    if let openedStore { try RunError.translating { try openedStore.throwFault() } }
  }

  /// Closes the store, if it was opened; nothing may be done with its items afterwards.
  package func closeStore() {
    openedStore?.shutDown()
  }
}
