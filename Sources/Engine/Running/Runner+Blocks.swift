import CEL
import Catalog
import Items
import Program

extension Runner {
  /// Runs the first branch whose condition holds, else the other one.
  func conditional(
    _ branches: [CompiledStep.Branch], _ otherwise: [CompiledStep]?, _ step: CompiledStep
  ) throws -> Flow {
    let taken = try decided("branch", step) {
      .int(Int64(try branches.firstIndex { try holds($0.condition) } ?? -1))
    }
    var body = otherwise
    if case .int(let index) = taken, branches.indices.contains(Int(index)) {
      body = branches[Int(index)].body
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

  /// Asks which option is wanted, and runs its steps.
  func run(_ menu: CompiledStep.Menu, _ step: CompiledStep) throws -> Flow {
    let chosen = try decided("option", step) {
      let prompt = try menu.prompt.map(text) ?? "What next?"
      let choices = try menu.options.map { Question.Choice(title: try text(of: $0.label)) }
      let chosen = try run.asker.choose(choices, prompt: prompt, keys: step.answerKeys, many: false)
      return chosen.first.map { .int(Int64($0)) } ?? .null
    }
    guard case .int(let index) = chosen, menu.options.indices.contains(Int(index)) else {
      return .next
    }
    let flow = try run(menu.options[Int(index)].body)
    bind(it, step)
    return flow
  }

  /// Runs a body for each element of a list, or for each entry of a map.
  func forEach(_ forEach: CompiledStep.ForEach, _ step: CompiledStep) throws -> Flow {
    let list = try decided("list", step) { .list(try elements(of: forEach.list)) }
    guard case .list(let elements) = list else { return .next }
    if let passes = forEach.parallel { return try parallel(forEach, passes, elements, step) }
    var progress = LoopProgress(run, depth: depth, total: elements.count)
    defer { progress.end() }
    return try loop(forEach.body, step) { pass in
      progress.begin(pass)
      guard pass < elements.count else { return nil }
      self.frame.slots[forEach.variable] = elements[pass]
      if let index = forEach.index { self.frame.slots[index] = .int(Int64(pass)) }
      return elements[pass]
    }
  }

  /// The elements of a list, the entries of a map; none for null.
  private func elements(of list: CompiledValue) throws -> [Value] {
    switch try value(of: list) {
    case .list(let values): return values
    case .null: return []
    case .map(let map):
      return map.entries.map { .map(MapValue([("key", $0.key), ("value", $0.value)])) }
    case let other:
      throw RunError(.invalidValue, "`for` goes through a list, and this is \(other.typeName)")
    }
  }

  /// Runs a body a number of times.
  func repeated(
    _ count: CompiledValue, _ index: Int?, _ body: LoopBody, _ step: CompiledStep
  ) throws -> Flow {
    let count = try decided("count", step) { try value(of: count, as: .int, named: "repeat") }
    guard case .int(let passes) = count else { return .next }
    return try loop(body, step) { pass in
      guard pass < passes else { return nil }
      if let index { self.frame.slots[index] = .int(Int64(pass)) }
      return self.it
    }
  }

  /// Runs a body while `next` gives what `it` is at the beginning of the pass.
  func loop(
    _ body: LoopBody, _ step: CompiledStep, next: (Int) throws -> Value?
  ) throws -> Flow {
    let outer = it
    var values: [Value] = []
    var pass = 0
    passes: while let begin = try next(pass) {
      guard pass < Self.passLimit else {
        throw RunError(
          .failed, "the loop did not end after \(Self.passLimit) passes",
          help: "end it with `break`, or mend its condition")
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
      // In a body `it` begins as it was before the loop, or as the item.
      it = outer
    }
    it = .list(values)
    bind(it, step)
    return .next
  }
}

extension CompiledStep {
  /// What answers the step's question ahead of time: the name of its result, then its label.
  var answerKeys: [String] { [bindingName, label].compactMap { $0 } }
}

/// Blocks that run at once, and those that are one transaction (docs/language.md, “At once”).
extension Runner {
  /// The most branches at once.
  private static let branchLimit: Int64 = 64

  /// Runs the branches of a `parallel`.
  func parallel(_ block: CompiledStep.Parallel, _ step: CompiledStep) throws -> Flow {
    try run.commitWrites()
    let limit = try block.limit.map { try branchCount($0, "limit") } ?? block.branches.count
    let outer = it
    let group = BranchGroup(
      self, step, keys: block.branches.map { _ in .success(nil) }, pace: 0, settles: block.settles
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

  /// Runs the passes of a `for` at once.
  func parallel(
    _ loop: CompiledStep.ForEach, _ passes: CompiledStep.ParallelPasses, _ elements: [Value],
    _ step: CompiledStep
  ) throws -> Flow {
    try run.commitWrites()
    let limit = try branchCount(passes.limit, "parallel")
    var pace: Int64 = 0
    if let value = passes.pace,
      case .duration(let length) = try self.value(of: value, as: .duration, named: "pace")
    {
      pace = length.clampedNanoseconds
    }
    var keys: [Result<Value?, RunError>] = []
    for (index, element) in elements.enumerated() {
      guard let key = passes.key else {
        keys.append(.success(nil))
        continue
      }
      do {
        let value = try decided("by\(index)", step) {
          begin(loop, index, element)
          return try evaluate(key)
        }
        keys.append(.success(value))
      } catch let error as RunError where passes.settles && error.isCaughtByAll {
        keys.append(.failure(error))
      }
    }
    let group = BranchGroup(
      self, step, keys: keys, pace: pace, settles: passes.settles
    ) { branch, index in
      branch.begin(loop, index, elements[index])
      branch.it = elements[index]
      return try branch.within(.pass(index), of: step) { try branch.run(loop.body.steps) }
    }
    let flow = try group.run(limit: limit)
    var values: [Value] = []
    for (element, member) in zip(elements, group.members) where loop.body.keepsValues {
      guard let value = value(of: member, settles: passes.settles) else { continue }
      if passes.settles, case .map(var map) = value {
        map["item"] = element
        values.append(.map(map))
      } else {
        values.append(value)
      }
    }
    it = .list(values)
    bind(it, step)
    return flow
  }

  private func begin(_ loop: CompiledStep.ForEach, _ index: Int, _ element: Value) {
    frame.slots[loop.variable] = element
    if let slot = loop.index { frame.slots[slot] = .int(Int64(index)) }
  }

  /// What a member came to: its value, or with `settles` what it was like.
  private func value(of member: BranchGroup.Member, settles: Bool) -> Value? {
    guard let result = member.result else { return nil }
    switch result {
    case .success(let value):
      guard settles else { return value }
      return .map(MapValue([("ok", .bool(true)), ("value", value), ("error", .null)]))
    case .failure(let error):
      return .map(MapValue([("ok", .bool(false)), ("value", .null), ("error", error.value)]))
    }
  }

  private func branchCount(_ value: CompiledValue, _ name: String) throws -> Int {
    guard case .int(let count) = try self.value(of: value, as: .int, named: name), count >= 1,
      count <= Self.branchLimit
    else {
      throw RunError(.invalidValue, "`\(name)` is a number from 1 to \(Self.branchLimit)")
    }
    return Int(count)
  }

  /// Runs steps as one transaction: all of what they write, or nothing.
  func atomic(_ body: [CompiledStep], _ step: CompiledStep) throws -> Flow {
    let start = run.host.machine.monotonic()
    return try run.atomically(preparing: run.entities(of: action)) {
      let flow = try run.asOneStep { try run(body) }
      bind(it, step)
      if run.isWatched { try noteTransaction(step, flow, since: start) }
      return flow
    }
  }
}

/// Tells the person how far a loop over a list has come, when it takes long enough to wonder.
struct LoopProgress {
  private let run: Run?
  private let total: Int
  private var hasTold = false
  private var nextLook: Int64

  /// How long a loop runs before it tells anything, and between two reports, in nanoseconds.
  private static let pause: Int64 = 100_000_000
  /// How many passes go by between two looks at the clock.
  private static let stride = 64

  /// Only loops of what was asked for, with some passes, are told of.
  init(_ run: Run, depth: Int, total: Int) {
    self.run = depth == 0 && total > 1 && !run.isTellingProgress ? run : nil
    self.total = total
    nextLook = 0
    guard let run = self.run else { return }
    run.isTellingProgress = true
    nextLook = run.host.machine.monotonic() + Self.pause
  }

  /// Hears that a pass begins.
  @inline(__always)
  mutating func begin(_ pass: Int) {
    if run != nil, pass % Self.stride == 0 || total < 10_000 { look(pass) }
  }

  private mutating func look(_ pass: Int) {
    guard let run, pass > 0 else { return }
    let now = run.host.machine.monotonic()
    guard now >= nextLook else { return }
    nextLook = now + Self.pause
    hasTold = true
    run.front.progress(Progress(done: pass, total: total))
  }

  /// Hears that the loop is over.
  mutating func end() {
    guard let run else { return }
    run.isTellingProgress = false
    if hasTold { run.front.progress(Progress(done: total, total: total, isOver: true)) }
  }
}
