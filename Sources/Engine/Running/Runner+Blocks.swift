import CEL
import Catalog
import Items
import POSIX
import Program

extension Runner {
  /// Runs the first branch whose condition holds, else `else`.
  func conditional(
    _ branches: [CompiledStep.Branch], _ otherwise: [CompiledStep]?, _ step: CompiledStep
  ) throws -> Flow {
    let taken = try decided("branch", of: branches.count, step) {
      try branches.firstIndex { try holds($0.condition) }
    }
    guard let body = taken.map({ branches[$0].body }) ?? otherwise else {
      // No branch was taken: the value is null, and `it` is unchanged.
      bind(.null, step)
      return .next
    }
    return try block(body, step)
  }

  /// Runs the steps of a block; its value is the final `it`.
  private func block(_ body: [CompiledStep], _ step: CompiledStep) throws -> Flow {
    let flow = try run(body)
    bind(it, step)
    return flow
  }

  /// Asks for an option of a menu, and runs its steps.
  func run(_ menu: CompiledStep.Menu, _ step: CompiledStep) throws -> Flow {
    let chosen = try decided("option", of: menu.options.count, step) {
      let prompt = try menu.prompt.map(text) ?? run.words.whatNext
      let choices = try menu.options.map {
        Question.Choice(title: try text(of: $0.label), original: $0.original)
      }
      return try run.asker.choose(choices, prompt: prompt, keys: step.answerKeys, many: false).first
    }
    guard let chosen else { return .next }
    return try block(menu.options[chosen].body, step)
  }

  /// Runs a body for each element of a list or entry of a map.
  func forEach(_ forEach: CompiledStep.ForEach, _ step: CompiledStep) throws -> Flow {
    let list = try decided("list", step) { .list(try elements(of: forEach.list, of: step)) }
    guard let elements = list.asList else { return .next }
    if let passes = forEach.parallel { return try parallel(forEach, passes, elements, step: step) }
    var progress = LoopProgress(run, depth: depth, total: elements.count)
    defer { progress.end() }
    return try loop(forEach.body, step) { pass in
      progress.begin(pass)
      guard pass < elements.count else { return nil }
      self.begin(forEach, pass, elements[pass])
      return elements[pass]
    }
  }

  /// The elements of a list or the entries of a map; none for null.
  private func elements(of list: CompiledValue, of step: CompiledStep) throws -> [Value] {
    let value = try value(of: list)
    // The elements of a list that is known may be unknown.
    if value.asList == nil { try expectKnown(value, "this loop", at: step.span) }
    switch value {
    case .list(let values): return values
    case .null: return []
    case .map(let map): return map.entries.map { .record([("key", $0.key), ("value", $0.value)]) }
    case let other:
      throw RunError(.invalidValue, "`for` needs a list, not \(other.typeName)")
    }
  }

  /// Runs a body a number of times.
  func repeated(
    _ count: CompiledValue, _ index: Int?, _ body: LoopBody, step: CompiledStep
  ) throws -> Flow {
    let count = try decided("count", step) { try value(of: count, as: .int, named: "repeat") }
    try expectKnown(count, "the number of passes", at: step.span)
    guard let passes = count.asInt else { return .next }
    return try loop(body, step) { pass in
      guard pass < passes else { return nil }
      if let index { self.frame.slots[index] = .int(Int64(pass)) }
      return self.it
    }
  }

  /// Runs a body while `next` returns a value, which is `it` in the pass.
  func loop(_ body: LoopBody, _ step: CompiledStep, next: (Int) throws -> Value?) throws -> Flow {
    let outer = it
    var values: [Value] = []
    var pass = 0
    passes: while let begin = try next(pass) {
      guard pass < Self.passLimit else {
        throw RunError(
          .failed, "the loop did not end after \(Self.passLimit) passes",
          help: "end it with `break`, or fix its condition")
      }
      pass += 1
      try run.budget.spend(1)
      it = begin
      switch try within(.pass(pass - 1), of: step, { try run(body.steps) }) {
      case .next: if body.keepsValues { values.append(it) }
      case .continueLoop: break
      case .breakLoop: break passes
      case .stop: return .stop
      case .returned(let value): return .returned(value)
      }
      // Each pass starts with `it` from before the loop, or with the element.
      it = outer
    }
    it = .list(values)
    bind(it, step)
    return .next
  }
}

extension CompiledStep {
  /// Keys of preset answers: the name of the result, then the label and a translated prompt.
  var answerKeys: [String] { [bindingName, label, originalPrompt].compactMap { $0 } }
}

/// Parallel and atomic blocks (docs/language.md, “At once”).
extension Runner {
  /// Maximum number of parallel branches.
  private static let branchLimit: Int64 = 64

  /// Runs the branches of a `parallel`.
  func parallel(_ block: CompiledStep.Parallel, _ step: CompiledStep) throws -> Flow {
    try run.commitWrites()
    let limit = try block.limit.map { try branchCount($0, "limit") } ?? block.branches.count
    let outer = it
    let group = BranchGroup(
      self, step, keys: block.branches.map { _ in .success(nil) }, pace: .zero,
      settles: block.settles
    ) { branch, index in
      branch.it = outer
      return try branch.run(block.branches[index].body)
    }
    let flow = try group.run(limit: limit)
    var values = MapValue()
    for (branch, member) in zip(block.branches, group.members) {
      if let value = value(of: member, settles: block.settles) {
        values[.string(branch.name)] = value
      }
    }
    it = .map(values)
    bind(it, step)
    return flow
  }

  /// Runs the iterations of a `for` in parallel.
  func parallel(
    _ loop: CompiledStep.ForEach, _ passes: CompiledStep.ParallelPasses, _ elements: [Value],
    step: CompiledStep
  ) throws -> Flow {
    try run.commitWrites()
    let limit = try branchCount(passes.limit, "parallel")
    let pace = try optional(passes.pace, as: .duration, named: "pace")?.asDuration
    let keys = try elements.enumerated().map { index, element -> Result<Value?, RunError> in
      guard let key = passes.key else { return .success(nil) }
      do {
        let value = try decided("by\(index)", step) {
          begin(loop, index, element)
          return try evaluate(key)
        }
        return .success(value)
      } catch let error as RunError where passes.settles && error.isCaughtByAll {
        return .failure(error)
      }
    }
    let group = BranchGroup(
      self, step, keys: keys, pace: pace?.length ?? .zero, settles: passes.settles
    ) { branch, index in
      branch.begin(loop, index, elements[index])
      branch.it = elements[index]
      return try branch.within(.pass(index), of: step) { try branch.run(loop.body.steps) }
    }
    let flow = try group.run(limit: limit)
    var values: [Value] = []
    for (element, member) in zip(elements, group.members) where loop.body.keepsValues {
      guard var value = value(of: member, settles: passes.settles) else { continue }
      if passes.settles, case .map(var map) = value {
        map["item"] = element
        value = .map(map)
      }
      values.append(value)
    }
    it = .list(values)
    bind(it, step)
    return flow
  }

  private func begin(_ loop: CompiledStep.ForEach, _ index: Int, _ element: Value) {
    frame.slots[loop.variable] = element
    if let slot = loop.index { frame.slots[slot] = .int(Int64(index)) }
  }

  /// The value of a member; with `settles` a record of value or error.
  private func value(of member: BranchGroup.Member, settles: Bool) -> Value? {
    switch member.result {
    case .success(let value)?:
      settles ? .record([("ok", true), ("value", value), ("error", nil)]) : value
    case .failure(let error)?: .record([("ok", false), ("value", nil), ("error", error.value)])
    case nil: nil
    }
  }

  private func branchCount(_ value: CompiledValue, _ name: String) throws -> Int {
    let count = try self.value(of: value, as: .int, named: name).asInt
    guard let count, (1...Self.branchLimit).contains(count) else {
      throw RunError(.invalidValue, "`\(name)` must be a number from 1 to \(Self.branchLimit)")
    }
    return Int(count)
  }

  /// Runs steps as one transaction.
  func atomic(_ body: [CompiledStep], _ step: CompiledStep) throws -> Flow {
    let start = run.host.machine.monotonic()
    return try run.atomically(preparing: run.entities(of: action)) {
      let flow = try run.asOneStep { try block(body, step) }
      if run.recorder.isWatched { try noteTransaction(step, flow, since: start) }
      return flow
    }
  }
}

/// Reports the progress of a long loop over a list.
struct LoopProgress {
  private let run: Run?
  private let total: Int
  private var hasReported = false
  private var nextReport: Int64

  /// Minimum interval between reports.
  private static let reportInterval = Duration.milliseconds(100)
  /// Number of iterations between reads of the clock.
  private static let stride = 64

  /// Reports only outermost loops of the top-level action with more than one pass.
  init(_ run: Run, depth: Int, total: Int) {
    self.run = depth == 0 && total > 1 && !run.isTellingProgress ? run : nil
    self.total = total
    nextReport = 0
    guard let run = self.run else { return }
    run.isTellingProgress = true
    nextReport = run.host.machine.monotonic() + Self.reportInterval.nanoseconds
  }

  /// Called when a pass begins.
  @inline(__always)
  mutating func begin(_ pass: Int) {
    guard let run, pass > 0, pass % Self.stride == 0 || total < 10_000 else { return }
    let now = run.host.machine.monotonic()
    guard now >= nextReport else { return }
    nextReport = now + Self.reportInterval.nanoseconds
    hasReported = true
    run.front.progress(Progress(done: pass, total: total))
  }

  /// Called when the loop has ended.
  mutating func end() {
    guard let run else { return }
    run.isTellingProgress = false
    if hasReported { run.front.progress(Progress(done: total, total: total, isOver: true)) }
  }
}
