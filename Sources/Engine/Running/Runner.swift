package import CEL
import Catalog
import Items
import Program
import Store
import YAML

/// Runs the steps of one call of an intent or a shortcut.
final class Runner {
  let run: Run
  let action: CompiledAction
  let frame: Frame
  /// How many calls stand around this one.
  let depth: Int
  /// The line of steps that this call belongs to.
  let strand: Strand
  /// The definition from elsewhere that stands above, so that a person decides what may be touched;
  /// nil for none.
  let guardian: String?
  /// Whether a definition from elsewhere stands somewhere above.
  var isGuarded: Bool { guardian != nil }
  let renderer: Renderer
  /// Tells an evaluation whether it is to end.
  private(set) lazy var mustStop: () -> Bool = {
    [strand, monotonic = run.host.machine.monotonic] in strand.mustEnd(monotonic)
  }
  /// What stands around its steps; kept up to date while somebody hears of steps.
  var scope: StepScope

  /// The deepest nesting of calls; a shortcut that runs itself ends here.
  static let depthLimit = 40
  /// The most bytes of a text that a template makes, as many as one expression may make.
  static let textLimit = 16 << 20
  /// The most passes of one loop; a loop that never ends, ends here.
  static let passLimit = 1_000_000

  init(
    _ run: Run, _ action: CompiledAction, depth: Int, strand: Strand, scope: StepScope = .root,
    guardian: String? = nil
  ) {
    self.guardian = guardian
    self.run = run
    self.scope = scope
    self.action = action
    self.depth = depth
    self.strand = strand
    frame = Frame(count: action.slotCount)
    renderer = run.renderer
  }

  /// The same call in a branch of its own: it sees the names around it, and keeps its own values.
  init(_ other: Runner, strand: Strand) {
    run = other.run
    action = other.action
    depth = other.depth
    self.strand = strand
    guardian = other.guardian
    scope = other.scope
    frame = Frame(count: 0)
    frame.slots = other.frame.slots
    renderer = other.renderer
  }

  /// The value that a step without a name works on.
  var it: Value {
    get { frame.slots[0] }
    set { frame.slots[0] = newValue }
  }

  /// Runs all steps of a call within the time that its definition gives it.
  func steps(within timeout: CompiledValue?) throws -> Flow {
    guard let timeout,
      case .duration(let limit) = try value(of: timeout, as: .duration, named: "timeout")
    else { return try run(action.steps) }
    let name = action.definition.name.text
    return try strand.within(run.host.machine.monotonic() &+ limit.clampedNanoseconds) {
      try run(action.steps)
    } expired: {
      RunError(.timeout, "`\(name)` was not done after \(DurationText.text(for: limit))")
    }
  }

  /// Runs steps one after the other, until one of them goes on elsewhere.
  func run(_ steps: [CompiledStep]) throws -> Flow {
    for step in steps {
      let flow: Flow
      do {
        flow = try run(step)
        try run.checkpoint(strand)
      } catch let error as RunError {
        throw error.within(step.displayName, at: step.span)
      }
      if case .next = flow { continue }
      return flow
    }
    return .next
  }

  private func run(_ step: CompiledStep) throws -> Flow {
    if run.isWatched { return try watched(step) }
    if let condition = step.guardCondition, try !holds(condition) {
      if let binding = step.binding { frame.slots[binding] = .null }
      return .next
    }
    if depth == 0, run.front.observesSteps { run.front.step([step.displayName]) }
    if let persistence = step.persistence { return try persist(step, persistence) }
    return try perform(step)
  }

  /// Does once what a step says.
  func perform(_ step: CompiledStep) throws -> Flow {
    switch step.kind {
    case .verb(let call):
      if run.isWatched, try isSkippedOnResume(step, call) { return .next }
      try run.prepare(for: call.verb.effect)
      let (flow, value) = try VerbTable.rows[call.row].perform(VerbArguments(self, call), step)
      bind(value ?? .null, step)
      if call.verb.setsIt, let value { it = value }
      return flow
    case .action(let call):
      let value = try run(call, step)
      it = value
      bind(value, step)
      return .next
    case .conditional(let branches, let otherwise):
      return try conditional(branches, otherwise, step)
    case .forEach(let loop): return try forEach(loop, step)
    case .repeatCount(let count, let index, let body):
      return try repeated(count, index, body, step)
    case .whileLoop(let condition, let body):
      return try loop(body, step) { pass in
        let goesOn = try self.decided("pass\(pass)", step) { .bool(try self.holds(condition)) }
        return goesOn == .bool(true) ? .some(self.it) : nil
      }
    case .menu(let menu): return try run(menu, step)
    case .attempt(let block): return try attempt(block, step)
    case .parallel(let block): return try parallel(block, step)
    case .atomic(let body): return try atomic(body, step)
    }
  }

  /// Names the value of a step.
  func bind(_ value: Value, _ step: CompiledStep) {
    if let binding = step.binding { frame.slots[binding] = value }
  }

  private func run(_ call: CompiledStep.ActionCall, _ step: CompiledStep) throws -> Value {
    let callee = try run.workspace.action(call.name)
    return try invoke(callee, step, speaks: call.speaks) {
      var given: [Int: GivenValue] = [:]
      for argument in call.arguments {
        given[argument.parameter] = .value(try value(of: argument.value))
      }
      return given
    }
  }

  /// Runs what a step calls.
  ///
  /// - Parameter given: finds the values of its parameters by their positions.
  func invoke(
    _ callee: CompiledAction, _ step: CompiledStep, speaks: Bool,
    given: () throws -> [Int: GivenValue]
  ) throws -> Value {
    let scope =
      run.isWatched
      ? StepScope(.call(callee.definition.name.text), of: step, in: scope) : scope
    return try run.invoke(
      callee, depth: depth + 1, strand: strand, scope: scope, speaks: speaks,
      guardian: guardian, given: given
    ).value
  }
}

/// How the steps of a block go on after one of them.
enum Flow {
  case next
  case breakLoop, continueLoop
  case stop
  case returned(Value)

  /// It as the journal has it, with the value of a `return` under a name; nothing for the next step.
  func fields(returning name: String) -> [(String, Value)] {
    switch self {
    case .next: []
    case .breakLoop: [("flow", "break")]
    case .continueLoop: [("flow", "continue")]
    case .stop: [("flow", "stop")]
    case .returned(let value): [("flow", "return"), (name, value)]
    }
  }

  /// What a journal has of it.
  init(_ map: MapValue, returning name: String) {
    self =
      switch map["flow"] {
      case .string("break"): .breakLoop
      case .string("continue"): .continueLoop
      case .string("stop"): .stop
      case .string("return"): .returned(map[.string(name)] ?? .null)
      default: .next
      }
  }
}

/// A value that a parameter is given.
package enum GivenValue {
  /// A value of a run.
  case value(Value)
  /// Text that a person typed, once or several times.
  case texts([String])
}

/// What a call of an intent or a shortcut came to.
package struct Outcome {
  /// The value; null when there is none.
  package let value: Value
  /// Whether it ended by `stop`, without a value.
  package let isStopped: Bool
  /// What was said when it was done; nil when nothing was.
  package let dialog: String?
}

extension Runner {
  /// Whether an expression holds.
  ///
  /// - Throws: `invalid-value` when its value is not a bool.
  func holds(_ expression: CompiledExpression) throws -> Bool {
    let value = try evaluate(expression)
    guard case .bool(let holds) = value else {
      throw RunError(
        .invalidValue, "this condition gives \(value.typeName), and true or false is wanted",
        at: expression.source.span)
    }
    return holds
  }

  /// The value of an expression.
  func evaluate(_ expression: CompiledExpression) throws -> Value {
    var spent = 0
    let value: Value
    do throws(EvaluationError) {
      value = try expression.evaluate(frame, spent: &spent, mustStop: mustStop)
    } catch {
      if error.code == .interrupted { try strand.check(run.host.machine.monotonic) }
      throw RunError(error, in: expression.source)
    }
    if spent > 0 { try run.budget.spend(spent) }
    return value
  }

  /// Runs a search of a store, which ends when the line of steps must end.
  func searching<Result>(
    _ store: EntityStore, in source: ExpressionSource?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try RunError.translating(in: source) {
        try store.database.connection.ending(when: mustStop, body)
      }
    } catch let end as Cancellation {
      // The store knows that it was ended, and not by whom.
      try strand.check(run.host.machine.monotonic)
      throw end
    }
  }

  /// The value of an argument, its strings and items as they are.
  func value(of compiled: CompiledValue) throws -> Value {
    switch compiled {
    case .constant(let value): return value
    case .template(let template):
      if let lone = template.lone { return try evaluate(lone) }
      let (text, parts) = try compose(template, revealing: true)
      return parts.isEmpty ? .string(text) : .object(Secret(text, parts: parts))
    case .list(let values): return .list(try values.map(value))
    case .map(let entries):
      var map = MapValue()
      for (key, entry) in entries { map[key] = try value(of: entry) }
      return .map(map)
    }
  }

  /// The value of an argument as a type wants it.
  func value(of compiled: CompiledValue, as type: DataType, named name: String) throws -> Value {
    try run.converter.convert(try value(of: compiled), to: type, named: name)
  }

  /// The text of a template.
  func text(of template: CompiledTemplate) throws -> String {
    try compose(template, revealing: false).text
  }

  /// The text of a template, and its parts when a secret is in it.
  ///
  /// - Parameter revealing: whether a secret stands in it as it is.
  private func compose(
    _ template: CompiledTemplate, revealing: Bool
  ) throws -> (text: String, secretParts: [Secret.Part]) {
    var result = ""
    var parts: [Secret.Part] = []
    // Where what follows the last secret begins.
    var plainStart = result.startIndex
    func takePlain() {
      if plainStart < result.endIndex { parts.append(.plain(String(result[plainStart...]))) }
    }
    for segment in template.segments {
      switch segment {
      case .text(let text): result += text
      case .expression(let expression):
        let value = try ValueBounds.checked(evaluate(expression))
        if revealing, let secret = value.secret {
          takePlain()
          parts += secret.parts
          result += secret.text
          plainStart = result.endIndex
        } else {
          result += renderer.text(of: value)
        }
      }
      if result.utf8.count > Self.textLimit {
        throw RunError(
          .invalidValue, "the text has more than \(Self.textLimit >> 20) MiB",
          at: template.segments.lazy.compactMap { segment in
            if case .expression(let expression) = segment { expression.source.span } else { nil }
          }.first)
      }
    }
    try run.budget.made(bytes: result.utf8.count)
    if !parts.isEmpty { takePlain() }
    return (result, parts)
  }
}
