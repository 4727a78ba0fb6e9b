import CEL
import Catalog
import YAML

/// Finds loops whose values are never used (language §6, "Values"), which then run in constant
/// memory.
///
/// A live-variable analysis with `it` as the only variable: it walks the steps from last to first.
struct ValueUse {
  /// A call of an action whose value is never used.
  private struct UnusedCall {
    let step: CompiledStep
    let isInMenu: Bool
  }

  private var unusedCalls: [UnusedCall] = []
  /// Nesting depth of menus.
  private var menuDepth = 0

  private init() {}

  /// Marks the loops of an action.
  static func mark(_ action: CompiledAction) {
    var use = ValueUse()
    use.mark(action, usesResult: true)
  }

  /// Calls of actions whose values are never used. In a menu, which is interactive, being the
  /// result of the whole action does not count as a use.
  static func unusedCalls(of action: CompiledAction) -> [CompiledStep] {
    var use = ValueUse()
    if action.output == nil, action.definition.returns == nil {
      use.mark(action, usesResult: false)
      use.unusedCalls.removeAll { !$0.isInMenu }
    }
    let inMenus = Set(use.unusedCalls.map(\.step.index))
    use.mark(action, usesResult: true)
    return use.unusedCalls.map(\.step).enumerated()
      .filter { $0.offset < inMenus.count || !inMenus.contains($0.element.index) }.map(\.element)
  }

  private mutating func mark(_ action: CompiledAction, usesResult: Bool) {
    let isResult = action.output.map { reads($0) } ?? usesResult
    let isSaid = [action.full, action.short].contains { template in
      template.map { reads($0) || !usesResult && reads($0, slot: action.outputSlot) } ?? false
    }
    let isShown = action.snippet.map { reads($0) } ?? false
    _ = mark(action.steps, isWanted: isResult || isSaid || isShown)
  }

  /// Marks the loops of a block; returns whether the block uses the `it` from before it.
  ///
  /// - Parameter isWanted: whether `it` is used after the block.
  private mutating func mark(_ steps: [CompiledStep], isWanted: Bool) -> Bool {
    steps.reversed().reduce(isWanted) { isWanted, step in mark(step, isWanted: isWanted) }
  }

  private mutating func mark(_ step: CompiledStep, isWanted: Bool) -> Bool {
    if !isWanted, step.binding == nil, step.kind.callsAction {
      unusedCalls.append(UnusedCall(step: step, isInMenu: menuDepth > 0))
    }
    let isOwn = mark(step.kind, isWanted: isWanted || step.binding != nil, outer: isWanted)
    let isKept = isOwn || step.persistence.map { reads($0) } ?? false
    // A guarded step may be skipped, which leaves `it` unchanged.
    guard let condition = step.guardCondition else { return isKept }
    return isKept || isWanted || reads(condition)
  }

  /// - Parameters:
  ///   - isWanted: whether the value of the block is used, as `it` or by name.
  ///   - outer: whether `it` is used after the step.
  private mutating func mark(_ kind: CompiledStep.Kind, isWanted: Bool, outer: Bool) -> Bool {
    switch kind {
    case .verb(let call):
      if call.arguments.contains(where: { $0.map { reads($0) } ?? false }) { return true }
      if call.verb.exit == .returns { return call.arguments.allSatisfy { $0 == nil } }
      return !call.verb.setsIt && call.verb.exit == .next && outer
    case .action(let call): return call.arguments.contains { reads($0.value) }
    case .conditional(let branches, let otherwise):
      var isUsed = otherwise.map { mark($0, isWanted: isWanted) } ?? outer
      for branch in branches {
        isUsed = mark(branch.body, isWanted: isWanted) || reads(branch.condition) || isUsed
      }
      return isUsed
    case .forEach(let loop):
      let keeps = isWanted || loop.parallel?.settles == true
      loop.body.keepsValues = keeps
      _ = mark(loop.body.steps, isWanted: keeps)
      return reads(loop.list) || loop.parallel.map { reads($0) } ?? false
    case .repeatCount(let count, _, let body):
      body.keepsValues = isWanted
      return mark(body.steps, isWanted: isWanted) || reads(count)
    case .whileLoop(let condition, let body):
      body.keepsValues = isWanted
      return mark(body.steps, isWanted: isWanted) || reads(condition)
    case .menu(let menu):
      var isUsed = menu.prompt.map { reads($0) } ?? false
      menuDepth += 1
      defer { menuDepth -= 1 }
      for option in menu.options {
        isUsed = mark(option.body, isWanted: isWanted) || reads(option.label) || isUsed
      }
      return isUsed
    case .attempt(let attempt):
      // Handlers and `finally` start with the `it` from before the block.
      var isUsed = mark(attempt.finally, isWanted: false)
      for handler in attempt.handlers {
        let isRead = handler.condition.map { reads($0) } ?? false
        isUsed = mark(handler.body, isWanted: isWanted) || isRead || isUsed
      }
      return mark(attempt.body, isWanted: isWanted) || isUsed
    case .parallel(let parallel):
      var isUsed = parallel.limit.map { reads($0) } ?? false
      for branch in parallel.branches { isUsed = mark(branch.body, isWanted: true) || isUsed }
      return isUsed
    case .atomic(let body): return mark(body, isWanted: isWanted)
    }
  }

  // MARK: Uses of `it` (slot 0)

  private func reads(_ expression: CompiledExpression, slot: Int = 0) -> Bool {
    expression.slots.contains(slot)
  }

  private func reads(_ template: CompiledTemplate, slot: Int = 0) -> Bool {
    template.segments.contains { segment in
      if case .expression(let expression) = segment { reads(expression, slot: slot) } else { false }
    }
  }

  private func reads(_ value: CompiledValue) -> Bool {
    switch value {
    case .constant: false
    case .template(let template): reads(template)
    case .list(let values): values.contains { reads($0) }
    case .map(let entries): entries.contains { reads($0.1) }
    }
  }

  private func reads(_ persistence: CompiledStep.Persistence) -> Bool {
    let retry = persistence.retry
    return [
      persistence.timeout, retry?.times, retry?.delay, retry?.backoff, retry?.max, retry?.jitter,
    ].contains { $0.map { reads($0) } ?? false }
  }

  private func reads(_ passes: CompiledStep.ParallelPasses) -> Bool {
    reads(passes.limit) || passes.pace.map { reads($0) } ?? false
      || passes.key.map { reads($0) } ?? false
  }

  private func reads(_ argument: CompiledArgument) -> Bool {
    switch argument {
    case .value(let value, _, _): reads(value)
    case .filter(let expression, _): reads(expression)
    case .itemTemplate(let template, _), .dynamicName(let template, _): reads(template)
    case .fields(let fields): fields.contains { reads($0.value) }
    case .fieldMap(let value, _): reads(value)
    case .name, .type, .sort, .literal: false
    }
  }
}

extension CompiledStep.Kind {
  /// Whether it calls an action.
  fileprivate var callsAction: Bool {
    switch self {
    case .action: true
    case .verb(let call): call.verb.calls
    default: false
    }
  }
}

extension CompilationContext {
  /// The names assigned by steps or any steps below them, with the values.
  func assignments(in steps: [Step]) -> [Mapping.Entry] {
    steps.flatMap { step -> [Mapping.Entry] in
      guard case .call(let call) = step.kind else { return step.blocks.flatMap(assignments) }
      return verbs.signature(named: call.name.text)?.form == .assignment
        ? call.value?.mapping?.entries ?? [] : []
    }
  }

  /// The names assigned by steps.
  func assignedNames(in steps: [Step]) -> Set<String> {
    Set(assignments(in: steps).map(\.key.text))
  }

  /// Whether a step may end the action without a value.
  func mayStop(_ steps: [Step]) -> Bool {
    steps.contains { step in
      guard case .call(let call) = step.kind else { return step.blocks.contains(where: mayStop) }
      return verbs.signature(named: call.name.text)?.exit == .stops
    }
  }
}

extension CompiledStep.Kind {
  /// Whether the steps after it are unreachable.
  var leaves: Bool {
    switch self {
    case .verb(let call): call.verb.exit != .next
    case .conditional(let branches, let otherwise):
      branches.allSatisfy { $0.body.leave } && otherwise?.leave == true
    case .attempt(let block): block.body.leave && block.handlers.allSatisfy { $0.body.leave }
    case .atomic(let body): body.leave
    case .whileLoop(let condition, let body):
      condition.program.constant == .bool(true) && !body.steps.contains(where: \.mayBreak)
    default: false
    }
  }
}

extension CompiledStep {
  /// Whether it may end the enclosing loop.
  fileprivate var mayBreak: Bool {
    switch kind {
    case .verb(let call): call.verb.exit == .breaks
    case .forEach, .repeatCount, .whileLoop: false
    default: kind.blocks.contains { $0.contains(where: \.mayBreak) }
    }
  }
}

extension [CompiledStep] {
  /// Whether their end is unreachable.
  var leave: Bool { contains { $0.guardCondition == nil && $0.kind.leaves } }
}
