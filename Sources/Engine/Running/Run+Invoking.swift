package import CEL
import Catalog
import Items
import Program
import Source
import Store
import YAML

extension Run {
  /// Runs an intent or a shortcut that a person asked for, and says its dialog.
  ///
  /// - Parameter given: values by the position in `allParameters`.
  /// - Throws: `Diagnostics` when its definition is wrong, `RunError` when it fails.
  package func perform(_ name: String, _ given: [Int: GivenValue]) throws -> Outcome {
    var outcome: Outcome?
    try perform(name, each: [given]) { outcome = $0 }
    return outcome ?? Outcome(value: .null, isStopped: true, dialog: nil)
  }

  /// Runs an intent or a shortcut once for each of several sets of values, all in one change.
  ///
  /// - Parameter done: Is told what each call came to.
  /// - Throws: `Diagnostics` when its definition is wrong, `RunError` when a call fails; the calls
  ///   before it stay.
  package func perform(
    _ name: String, each calls: [[Int: GivenValue]], done: (Outcome) throws -> Void
  ) throws {
    cause = name
    try workspace.check(action: name)
    try authorize(name)
    let action = try workspace.action(name)
    try beginRecording(action, calls)
    try conclude(action, calls, done)
  }

  /// Runs what was asked for to its end, and lets go of what it held.
  func conclude(
    _ action: CompiledAction, _ calls: [[Int: GivenValue]], _ done: (Outcome) throws -> Void
  ) throws {
    defer { endRecording() }
    // The taking of a job stays open until here, so that it and the run's beginning are one commit.
    try RunError.translating { try workspace.openedStore?.database.commit() }
    do {
      try grouping {
        let strand = Strand(interrupt) { [unowned self] in reasonOfInterrupt() }
        for (index, given) in calls.enumerated() {
          // The end of the last one is that of the run.
          isInLastCall = index == calls.count - 1
          try done(
            try invoke(
              action, depth: 0, strand: strand, scope: .root(ofCall: index), speaks: true
            ) { given })
        }
      }
    } catch let excess as Budget.Excess {
      throw excess.error(budget.uses)
    }
  }

  /// Runs an intent or a shortcut for each of some values in a transaction that is taken back.
  ///
  /// - Parameters:
  ///   - makesRequests: whether requests that only read are made, so that hosts must be allowed.
  ///   - done: hears of each outcome.
  ///   - finish: is called at the end, while what was written can still be read.
  /// - Throws: what `perform` throws.
  package func rehearse(
    _ name: String, each calls: [[Int: GivenValue]], makesRequests: Bool = false,
    done: (Outcome) throws -> Void, then finish: () throws -> Void
  ) throws {
    struct TakenBack: Error {}
    cause = name
    try workspace.check(action: name)
    // Only what it reads must be allowed; all else is not done.
    let undone =
      ([.exec, .write, .clipboard, .open, .notify, .run] as [Touch.Kind]
      + (makesRequests ? [] : [.http]))
      .map { Touch(any: $0) }
    permissions = permissions.joined(by: Permissions(undone, canonical: { $0 }))
    try authorize(name)
    let action = try workspace.action(name)
    // A table is made ready in a transaction of its own.
    for entity in try entities(of: action).sorted() { _ = try store(for: entity) }
    do {
      try RunError.translating {
        try store().database.atomic {
          for given in calls {
            try done(
              try invoke(action, depth: 0, strand: Strand(interrupt), speaks: true) { given })
          }
          try finish()
          throw TakenBack()
        }
      }
    } catch is TakenBack {
      return
    } catch let excess as Budget.Excess {
      throw excess.error(budget.uses)
    }
  }

  /// Runs a call, in a frame of its own.
  func invoke(
    _ action: CompiledAction, depth: Int, strand: Strand, scope: StepScope = .root, speaks: Bool,
    guardian: String? = nil, given: () throws -> [Int: GivenValue]
  ) throws -> Outcome {
    guard depth <= Runner.depthLimit else {
      throw RunError(
        .failed, "calls are nested more than \(Runner.depthLimit) deep",
        help: "`\(action.definition.name.text)` may be running itself")
    }
    try budget.spendCall()
    let account = budget.account
    defer { budget.charge(action, since: account) }
    let isGuarded = isHeld || action.isForeign
    let runner = Runner(
      self, action, depth: depth, strand: strand, scope: scope,
      guardian: guardian ?? (isGuarded ? action.definition.name.text : nil))
    try begin(runner, given)
    var result: Value
    switch try runner.steps(within: action.timeout) {
    case .stop: return Outcome(value: .null, isStopped: true, dialog: nil)
    case .returned(let value):
      result = value
      runner.it = value
    case .next, .breakLoop, .continueLoop:
      result = runner.it
      if let output = action.output {
        result = try runner.value(of: output)
      } else if depth == 0, action.endsInTelling {
        // A yes, or what was found on the way, is nothing that was asked for.
        result = .null
      }
    }
    if let returns = action.definition.returns {
      do {
        result = try converter.convert(result, to: returns, named: "returns")
      } catch let error as RunError {
        throw RunError(
          error.code,
          "`\(action.definition.name.text)` must return \(returns.wording)"
            + (error.code == .invalidValue
              ? ", but returned \(converter.description(of: result))" : ": \(error.message)"),
          remedy: error.remedy, at: action.definition.returnsSpan)
      }
    }
    if depth == 0 { result = try ValueBounds.checked(result) }
    runner.frame.slots[action.outputSlot] = result
    var said: String?
    if speaks, let full = action.full {
      let text = try runner.text(of: full)
      if !text.isEmpty {
        said = text
        // Nothing follows what the asked-for one says, so that its end is written with the rest.
        if depth == 0, isInLastCall { noteEnd(result) }
        try commitWrites()
        tell { [front] in front.say(text) }
      }
    }
    if depth == 0, isInLastCall { noteEnd(result) }
    return Outcome(value: result, isStopped: false, dialog: said)
  }

  /// Gives the parameters and variables of a call their first values, or those they had.
  private func begin(_ runner: Runner, _ given: () throws -> [Int: GivenValue]) throws {
    if let slot = runner.action.runSlot {
      runner.frame.slots[slot] = .map(MapValue([("id", .string(id))]))
    }
    let key = runner.scope.text + "("
    if let lines, let line = lines.line(key) {
      return runner.restoreFrame(try lines.value(of: line))
    }
    let action = runner.action
    try ParameterBinder(runner).bind(given())
    if action.definition.input != nil, let slot = action.parameters.first?.slot {
      runner.it = runner.frame.slots[slot]
    }
    for variable in action.variables {
      guard let value = variable.value else { continue }
      runner.frame.slots[variable.slot] = try runner.value(
        of: value, as: variable.type, named: "variables")
    }
    try lines?.note(
      key, .decided, name: action.definition.name.text, value: runner.savedFrame)
  }

  /// Whether a run of an intent or a shortcut may come to need the store for more than reading: it
  /// writes, or it is recorded.
  ///
  /// - Throws: `Diagnostics` when its definition is wrong.
  package func mayWrite(_ name: String) throws -> Bool {
    let action = try workspace.action(name)
    let definition = action.definition
    return definition.isDurable || definition.runMode != nil || workspace.mayChange(action)
  }

  /// The entities whose items an intent or a shortcut may come to work on, by what it says.
  func entities(of action: CompiledAction) throws -> Set<String> {
    var found: Set<String> = []
    try workspace.visitCalled(from: [action.definition.name.text]) { found.formUnion($0.entities) }
    return found
  }

  /// Compiles a template over `self` that was given on the command line.
  ///
  /// - Throws: `Diagnostics`.
  package func valueTemplate(_ text: String, label: String) throws -> ValueTemplate {
    var scopes = Scopes()
    let slot = scopes.makeSlot()
    let compiled = try workspace.expectSound { collector in
      collector.collecting { () throws(Diagnostic) in
        try Template(scalar: Scalar(text: text, label: label))
      }.flatMap {
        ExpressionCompiler(workspace.context, collector)
          .compile($0, scopes, subject: .init(slot: slot, entity: nil))
      }
    }
    return ValueTemplate(renderer, compiled)
  }

  /// The value of an expression with variables.
  ///
  /// - Throws: `Diagnostics` when it is wrong, `RunError` when it has no value.
  package func evaluate(
    _ text: String, _ variables: [(name: String, value: Value)], label: String
  ) throws -> Value {
    var scopes = Scopes()
    let frame = Frame(count: variables.count)
    for (name, value) in variables {
      let slot = scopes.declare(name, .variable, type: nil)
      frame.slots[slot] = value
    }
    let compiled = try workspace.expectSound { collector in
      var compiler = ExpressionCompiler(workspace.context, collector)
      compiler.refusesFailures = false
      return collector.collecting { () throws(Diagnostic) in
        try ExpressionSource(scalar: Scalar(text: text, label: label))
      }.flatMap { compiler.compile($0, scopes) }
    }
    return try ValueBounds.checked(
      RunError.translating(in: compiled.source) { try compiled.evaluate(frame) })
  }
}
