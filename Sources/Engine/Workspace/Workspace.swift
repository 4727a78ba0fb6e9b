import CEL
package import Catalog
package import Items
import Links
package import Program
import Source
package import Store
import YAML

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
  /// What is known of calls.
  var callMemory = CallMemory(fileCount: 0)
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

  /// What a compilation gives that finds no mistake.
  ///
  /// - Throws: `Diagnostics` with all that it reports.
  func expectSound<Result>(_ compile: (DiagnosticCollector) throws -> Result?) throws -> Result {
    let collector = DiagnosticCollector()
    guard let result = try compile(collector), !collector.hasErrors else {
      throw Diagnostics(collector.errors)
    }
    return result
  }

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
    return try expectSound { try compile(action: name, $0) }
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
    return try expectSound { try compile(entity: name, $0) }
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
      try RunError.translating { try store.database.prepare(schema) }
    }
    return store
  }

  /// Whether the table of an entity is ready.
  func isPrepared(_ entity: String) -> Bool { prepared.contains(entity) }

  /// Throws what the store could not tell in the middle of an expression, once.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func throwStoreFault() throws {
    if let openedStore {
      try RunError.translating { try openedStore.database.connection.throwFault() }
    }
  }

  /// Closes the store, if it was opened; nothing may be done with its items afterwards.
  package func closeStore() {
    openedStore?.database.shutDown()
  }
}

extension Workspace {
  /// A workspace with the verbs of the language.
  package convenience init(
    library: Library, host: Host, checksBuiltIns: Bool = false,
    findsDoubts: Bool = false,
    makeStore: @escaping (StoreContext) throws -> EntityStore
  ) {
    var world = FunctionContext(
      now: host.now, clock: host.clock, randomBytes: host.randomBytes,
      environment: host.environment)
    world.secrets = host.secrets
    world.isOnline = host.isOnline
    if let readSecret = host.readSecret { world.readSecret = readSecret }
    self.init(
      library: library, world: world,
      verbs: .errand, checksBuiltIns: checksBuiltIns, findsDoubts: findsDoubts,
      makeStore: makeStore)
  }

  /// Whether a run of the intent or shortcut of a name may change the store or the world.
  ///
  /// - Throws: `Diagnostics` when its definition is wrong.
  package func mayChange(_ name: String) throws -> Bool { mayChange(try action(name)) }

  /// Whether a run of an intent or a shortcut may change the store or the world.
  ///
  /// - Complexity: O(steps of all that it calls).
  func mayChange(_ action: CompiledAction) -> Bool {
    var seen: Set<String> = [action.definition.name.text]
    var pending = [action]
    while let next = pending.popLast() {
      if next.steps.contains(where: \.mayChange) { return true }
      for name in next.callees where seen.insert(name).inserted {
        if let callee = try? self.action(name) { pending.append(callee) }
      }
    }
    return false
  }

  /// The definitions that a run of an intent or a shortcut goes on with, each with its hash: its own
  /// and those of all that it calls.
  ///
  /// - Throws: `Diagnostics` when one of them has a mistake.
  func recordedDefinitions(of name: String) throws -> [(hash: String, text: String)] {
    var names = [name]
    var seen: Set<String> = [name]
    var definitions: [(hash: String, text: String)] = []
    var next = 0
    while next < names.count {
      let name = names[next]
      next += 1
      if let text = library.source(of: name) { definitions.append((SHA256.hex(of: text), text)) }
      for callee in try action(name).callees.sorted() where seen.insert(callee).inserted {
        names.append(callee)
      }
    }
    return definitions
  }
}

extension CompiledStep {
  /// Whether it, or a step within it, may change the store or the world.
  fileprivate var mayChange: Bool {
    if case .verb(let call) = kind {
      switch call.verb.effect {
      case .pure, .read, .tell, .ask: return false
      case .write: return true
      case .outside:
        if call.verb.calls {
          if case .dynamicName? = call.arguments.first ?? nil { return true }
          return false
        }
        return call.verb.changesWorld
      }
    }
    return kind.blocks.contains { $0.contains(where: \.mayChange) }
  }
}

extension VerbSignature {
  /// Whether the world is another one after a call; it is the same after a wait.
  var changesWorld: Bool { effect == .outside && !calls && !traits.contains(.waits) }
}

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
    let compiled = try expectSound {
      .some(ActionCompiler(context, $0).compile(node, as: property.type))
    }
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

extension Diagnostics {
  /// The mistakes of a document's form, and those that were found in what could be read of it.
  ///
  /// Where a declaration could not be read, the names that it would have declared are missing:
  /// nothing is said of unknown names then.
  func joined(by others: [Diagnostic]) -> Diagnostics {
    let hidesNames = all.contains { problem in
      ["unknown-type", "missing-type", "bad-name", "wrong-type"].contains(problem.id)
    }
    let known = Set(all.map(Place.init))
    let further = others.filter { other in
      let isFollowing = hidesNames && other.id.contains("unknown")
      return !isFollowing && !known.contains(Place(other))
    }
    let sorted = (all + further).sorted {
      ($0.span?.range.lowerBound ?? 0) < ($1.span?.range.lowerBound ?? 0)
    }
    return Diagnostics(sorted)
  }

  /// A kind of mistake at a place, by which two reports are known to be the same.
  private struct Place: Hashable {
    let id: String
    let range: Range<Int>?

    init(_ diagnostic: Diagnostic) {
      id = diagnostic.id
      range = diagnostic.span?.range
    }
  }
}
