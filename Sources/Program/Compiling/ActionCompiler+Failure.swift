import CEL
import Catalog
import Items
import Source
import YAML

/// Compilation of failure handling and concurrency.
extension ActionCompiler {
  /// Compiles `timeout` and `retry`.
  mutating func persistence(of step: Step) -> CompiledStep.Persistence? {
    guard step.timeout != nil || step.retry != nil else { return nil }
    let timeout = step.timeout.flatMap { length($0, "timeout", isPositive: true) }
    let retry = step.retry.flatMap { retry -> CompiledStep.Retry? in
      refuseInAtomic("retry", .retries, at: retry.span)
      if refuseWord(retry.times, for: "retry", "the number of retries", example: "3") {
        return nil
      }
      let times = compile(retry.times, as: .int, takesExpression: true)
      if let times { expect(times, in: 0...Double.infinity, named: "times", at: retry.times.span) }
      return times.map { times in
        CompiledStep.Retry(
          times: times, delay: retry.delay.flatMap { length($0, "delay") },
          backoff: retry.backoff.flatMap { number($0, "backoff", 0...Double.infinity) },
          max: retry.max.flatMap { length($0, "max") },
          jitter: retry.jitter.flatMap { number($0, "jitter", 0...1) },
          codes: retry.codes?.map(\.text))
      }
    }
    return CompiledStep.Persistence(timeout: timeout, retry: retry)
  }

  /// Compiles `try` with its handlers.
  mutating func compile(_ attempt: Step.Attempt, _ id: StepID) -> CompiledStep.Kind? {
    // A failure may come anywhere in the body, so facts about assigned variables are void
    // afterwards.
    let before = scopes.flowFacts
    let assigned = context.assignedNames(in: attempt.body)
    let body = block(attempt.body, in: id.named("try"))
    var ends = body.leave ? [] : [scopes.flowFacts]
    var outside = before
    for name in assigned { outside.forget(name) }
    outside.emptied.formUnion(assigned.intersection(scopes.flowFacts.emptied))
    doubtHandlers(attempt.handlers)
    var handlers: [CompiledStep.Handler] = []
    for (position, handler) in attempt.handlers.enumerated() {
      scopes.flowFacts = outside
      scopes.enterBlock()
      let slot = scopes.declare(
        handler.name?.text ?? "error", .result, type: .record(KnownRecord.error))
      let condition = handler.condition.map { expressions.compile(condition: $0, scopes) }
      let steps = compile(handler.body, in: id.named("catch").at(position))
      scopes.leaveBlock()
      if !steps.leave { ends.append(scopes.flowFacts) }
      if case .some(nil) = condition { continue }
      handlers.append(
        CompiledStep.Handler(
          codes: handler.codes?.map(\.text), condition: condition ?? nil, slot: slot, body: steps))
    }
    scopes.flowFacts = outside
    scopes.enterBlock()
    let errorSlot = scopes.declare("error", .parameter, type: .optional(.record(KnownRecord.error)))
    finallyDepth += 1
    let loops = loopDepth
    loopDepth = 0
    let finally = compile(attempt.finally, in: id.named("finally"))
    loopDepth = loops
    finallyDepth -= 1
    scopes.leaveBlock()
    blockType = joined(ends.map(\.itType))
    scopes.flowFacts = FlowFacts.joined(ends) ?? outside
    for name in context.assignedNames(in: attempt.finally) { scopes.flowFacts.forget(name) }
    return .attempt(
      CompiledStep.Attempt(body: body, handlers: handlers, finally: finally, errorSlot: errorSlot))
  }

  /// Compiles the block `parallel`.
  mutating func compile(_ parallel: Step.Parallel, _ id: StepID) -> CompiledStep.Kind? {
    if let first = parallel.branches.first {
      refuseInAtomic("parallel", .isParallel, at: first.name.span)
    }
    let limit = parallel.limit.flatMap {
      branchCount($0, "limit")
    }
    var branches: [(name: String, body: [CompiledStep])] = []
    let loops = loopDepth
    loopDepth = 0
    let before = scopes.flowFacts
    var fields: [RecordType.Field] = []
    for branch in parallel.branches {
      scopes.flowFacts = before
      scopes.enterBlock(isBranch: true)
      let body = compile(branch.body, in: id.named(branch.name.text))
      scopes.leaveBlock()
      branches.append((branch.name.text, body))
      let value = body.leave ? .dyn : scopes.flowFacts.itType?.celType ?? .dyn
      fields.append(
        RecordType.Field(
          branch.name.text,
          parallel.settles ? .record(KnownRecord.settled(value)) : value))
    }
    loopDepth = loops
    scopes.flowFacts = before
    blockType = .record(RecordType("the result of `parallel`", fields))
    return .parallel(
      CompiledStep.Parallel(branches: branches, limit: limit, settles: parallel.settles))
  }

  /// Compiles `atomic`, in which steps must not ask, wait or reach outside the store.
  mutating func atomic(_ body: [Step], _ id: StepID) -> CompiledStep.Kind? {
    atomicDepth += 1
    defer { atomicDepth -= 1 }
    let body = block(body, in: id.named("do"))
    blockType = scopes.flowFacts.itType
    if atomicDepth == 1 { atomicBlocks.append(body) }
    return .atomic(body)
  }

  /// Reports a step that cannot be part of a transaction.
  func refuseInAtomic(_ what: String, _ violation: AtomicViolation, at span: Span) {
    guard atomicDepth > 0 else { return }
    collector.report(
      "not-in-atomic",
      "`\(what)` is not allowed in `atomic`, which locks the store until it is done", at: span,
      help: violation.help ?? "put it before the `atomic`, or after it")
  }

  /// Compiles the list of a `for`; bare text is an expression.
  func compile(list node: Node) -> CompiledValue? {
    let isExpression = node.scalar.map { !$0.isNull && !$0.text.hasPart("{{") } ?? false
    let list = isExpression ? node.scalar.flatMap { bare($0) } : compile(node, as: nil)
    switch list?.type?.unwrapped {
    case nil where list?.foreignType == nil: return list
    case .list, .map, .record, .any: return list
    case let type:
      let name = type?.description ?? list?.foreignType?.description ?? ""
      collector.report(
        "wrong-type", "`for` needs a list, not \(name)", at: node.span,
        help: type == .string
          ? "for its lines write `….lines()`, for its words `….words()`"
          : type == .int
            ? "write `in: '{{ lists.range(\(ExpressionSource.bare(node.scalar?.text ?? "3"))) }}'`, or a "
              + "`repeat` instead of the `for`" : nil)
      return nil
    }
  }
}
