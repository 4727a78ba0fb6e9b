import CEL
import Catalog
import Program

/// Runs the steps of one call of an intent or a shortcut.
final class Runner {
  let run: Run
  let action: CompiledAction
  let frame: Frame
  /// How many calls stand around this one.
  let depth: Int
  /// The line of steps that this call belongs to.
  let strand: Strand
  /// Whether a definition from elsewhere stands somewhere above, so that a person decides what may
  /// be touched.
  let isGuarded: Bool
  let renderer: Renderer

  /// The deepest nesting of calls; a shortcut that runs itself ends here.
  static let depthLimit = 40
  /// The most bytes of a text that a template makes, as many as one expression may make.
  static let textLimit = 16 << 20
  /// The most passes of one loop; a loop that never ends, ends here.
  static let passLimit = 1_000_000

  init(
    _ run: Run, _ action: CompiledAction, depth: Int, strand: Strand, isGuarded: Bool = false
  ) {
    self.isGuarded = isGuarded
    self.run = run
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
    isGuarded = other.isGuarded
    frame = Frame(count: 0)
    frame.slots = other.frame.slots
    renderer = other.renderer
  }

  /// The value that a step without a name works on.
  var it: Value {
    get { frame.slots[0] }
    set { frame.slots[0] = newValue }
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
      try run.prepare(for: call.verb.effect)
      let (flow, value) = try call.verb.body(self, call, step)
      bind(value ?? .null, step)
      if call.verb.setsIt, let value { it = value }
      return flow
    case .action(let call):
      let value = try run(call)
      it = value
      bind(value, step)
      return .next
    case .conditional(let branches, let otherwise):
      return try conditional(branches, otherwise, step)
    case .forEach(let loop): return try forEach(loop, step)
    case .repeatCount(let count, let body): return try repeated(count, body, step)
    case .whileLoop(let condition, let body):
      return try loop(body, step) { _ in
        try self.holds(condition) ? .some(self.it) : nil
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

  private func run(_ call: CompiledStep.ActionCall) throws -> Value {
    let callee = try run.workspace.action(call.name)
    var given: [Int: GivenValue] = [:]
    for argument in call.arguments {
      given[argument.parameter] = .value(try value(of: argument.value))
    }
    return try run.invoke(
      callee, given, depth: depth + 1, strand: strand, speaks: call.speaks,
      isGuarded: isGuarded
    )
    .value
  }
}
