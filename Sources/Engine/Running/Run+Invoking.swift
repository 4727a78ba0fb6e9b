import CEL
import Catalog
import Items
import Program
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
    do {
      try grouping {
        for given in calls {
          try done(
            try invoke(action, given, depth: 0, strand: Strand(interrupt), speaks: true))
        }
      }
    } catch let excess as Budget.Excess {
      throw excess.error(stepUses.values.map { ($0.action.definition.name.text, $0.steps) })
    }
  }

  /// Runs a call, in a frame of its own.
  func invoke(
    _ action: CompiledAction, _ given: [Int: GivenValue], depth: Int, strand: Strand,
    speaks: Bool, isGuarded: Bool = false
  ) throws -> Outcome {
    guard depth <= Runner.depthLimit else {
      throw RunError(
        .failed, "calls are nested more than \(Runner.depthLimit) deep",
        help: "`\(action.definition.name.text)` may be running itself")
    }
    try budget.spendCall()
    let account = StepAccount(of: self)
    defer { account.charge(to: action, of: self) }
    let runner = Runner(
      self, action, depth: depth, strand: strand,
      isGuarded: isGuarded || action.isForeign)
    try ParameterBinder(runner).bind(given)
    if action.definition.input != nil, let slot = action.parameters.first?.slot {
      runner.it = runner.frame.slots[slot]
    }
    for variable in action.variables {
      guard let value = variable.value else { continue }
      runner.frame.slots[variable.slot] = try runner.value(
        of: value, as: variable.type, named: "variables")
    }
    var result: Value
    switch try runner.run(action.steps) {
    case .stop: return Outcome(value: .null, isStopped: true, dialog: nil)
    case .returned(let value):
      result = value
      runner.it = value
    case .next, .breakLoop, .continueLoop:
      result = runner.it
      if let output = action.output { result = try runner.value(of: output) }
    }
    if let returns = action.definition.returns {
      do {
        result = try converter.convert(result, to: returns, named: "returns")
      } catch let error as RunError {
        throw RunError(
          error.code,
          "\(action.definition.name.text) returns \(returns.description): \(error.message)",
          remedy: error.remedy, at: action.definition.returnsSpan)
      }
    }
    if depth == 0 { result = try ValueBounds.checked(result) }
    var said: String?
    if speaks, let full = action.full {
      let text = try runner.text(of: full)
      if !text.isEmpty {
        said = text
        try commitWrites()
        tell { [front] in front.say(text) }
      }
    }
    return Outcome(value: result, isStopped: false, dialog: said)
  }
}
