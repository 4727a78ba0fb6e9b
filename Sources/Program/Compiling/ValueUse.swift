import CEL
import Catalog
import YAML

/// Finds the loops whose values nothing comes to use (language §6, "Values").
///
/// It goes from the end of the steps to their beginning, as an analysis of live variables does,
/// with `it` as the only variable. A loop for its effects alone then runs in flat memory.
struct ValueUse {
  /// Marks the loops among the steps of an intent or a shortcut.
  static func mark(_ action: CompiledAction) {
    let isResult = action.output.map { reads($0) } ?? true
    let isSaid = [action.full, action.short].contains { $0.map { reads($0) } ?? false }
    let isShown = action.snippet.map { reads($0) } ?? false
    _ = mark(action.steps, isWanted: isResult || isSaid || isShown)
  }

  /// Marks the loops of a block, and tells whether the block uses the `it` that it begins with.
  ///
  /// - Parameter isWanted: whether the `it` at the end of the block is used.
  private static func mark(_ steps: [CompiledStep], isWanted: Bool) -> Bool {
    steps.reversed().reduce(isWanted) { isWanted, step in mark(step, isWanted: isWanted) }
  }

  private static func mark(_ step: CompiledStep, isWanted: Bool) -> Bool {
    let isOwn = mark(step.kind, isWanted: isWanted || step.binding != nil, outer: isWanted)
    let isKept = isOwn || step.persistence.map { reads($0) } ?? false
    // A guarded step may be skipped, and `it` stays what it was.
    guard let condition = step.guardCondition else { return isKept }
    return isKept || isWanted || reads(condition)
  }

  /// - Parameters:
  ///   - isWanted: whether the value of the block is used, as `it` or by name.
  ///   - outer: whether `it` is used after the step.
  private static func mark(_ kind: CompiledStep.Kind, isWanted: Bool, outer: Bool) -> Bool {
    switch kind {
    case .verb(let call):
      if call.arguments.contains(where: { $0.map { reads($0) } ?? false }) { return true }
      if call.verb.usesIt { return call.arguments.allSatisfy { $0 == nil } }
      return !call.verb.setsIt && !call.verb.endsBlock && outer
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

  private static func reads(_ expression: CompiledExpression) -> Bool {
    expression.slots.contains(0)
  }

  private static func reads(_ template: CompiledTemplate) -> Bool {
    template.segments.contains { segment in
      if case .expression(let expression) = segment { reads(expression) } else { false }
    }
  }

  private static func reads(_ value: CompiledValue) -> Bool {
    switch value {
    case .constant: false
    case .template(let template): reads(template)
    case .list(let values): values.contains { reads($0) }
    case .map(let entries): entries.contains { reads($0.1) }
    }
  }

  private static func reads(_ persistence: CompiledStep.Persistence) -> Bool {
    let retry = persistence.retry
    return [
      persistence.timeout, retry?.times, retry?.delay, retry?.backoff, retry?.max, retry?.jitter,
    ].contains { $0.map { reads($0) } ?? false }
  }

  private static func reads(_ passes: CompiledStep.ParallelPasses) -> Bool {
    reads(passes.limit) || passes.pace.map { reads($0) } ?? false
      || passes.key.map { reads($0) } ?? false
  }

  private static func reads(_ argument: CompiledArgument) -> Bool {
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
