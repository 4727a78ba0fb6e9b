package import CEL
import Catalog
import Items
import POSIX
import Program
import Store
import YAML

/// Executes one call of an intent or a shortcut.
final class Runner {
  let run: Run
  let action: CompiledAction
  let frame: Frame
  /// Nesting depth of the call.
  let depth: Int
  /// The task context of the call.
  let task: TaskContext
  /// The outermost caller from elsewhere, whose permissions apply; nil for none.
  let guardian: String?
  /// Whether a caller from elsewhere exists.
  var isGuarded: Bool { guardian != nil }
  let renderer: Renderer
  /// Whether evaluation of an expression must stop.
  private(set) lazy var mustStop: () -> Bool = {
    [task, monotonic = run.host.machine.monotonic] in task.mustEnd(monotonic)
  }
  /// The place of the current steps; maintained only while steps are watched.
  var scope: StepScope

  /// Maximum nesting of calls.
  static let depthLimit = 40
  /// Maximum size of a text made by a template, in bytes; the same as for an expression.
  static let textLimit = 16 << 20
  /// Maximum number of iterations of a loop.
  static let passLimit = 1_000_000

  init(
    _ run: Run, _ action: CompiledAction, depth: Int, task: TaskContext, scope: StepScope = .root,
    guardian: String? = nil
  ) {
    self.guardian = guardian
    self.run = run
    self.scope = scope
    self.action = action
    self.depth = depth
    self.task = task
    frame = Frame(count: action.slotCount)
    var renderer = run.renderer
    renderer.form = action.definition.textForm
    self.renderer = renderer
  }

  /// The same call in a branch: sees outer values, and keeps its own changes.
  init(_ other: Runner, task: TaskContext) {
    run = other.run
    action = other.action
    depth = other.depth
    self.task = task
    guardian = other.guardian
    scope = other.scope
    frame = Frame(count: 0)
    frame.slots = other.frame.slots
    renderer = other.renderer
  }

  /// The implicit value, which a step without an argument uses.
  var it: Value {
    get { frame.slots[0] }
    set { frame.slots[0] = newValue }
  }

  /// The trigger of an automation; nil for another action.
  var trigger: Value? {
    action.parameters.first { $0.definition.isTrigger }.map { frame.slots[$0.slot] }
  }

  /// Runs a body with a timeout.
  func timed<Result>(
    _ timeout: CompiledValue?, _ name: String, mayRepeat: @autoclosure () -> Bool = true,
    _ body: () throws -> Result
  ) throws -> Result {
    guard let limit = try optional(timeout, as: .duration, named: "timeout")?.asDuration else {
      return try body()
    }
    let instant = run.host.machine.monotonic() &+ limit.length.nanoseconds
    return try task.within(instant, body) {
      RunError(.timeout, "`\(name)` timed out after \(DurationText.text(for: limit))")
        .with(\.mayRepeat, mayRepeat())
    }
  }

  /// Runs steps in order until one changes the control flow.
  func run(_ steps: [CompiledStep]) throws -> Flow {
    for step in steps {
      let flow: Flow
      do {
        flow = try run(step)
        try run.checkpoint(task)
      } catch let error as RunError {
        throw error.within(step.displayName, at: step.span)
      }
      if case .next = flow { continue }
      return flow
    }
    return .next
  }

  private func run(_ step: CompiledStep) throws -> Flow {
    if run.recorder.isWatched { return try watched(step) }
    if let condition = step.guardCondition, try !holds(condition) {
      if let binding = step.binding { frame.slots[binding] = .null }
      return .next
    }
    if depth == 0, run.front.observesSteps { run.front.step([step.displayName]) }
    if let persistence = step.persistence { return try persist(step, persistence) }
    return try perform(step)
  }

  /// Runs a step once, without its condition, retry and timeout.
  func perform(_ step: CompiledStep) throws -> Flow {
    switch step.kind {
    case .verb(let call):
      if run.recorder.isWatched, try isSkippedOnResume(step, call) { return .next }
      try run.prepare(for: call.verb.effect)
      let value =
        run.dryRun.isOn
        ? try resultInDryRun(call, step)
        : try VerbTable.rows[call.row].run(VerbArguments(runner: self, call: call), step)
      let flow = Flow(after: call.verb.exit, value)
      if case .next = flow { bind(value ?? .null, step) } else { bind(.null, step) }
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
      return try repeated(count, index, body, step: step)
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

  /// Binds the value of a step to its name.
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

  /// Calls another intent or shortcut from a step.
  ///
  /// - Parameter given: evaluates the arguments, by parameter index.
  func invoke(
    _ callee: CompiledAction, _ step: CompiledStep, speaks: Bool,
    given: () throws -> [Int: GivenValue]
  ) throws -> Value {
    let scope =
      run.recorder.isWatched
      ? StepScope(.call(callee.definition.name.text), of: step, in: scope) : scope
    return try run.invoke(
      callee, depth: depth + 1, task: task, scope: scope, speaks: speaks,
      guardian: guardian, given: given
    ).value
  }
}

/// The control flow after a step.
enum Flow {
  case next
  case breakLoop, continueLoop
  case stop
  case returned(Value)

  /// The control flow after a call of a verb.
  init(after exit: VerbSignature.Exit, _ value: Value?) {
    self =
      switch exit {
      case .next, .fails: .next
      case .breaks: .breakLoop
      case .continues: .continueLoop
      case .stops: .stop
      case .returns: .returned(value ?? .null)
      }
  }

  /// The fields for the journal, with the value of `return` under a name; empty for `next`.
  func fields(returning name: String) -> [(String, Value)] {
    switch self {
    case .next: []
    case .breakLoop: [("flow", "break")]
    case .continueLoop: [("flow", "continue")]
    case .stop: [("flow", "stop")]
    case .returned(let value): [("flow", "return"), (name, value)]
    }
  }

  /// Decodes the fields of a journal line.
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

/// An argument of a parameter.
package enum GivenValue {
  /// An evaluated value.
  case value(Value)
  /// Texts typed by a person; several for a repeated flag.
  case texts([String])
}

/// The outcome of a call of an intent or a shortcut.
package struct Outcome {
  /// The value; null when there is none.
  package let value: Value
  /// Whether it ended by `stop`, without a value.
  package let isStopped: Bool
  /// The dialog shown at the end; nil for none.
  package let dialog: String?
}

extension Runner {
  /// Whether a condition holds.
  ///
  /// - Throws: `invalid-value` when its value is not a bool.
  func holds(_ expression: CompiledExpression) throws -> Bool {
    let value = try evaluate(expression)
    try expectKnown(value, "this condition", at: expression.source.span)
    guard case .bool(let holds) = value else {
      throw RunError.notBool(value, at: expression.source.span)
    }
    return holds
  }

  /// Evaluates an expression.
  func evaluate(_ expression: CompiledExpression) throws -> Value {
    if let unknown = unknown(in: expression) { return .object(UnknownValue(of: unknown.step)) }
    var spent = 0
    let value: Value
    do throws(EvaluationError) {
      value = try expression.evaluate(frame, spent: &spent, mustStop: mustStop)
    } catch {
      if error.code == .interrupted { try task.check(run.host.machine.monotonic) }
      throw RunError(error, in: expression.source)
    }
    if spent > 0 { try run.budget.spend(spent) }
    return value
  }

  /// Runs a search in the store, which is interrupted when the branch must end.
  func searching<Result>(
    _ store: Database, in source: ExpressionSource?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try RunError.translating(in: source) {
        try store.connection.ending(when: mustStop, body)
      }
    } catch let end as Cancellation {
      // The store knows that it was interrupted, but not why.
      try task.check(run.host.machine.monotonic)
      throw end
    }
  }

  /// The value of an argument, without conversion.
  func value(of compiled: CompiledValue) throws -> Value {
    switch compiled {
    case .constant(let value): return value
    case .template(let template):
      if let lone = template.lone { return try evaluate(lone) }
      let (text, parts) = try compose(template, revealing: true)
      if let unknown = unknown(in: template) {
        return .object(UnknownValue(text, of: unknown.step))
      }
      return parts.isEmpty ? .string(text) : .object(Secret(text, parts: parts))
    case .list(let values): return .list(try values.map(value))
    case .map(let entries):
      var map = MapValue()
      for (key, entry) in entries { map[key] = try value(of: entry) }
      return .map(map)
    }
  }

  private func unknown(in template: CompiledTemplate) -> UnknownValue? {
    guard run.dryRun.hasUnknowns else { return nil }
    return template.segments.lazy.compactMap { [self] segment in
      if case .expression(let expression) = segment { self.unknown(in: expression) } else { nil }
    }.first
  }

  /// The value of an argument, converted to a type.
  func value(of compiled: CompiledValue, as type: DataType, named name: String) throws -> Value {
    try run.converter.convert(try value(of: compiled), to: type, named: name)
  }

  /// The value of an argument, converted to a type; nil when absent.
  func optional(
    _ compiled: CompiledValue?, as type: DataType, named name: String
  ) throws -> Value? {
    try compiled.map { try value(of: $0, as: type, named: name) }
  }

  /// The text of a template.
  func text(of template: CompiledTemplate) throws -> String {
    try compose(template, revealing: false).text
  }

  /// The text of a template, with its parts when it contains a secret.
  ///
  /// - Parameter revealing: whether secrets are inserted unmasked.
  private func compose(
    _ template: CompiledTemplate, revealing: Bool
  ) throws -> (text: String, secretParts: [Secret.Part]) {
    var result = ""
    var parts: [Secret.Part] = []
    // The start of the text after the last secret.
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
          result += renderer.text(of: value, in: template.language)
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
