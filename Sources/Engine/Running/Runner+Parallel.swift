import CEL
import Items
import Program

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
