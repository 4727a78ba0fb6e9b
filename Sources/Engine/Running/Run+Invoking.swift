package import CEL
import Catalog
import Items
import Program
import Source
import Store
import YAML

extension Run {
  /// Runs an intent or a shortcut at the person's request, with its dialog.
  ///
  /// - Parameter given: values by their index in `allParameters`.
  /// - Throws: `Diagnostics` for an invalid definition, `RunError` when the run fails.
  package func perform(_ name: String, _ given: [Int: GivenValue]) throws -> Outcome {
    var outcome: Outcome?
    try perform(name, each: [given]) { outcome = $0 }
    return outcome ?? Outcome(value: .null, isStopped: true, dialog: nil)
  }

  /// Runs an intent or a shortcut for each of several sets of values, as one change.
  ///
  /// - Parameter done: called with the outcome of each call.
  /// - Throws: `Diagnostics` for an invalid definition, `RunError` when a call fails; earlier calls
  ///   are kept.
  package func perform(
    _ name: String, each calls: [[Int: GivenValue]], done: (Outcome) throws -> Void
  ) throws {
    let action = try prepare(name)
    try beginRecording(action, calls)
    try conclude(action, calls, done)
  }

  /// The compiled action, checked and authorized.
  func prepare(_ name: String) throws -> CompiledAction {
    identity.cause = identity.caller ?? name
    try workspace.check(action: name)
    try authorize(name)
    return try workspace.action(name)
  }

  /// Runs the action to its end, and releases its locks.
  func conclude(
    _ action: CompiledAction, _ calls: [[Int: GivenValue]], _ done: (Outcome) throws -> Void
  ) throws {
    defer { endRecording() }
    // The transaction that dequeued a job is committed here, with the start of the run.
    try RunError.translating { try workspace.openedStore?.commit() }
    do {
      try grouping {
        let task = TaskContext(interrupt) { [unowned self] in reasonOfInterrupt() }
        for (index, given) in calls.enumerated() {
          // The last call ends the run.
          recorder.isInLastCall = index == calls.count - 1
          try done(
            try invoke(
              action, depth: 0, task: task, scope: .root(ofCall: index), speaks: true
            ) { given })
        }
      }
    } catch let excess as Budget.Excess {
      throw excess.error(budget.uses)
    }
  }

  /// Runs an intent or a shortcut for each set of values in a transaction that is rolled back.
  ///
  /// - Parameters:
  ///   - makesRequests: whether read-only requests are sent, so that hosts need permission.
  ///   - done: called with each outcome.
  ///   - finish: called at the end, before the rollback.
  /// - Throws: as `perform` does.
  package func dryRun(
    _ name: String, each calls: [[Int: GivenValue]], makesRequests: Bool = false,
    done: (Outcome) throws -> Void, then finish: () throws -> Void
  ) throws {
    /// Rolls the transaction back.
    struct RolledBack: Error {}
    // Only reads need permission; nothing else is performed.
    let unperformed =
      ([.exec, .write, .clipboard, .open, .notify, .run] as [Capability.Kind]
      + (makesRequests ? [] : [.http]))
      .map { Capability(any: $0) }
    access.granted = access.granted.joined(by: CapabilitySet(unperformed, canonical: { $0 }))
    (dryRun.isOn, dryRun.makesRequests) = (true, makesRequests)
    let action = try prepare(name)
    // Tables are prepared in their own transaction.
    for entity in try entities(of: action).sorted() { _ = try store(for: entity) }
    do {
      try RunError.translating {
        try store().atomic {
          transcript.isKept = transcript.deliver != nil
          for given in calls {
            try done(
              try invoke(action, depth: 0, task: TaskContext(interrupt), speaks: true) { given })
          }
          try finish()
          transcript.flush()
          throw RolledBack()
        }
      }
    } catch is RolledBack {
      return
    } catch let excess as Budget.Excess {
      throw excess.error(budget.uses)
    }
  }

  /// Runs a call in its own frame.
  func invoke(
    _ action: CompiledAction, depth: Int, task: TaskContext, scope: StepScope = .root, speaks: Bool,
    guardian: String? = nil, given: () throws -> [Int: GivenValue]
  ) throws -> Outcome {
    let name = action.definition.name.text
    guard depth <= Runner.depthLimit else {
      throw RunError(
        .failed, "calls are nested more than \(Runner.depthLimit) deep",
        help: "`\(name)` may be running itself")
    }
    try budget.spendCall()
    let account = budget.account
    defer { budget.charge(action, since: account) }
    let isGuarded = access.isHeld || action.isForeign
    let runner = Runner(
      self, action, depth: depth, task: task, scope: scope,
      guardian: guardian ?? (isGuarded ? name : nil))
    try begin(runner, given)
    var result: Value
    switch try runner.timed(action.timeout, name, { try runner.run(action.steps) }) {
    case .stop: return Outcome(value: .null, isStopped: true, dialog: nil)
    case .returned(let value):
      result = value
      runner.it = value
    case .next, .breakLoop, .continueLoop:
      result = runner.it
      if let output = action.output {
        result = try runner.value(of: output)
      } else if depth == 0, action.endsInTelling {
        // A confirmation or an intermediate result is not the result of the run.
        result = .null
      }
    }
    if let returns = action.definition.returns {
      do {
        result = try converter.convert(result, to: returns, named: "returns")
      } catch let error as RunError {
        let reason =
          error.code == .invalidValue
          ? ", but returned \(converter.description(of: result))" : ": \(error.message)"
        throw RunError(
          error.code, "`\(name)` must return \(returns.wording)\(reason)", remedy: error.remedy,
          at: action.definition.returnsSpan)
      }
    }
    if depth == 0 { result = try ValueBounds.checked(result) }
    runner.frame.slots[action.outputSlot] = result
    var said: String?
    if speaks, let full = action.full {
      let text = try runner.text(of: full)
      if !text.isEmpty {
        said = text
        // The dialog is the last effect of the run, so its end is written in the same commit.
        if depth == 0 { transcript.announce(text) }
        if depth == 0, recorder.isInLastCall { noteEnd(result, said: said) }
        try commitWrites()
        tell { [front] in front.say(text) }
      }
    }
    if depth == 0 {
      recorder.isInLastCall ? noteEnd(result) : endTranscript(ofCall: result, said: said)
    }
    return Outcome(value: result, isStopped: false, dialog: said)
  }

  /// Binds the parameters and variables of a call, or restores them from the journal.
  private func begin(_ runner: Runner, _ given: () throws -> [Int: GivenValue]) throws {
    if let slot = runner.action.runSlot {
      runner.frame.slots[slot] = .record([("id", .string(id))])
    }
    let key = runner.scope.text + "("
    if let lines, let line = lines.line(key) {
      return runner.restoreFrame(try lines.value(of: line))
    }
    let action = runner.action
    try ParameterBinder(runner: runner).bind(given())
    if action.definition.input != nil, let slot = action.parameters.first?.slot {
      runner.it = runner.frame.slots[slot]
    }
    for variable in action.variables {
      guard let value = variable.value else { continue }
      runner.frame.slots[variable.slot] = try runner.value(
        of: value, as: variable.type, named: "variables")
    }
    try lines?.note(key, .decided, name: action.definition.name.text, value: runner.savedFrame)
  }

  /// Whether a run of an intent or a shortcut may write to the store: it changes items, or it is
  /// recorded.
  ///
  /// - Throws: `Diagnostics` for an invalid definition.
  package func mayWrite(_ name: String) throws -> Bool {
    let definition = try workspace.action(name).definition
    return try definition.isDurable || definition.runMode != nil || workspace.mayChange(name)
  }

  /// The entities that an intent or a shortcut, with its callees, refers to.
  func entities(of action: CompiledAction) throws -> Set<String> {
    var found: Set<String> = []
    try workspace.visitCalled(from: [action.definition.name.text]) { found.formUnion($0.entities) }
    return found
  }

  /// Compiles a template over `self` from the command line.
  ///
  /// - Throws: `Diagnostics`.
  package func valueTemplate(_ text: String, label: String) throws -> ValueTemplate {
    var scopes = Scopes()
    let slot = scopes.makeSlot()
    let compiled = try sound { context, collector in
      collector.collecting { () throws(Diagnostic) in
        try Template(scalar: Scalar(text: text, label: label))
      }.flatMap {
        ExpressionCompiler(context, collector)
          .compile($0, scopes, subject: .init(slot: slot, entity: nil))
      }
    }
    return ValueTemplate(renderer: renderer, template: compiled)
  }

  /// Returns the result of compiling what a person typed; `warningObserver` gets its warnings.
  func sound<Result>(
    _ compile: (CompilationContext, DiagnosticCollector) throws -> Result?
  ) throws -> Result {
    var context = workspace.context
    context.reportsWarnings = warningObserver != nil
    var warnings: [Diagnostic] = []
    let result = try workspace.expectSound { collector in
      let result = try compile(context, collector)
      warnings = collector.all.filter { $0.severity == .warning }
      return result
    }
    if let warningObserver { warnings.forEach(warningObserver) }
    return result
  }

  /// Evaluates an expression with variables.
  ///
  /// - Throws: `Diagnostics` for an invalid expression, `RunError` when evaluation fails.
  package func evaluate(
    _ text: String, _ variables: [(name: String, value: Value)], label: String
  ) throws -> Value {
    var scopes = Scopes()
    let frame = Frame(count: variables.count)
    for (name, value) in variables {
      let slot = scopes.declare(name, .variable, type: Self.type(of: value))
      frame.slots[slot] = value
    }
    let compiled = try sound { context, collector in
      var compiler = ExpressionCompiler(context, collector)
      compiler.refusesFailures = false
      return collector.collecting { () throws(Diagnostic) in
        try ExpressionSource(scalar: Scalar(text: text, label: label))
      }.flatMap { compiler.compile($0, scopes) }
    }
    return try ValueBounds.checked(
      RunError.translating(in: compiled.source) { try compiled.evaluate(frame) })
  }

  /// The type of a plain value, with that of its elements if they all have one; nil for other values.
  private static func type(of value: Value) -> DataType? {
    switch value {
    case .string: .string
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .list(let elements):
      .list(
        elements.first.flatMap(type).flatMap { first in
          elements.allSatisfy { type(of: $0) == first } ? first : nil
        } ?? .any)
    case .map(let map):
      map.entries.allSatisfy { if case .string = $0.key { true } else { false } } ? .map(.any) : nil
    default: nil
    }
  }
}
