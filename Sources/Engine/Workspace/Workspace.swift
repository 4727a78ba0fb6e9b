import CEL
package import Catalog
import Items
import Links
package import Program
import Source
package import Store
import YAML

/// The definitions, compiled programs and store shared by all runs of a process.
///
/// Not thread-safe.
package final class Workspace {
  package let catalog: DefinitionCatalog
  /// The clock, environment, secrets and random source for functions of expressions.
  package let world: FunctionContext
  package var context: CompilationContext
  private let makeStore: (StoreContext) throws -> Database
  /// The store, once it was opened.
  package private(set) var openedStore: Database?
  /// The intents and shortcuts treated as coming from elsewhere regardless of their layer: those
  /// recorded with a run.
  package var foreignNames: Set<String> = []
  /// The last start of rate-limited steps by step and key, in nanoseconds of the monotonic clock.
  var beginnings: [String: [Value: Int64]] = [:]
  private var actions: [String: CompiledAction] = [:]
  private var entities: [String: CompiledEntity] = [:]
  /// Results of earlier compilations.
  private var outcomes: [String: Findings] = [:]
  /// Numbers of compilations and lookups, to measure the work of checks along calls.
  private(set) var compilationCount = 0
  private(set) var lookupCount = 0
  /// Cached facts about calls.
  var callMemory = CallMemory(fileCount: 0)
  /// The entities whose tables are prepared.
  private(set) var prepared: Set<String> = []
  /// The definitions that compiled without errors, along with all of their callees.
  var sound: Set<String> = []

  /// A workspace that opens its store with `makeStore` on first use.
  ///
  /// - Parameters:
  ///   - checksBuiltIns: whether built-in definitions are type-checked.
  ///   - reportsWarnings: whether to look for warnings.
  package init(
    catalog: DefinitionCatalog, world: FunctionContext, verbs: VerbTable,
    checksBuiltIns: Bool = false,
    reportsWarnings: Bool = false,
    makeStore: @escaping (StoreContext) throws -> Database
  ) {
    self.catalog = catalog
    self.world = world
    self.makeStore = makeStore
    context = CompilationContext(
      catalog: catalog, environment: Self.environment(of: world), verbs: verbs,
      checksBuiltIns: checksBuiltIns, reportsWarnings: reportsWarnings,
      environmentIn: { Self.environment(of: world, in: $0) })
    context.errorCodes = RunError.Code.known
  }

  /// A workspace for the same definitions in another language, which shares nothing else.
  package func speaking(_ languages: [String]) -> Workspace {
    Workspace(
      catalog: catalog.speaking(languages), world: world, verbs: context.verbs,
      checksBuiltIns: context.checksBuiltIns, reportsWarnings: context.reportsWarnings,
      makeStore: makeStore)
  }

  /// The expression language with its functions; `vars.x` is the variable `x`.
  private static func environment(
    of world: FunctionContext, in language: Language = .english
  ) -> CEL.Environment {
    var world = world
    world.language = language
    var environment = CEL.Environment(allowsUndeclaredNames: true)
    environment.namespaces = ["vars"]
    environment.addErrandFunctions(world)
    return environment
  }

  // MARK: Definitions

  /// Returns the result of a compilation without errors.
  ///
  /// - Throws: `Diagnostics` with all of its errors.
  func expectSound<Result>(_ compile: (DiagnosticCollector) throws -> Result?) throws -> Result {
    let collector = DiagnosticCollector()
    guard let result = try compile(collector), !collector.hasErrors else {
      throw Diagnostics(collector.errors)
    }
    return result
  }

  /// The diagnostics of an intent or a shortcut.
  private struct Findings {
    /// The errors; nil for none.
    var errors: Diagnostics?
    /// The errors and warnings.
    let all: [Diagnostic]
    /// The number of files at that time; a new file may define a missing name.
    let fileCount: Int
  }

  private func found(in name: String) -> Findings? {
    outcomes[name].flatMap { $0.errors == nil || $0.fileCount == catalog.files.count ? $0 : nil }
  }

  private func note(_ errors: Diagnostics?, _ all: [Diagnostic], inAction name: String) {
    outcomes[name] = Findings(errors: errors, all: all, fileCount: catalog.files.count)
  }

  /// The compiled intent or shortcut of a name.
  ///
  /// - Throws: `Diagnostics` with all of its errors.
  func action(_ name: String) throws -> CompiledAction {
    lookupCount += 1
    if let action = actions[name] { return action }
    if let errors = found(in: name)?.errors { throw errors }
    return try expectSound { try compile(action: name, $0) }
  }

  /// Diagnostics of the last compilation of an intent or a shortcut; nil if not compiled, or if it
  /// had no errors and warnings are off.
  func known(inAction name: String) -> [Diagnostic]? { found(in: name)?.all }

  /// Compiles an intent or a shortcut; diagnostics of its steps go to the collector.
  ///
  /// - Throws: `Diagnostics` for a malformed definition, with those found in the rest of it.
  func compile(action name: String, _ collector: DiagnosticCollector) throws -> CompiledAction {
    var compiler = ActionCompiler(context, collector)
    compilationCount += 1
    let read: ActionDefinition?
    do {
      read = try catalog.action(name)
    } catch {
      if let partial = catalog.partialAction(name) { _ = compiler.compile(partial) }
      let errors = error.joined(by: collector.errors)
      note(errors, errors.all, inAction: name)
      throw errors
    }
    guard let definition = read else { throw catalog.missing(action: name) }
    let action = compiler.compile(definition)
    // A built-in definition that names the services it sends to asks before the first time.
    let namesServices = action.capabilities.contains { $0.kind == .http && $0.target != nil }
    action.isForeign =
      catalog.isForeign(action: name) || foreignNames.contains(name)
      || namesServices && catalog.isBuiltIn(name)
    if collector.hasErrors {
      note(Diagnostics(collector.errors), collector.all, inAction: name)
    } else {
      actions[name] = action
      if context.reportsWarnings { note(nil, collector.all, inAction: name) }
    }
    return action
  }

  /// The compiled entity of a name.
  ///
  /// - Throws: `Diagnostics` with all of its errors.
  func entity(_ name: String) throws -> CompiledEntity {
    if let entity = entities[name] { return entity }
    return try expectSound { try compile(entity: name, $0) }
  }

  /// Compiles an entity; diagnostics of its templates go to the collector.
  ///
  /// - Throws: `Diagnostics` for a malformed definition, with those found in the rest of it.
  func compile(entity name: String, _ collector: DiagnosticCollector) throws -> CompiledEntity {
    let compiler = EntityCompiler(context, collector)
    let read: EntityDefinition?
    do {
      read = try catalog.entity(name)
    } catch {
      if let partial = catalog.partialEntity(name) { _ = compiler.compile(partial) }
      throw error.joined(by: collector.errors)
    }
    guard let definition = read else {
      throw RunError(
        .notFound, "there is no entity `\(name)`",
        help: Suggestion.help(for: name, in: catalog.entityNames))
    }
    let entity = compiler.compile(definition)
    if !collector.hasErrors { entities[name] = entity }
    return entity
  }

  // MARK: The store

  /// The store, opened on first use.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> Database {
    if let openedStore { return openedStore }
    let store = try RunError.translating { try makeStore(storeContext) }
    openedStore = store
    return store
  }

  /// The store with the table of an entity ready.
  package func store(for entity: String) throws -> Database {
    let store = try store()
    if prepared.insert(entity).inserted {
      let schema = try schema(of: entity)
      try RunError.translating { try store.prepare(schema) }
    }
    return store
  }

  /// Throws, once, an error that the store met while an expression was evaluated.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func throwStoreFault() throws {
    if let openedStore {
      try RunError.translating { try openedStore.connection.throwFault() }
    }
  }

  /// Closes the store if it is open; its items must not be used afterwards.
  package func closeStore() { openedStore?.shutDown() }

  /// Closes the store until it is used again.
  package func releaseStore() {
    closeStore()
    openedStore = nil
    prepared = []
  }
}

extension Workspace {
  /// A workspace with the verbs of the language.
  package convenience init(
    catalog: DefinitionCatalog, host: Host, checksBuiltIns: Bool = false,
    reportsWarnings: Bool = false,
    makeStore: @escaping (StoreContext) throws -> Database
  ) {
    var world = FunctionContext(
      now: host.now, clock: host.clock, randomBytes: host.randomBytes,
      environment: host.environment)
    world.secrets = host.secrets
    world.isOnline = host.isOnline
    world.holidays = host.holidays
    world.savesCleanURLs = host.savesCleanURLs
    if let readSecret = host.readSecret { world.readSecret = readSecret }
    self.init(
      catalog: catalog, world: world,
      verbs: .errand, checksBuiltIns: checksBuiltIns, reportsWarnings: reportsWarnings,
      makeStore: makeStore)
  }

  /// Whether a run of an intent or a shortcut may change the store or the outside world.
  ///
  /// - Throws: `Diagnostics` for a malformed definition.
  package func mayChange(_ name: String) throws -> Bool {
    _ = try action(name)
    return comes(name, to: .change) {
      $0?.steps.contains(where: \.mayChange) ?? false
    } callees: {
      Array($0.callees)
    }
  }

  /// The definitions recorded with a run, each with its hash: the intent or shortcut and its
  /// callees.
  ///
  /// - Throws: `Diagnostics` when a definition has errors.
  func recordedDefinitions(of name: String) throws -> [(hash: String, text: String)] {
    var definitions: [(hash: String, text: String)] = []
    try visitCalled(from: [name]) { action in
      guard let text = catalog.source(of: action.definition.name.text) else { return }
      definitions.append((SHA256.hex(of: text), text))
    }
    return definitions
  }
}

extension CompiledStep {
  /// Whether the step, or one nested in it, may change the store or the outside world.
  fileprivate var mayChange: Bool {
    if case .verb(let call) = kind {
      switch call.verb.effect {
      case .pure, .read, .tell, .ask: return call.verb.traits.contains(.records)
      case .write: return true
      case .outside:
        guard call.verb.calls else { return call.verb.changesWorld }
        if case .dynamicName? = call.arguments.first ?? nil { return true } else { return false }
      }
    }
    return kind.blocks.contains { $0.contains(where: \.mayChange) }
  }
}

extension VerbSignature {
  /// Whether a call may change the outside world; a wait does not.
  var changesWorld: Bool { effect == .outside && !calls && !traits.contains(.waits) }
}

extension Diagnostics {
  /// The errors of a malformed definition, joined with those found in the rest of it.
  ///
  /// Omits errors about unknown names when a declaration could not be parsed, since the names it
  /// declares are missing.
  func joined(by others: [Diagnostic]) -> Diagnostics {
    let hiding = ["unknown-type", "missing-type", "bad-name", "wrong-type"]
    let hidesNames = all.contains { hiding.contains($0.id) }
    var distinct = DistinctDiagnostics()
    distinct.add(all)
    distinct.add(others.filter { !hidesNames || !$0.id.contains("unknown") })
    return Diagnostics(distinct.sorted)
  }
}
