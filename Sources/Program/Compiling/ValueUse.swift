import CEL
import Catalog
import YAML

/// Finds the loops whose values nothing comes to use (language §6, "Values").
///
/// It goes from the end of the steps to their beginning, as an analysis of live variables does,
/// with `it` as the only variable. A loop for its effects alone then runs in flat memory.
struct ValueUse {
  /// A call of an intent or a shortcut whose value nothing uses.
  private struct UnusedCall {
    let step: CompiledStep
    let isInMenu: Bool
  }

  private var unusedCalls: [UnusedCall] = []
  /// How many menus stand around a step.
  private var menuDepth = 0

  private init() {}

  /// Marks the loops among the steps of an intent or a shortcut.
  static func mark(_ action: CompiledAction) {
    var use = ValueUse()
    use.mark(action, usesResult: true)
  }

  /// The calls of intents and shortcuts whose values nothing uses; in a menu, before which a person
  /// sits, that it is the result of the whole and no step or key speaks of it is no use.
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

  /// Marks the loops of a block, and tells whether the block uses the `it` that it begins with.
  ///
  /// - Parameter isWanted: whether the `it` at the end of the block is used.
  private mutating func mark(_ steps: [CompiledStep], isWanted: Bool) -> Bool {
    steps.reversed().reduce(isWanted) { isWanted, step in mark(step, isWanted: isWanted) }
  }

  private mutating func mark(_ step: CompiledStep, isWanted: Bool) -> Bool {
    if !isWanted, step.binding == nil, step.kind.callsAction {
      unusedCalls.append(UnusedCall(step: step, isInMenu: menuDepth > 0))
    }
    let isOwn = mark(step.kind, isWanted: isWanted || step.binding != nil, outer: isWanted)
    let isKept = isOwn || step.persistence.map { reads($0) } ?? false
    // A guarded step may be skipped, and `it` stays what it was.
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
      // Handlers and `finally` begin with the `it` that the block began with.
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

  // MARK: Uses of `it`, which is slot 0

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
  /// Whether it runs an intent or a shortcut.
  fileprivate var callsAction: Bool {
    switch self {
    case .action: true
    case .verb(let call): call.verb.calls
    default: false
    }
  }
}

extension CompilationContext {
  /// The names to which any of the steps, or one below them, gives values, with the values.
  func assignments(in steps: [Step]) -> [Mapping.Entry] {
    steps.flatMap { step -> [Mapping.Entry] in
      guard case .call(let call) = step.kind else { return step.kind.blocks.flatMap(assignments) }
      return verbs.signature(named: call.name.text)?.form == .assignment
        ? call.value?.mapping?.entries ?? [] : []
    }
  }

  /// The names to which any of the steps gives values.
  func assignedNames(in steps: [Step]) -> Set<String> {
    Set(assignments(in: steps).map(\.key.text))
  }

  /// Whether one of the steps may end the action without a value.
  func mayStop(_ steps: [Step]) -> Bool {
    steps.contains { step in
      guard case .call(let call) = step.kind else {
        return step.kind.blocks.contains(where: mayStop)
      }
      return verbs.signature(named: call.name.text)?.exit == .stops
    }
  }
}

extension Step.Kind {
  /// The lists of steps within a block, in the order in which they are written.
  fileprivate var blocks: [[Step]] {
    switch self {
    case .call: []
    case .conditional(let branches, let otherwise): branches.map(\.body) + [otherwise]
    case .forEach(let loop): [loop.body]
    case .repeatCount(_, _, let body), .whileLoop(_, let body), .atomic(let body): [body]
    case .menu(_, let options): options.map(\.body)
    case .attempt(let block): [block.body] + block.handlers.map(\.body) + [block.finally]
    case .parallel(let block): block.branches.map(\.body)
    }
  }
}

extension CompiledStep.Kind {
  /// Whether no step after it is reached.
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
  /// Whether it may end the loop around it.
  fileprivate var mayBreak: Bool {
    switch kind {
    case .verb(let call): call.verb.exit == .breaks
    case .forEach, .repeatCount, .whileLoop: false
    default: kind.blocks.contains { $0.contains(where: \.mayBreak) }
    }
  }
}

extension [CompiledStep] {
  /// Whether their end is never reached.
  var leave: Bool { contains { $0.guardCondition == nil && $0.kind.leaves } }
}
