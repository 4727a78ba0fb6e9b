import CEL
import Catalog
import Source
import Store

/// Runs the steps of one call of an intent or a shortcut.
final class Runner {
  /// How a list of steps ended.
  enum Flow {
    case next
    case breakLoop, continueLoop
    case stop
    case returned(Value)
  }

  let session: Session
  let action: CompiledAction
  let frame: Frame
  /// How many calls stand around this one.
  let depth: Int
  let renderer: Renderer

  /// The deepest nesting of calls; a shortcut that runs itself ends here.
  static let depthLimit = 40
  /// The most bytes of a text that a template makes, as many as one expression may make.
  static let textLimit = 16 << 20
  /// The most passes of one loop; a loop that never ends, ends here.
  static let passLimit = 1_000_000

  init(_ session: Session, _ action: CompiledAction, depth: Int) {
    self.session = session
    self.action = action
    self.depth = depth
    frame = Frame(count: action.slotCount)
    renderer = Renderer(session)
  }

  /// The value that a step without a name works on.
  var it: Value {
    get { frame.slots[0] }
    set { frame.slots[0] = newValue }
  }

  // MARK: Steps

  func run(_ steps: [CompiledStep]) throws -> Flow {
    for step in steps {
      let flow: Flow
      do {
        flow = try run(step)
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
    if depth == 0, session.front.observesSteps { session.front.step([step.displayName]) }
    switch step.kind {
    case .verb(let call):
      let (flow, value) = try run(call, step)
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
    case .repeatCount(let count, let body):
      guard case .int(let passes) = try value(of: count, as: .int, named: "repeat") else {
        return .next
      }
      return try loop(step) { pass in
        pass < passes ? .some(self.it) : nil
      } body: {
        body
      }
    case .whileLoop(let condition, let body):
      return try loop(step) { _ in
        try self.holds(condition) ? .some(self.it) : nil
      } body: {
        body
      }
    case .menu(let menu): return try run(menu, step)
    }
  }

  private func bind(_ value: Value, _ step: CompiledStep) {
    if let binding = step.binding { frame.slots[binding] = value }
  }

  // MARK: Blocks

  private func conditional(
    _ branches: [CompiledStep.Branch], _ otherwise: [CompiledStep]?, _ step: CompiledStep
  ) throws -> Flow {
    var body = otherwise
    for branch in branches where try holds(branch.condition) {
      body = branch.body
      break
    }
    guard let body else {
      // No branch was taken: the value is null, and `it` stays what it was.
      bind(.null, step)
      return .next
    }
    let flow = try run(body)
    bind(it, step)
    return flow
  }

  private func run(_ menu: CompiledStep.Menu, _ step: CompiledStep) throws -> Flow {
    let prompt = try menu.prompt.map(text) ?? "What next?"
    let choices = try menu.options.map { Question.Choice(title: try text(of: $0.label)) }
    let keys = [step.bindingName, step.label].compactMap { $0 }
    let chosen = try Asker(session).choose(choices, prompt: prompt, keys: keys, many: false)
    guard let index = chosen.first else { return .next }
    let flow = try run(menu.options[index].body)
    bind(it, step)
    return flow
  }

  private func forEach(_ forEach: CompiledStep.ForEach, _ step: CompiledStep) throws -> Flow {
    let list = try value(of: forEach.list)
    let elements: [Value]
    switch list {
    case .list(let values): elements = values
    case .null: elements = []
    case .map(let map):
      elements = map.entries.map { .map(MapValue([("key", $0.key), ("value", $0.value)])) }
    default:
      throw RunError(
        .invalidValue, "`for` goes through a list, and this is \(list.typeName)")
    }
    return try loop(step) { pass in
      guard pass < elements.count else { return nil }
      self.frame.slots[forEach.variable] = elements[pass]
      if let index = forEach.index { self.frame.slots[index] = .int(Int64(pass)) }
      return elements[pass]
    } body: {
      forEach.body
    }
  }

  /// Runs a body while `next` gives what `it` is at the beginning of the pass.
  private func loop(
    _ step: CompiledStep, next: (Int) throws -> Value?, body: () -> [CompiledStep]
  ) throws -> Flow {
    let outer = it
    var values: [Value] = []
    var pass = 0
    let body = body()
    passes: while let begin = try next(pass) {
      guard pass < Self.passLimit else {
        throw RunError(
          .failed, "the loop did not end after \(Self.passLimit) passes",
          help: "end it with `break`, or mend its condition")
      }
      pass += 1
      it = begin
      switch try run(body) {
      case .next: values.append(it)
      case .continueLoop: break
      case .breakLoop: break passes
      case .stop: return .stop
      case .returned(let value): return .returned(value)
      }
      // In a body `it` begins as it was before the loop, or as the item.
      it = outer
    }
    it = .list(values)
    bind(it, step)
    return .next
  }

  // MARK: Calls

  private func run(_ call: CompiledStep.ActionCall, _ step: CompiledStep) throws -> Value {
    let callee = try session.action(call.name)
    var given: [Int: GivenValue] = [:]
    for argument in call.arguments {
      given[argument.parameter] = .value(try value(of: argument.value))
    }
    return try session.invoke(callee, given, depth: depth + 1, speaks: call.speaks).value
  }

  // MARK: Values

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

  func evaluate(_ expression: CompiledExpression) throws -> Value {
    do throws(EvaluationError) {
      return try expression.evaluate(frame)
    } catch {
      throw RunError(error, in: expression.source)
    }
  }

  /// The value of an argument, its strings and items as they are.
  func value(of compiled: CompiledValue) throws -> Value {
    switch compiled {
    case .constant(let value): return value
    case .template(let template):
      if let lone = template.lone { return try evaluate(lone) }
      return .string(try text(of: template))
    case .list(let values): return .list(try values.map(value))
    case .map(let entries):
      var map = MapValue()
      for (key, entry) in entries { map[key] = try value(of: entry) }
      return .map(map)
    }
  }

  /// The value of an argument as a type wants it.
  func value(of compiled: CompiledValue, as type: DataType, named name: String) throws -> Value {
    try Converter(session).convert(try value(of: compiled), to: type, named: name)
  }

  func text(of template: CompiledTemplate) throws -> String {
    var result = ""
    for segment in template.segments {
      switch segment {
      case .text(let text): result += text
      case .expression(let expression):
        result += renderer.text(of: try ValueBounds.checked(evaluate(expression)))
      }
      if result.utf8.count > Self.textLimit {
        throw RunError(
          .invalidValue, "the text has more than \(Self.textLimit >> 20) MiB",
          at: template.segments.lazy.compactMap { segment in
            if case .expression(let expression) = segment { expression.source.span } else { nil }
          }.first)
      }
    }
    return result
  }
}

extension RunError {
  /// An evaluation that failed, at its place in the document.
  init(_ error: EvaluationError, in source: ExpressionSource?) {
    let code: Code = error.code == .failed ? .failed : .invalidValue
    let range = error.focus ?? error.range
    self.init(
      code, error.message, at: source.map { source in range.map(source.span) ?? source.span })
  }
}
