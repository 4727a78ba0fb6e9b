/// Blocks that can be written more simply, and values that an If only chooses.
extension StepPlan {
  private func isEmpty(_ steps: [Step]) -> Bool {
    steps.allSatisfy { if case .comment = $0.content { true } else { false } }
  }

  /// The value of an If whose branches only give short values; nil for any other.
  private func chosen(
    _ branches: [(condition: Code, steps: [Step])], _ otherwise: [Step]?
  ) -> Code? {
    func value(_ steps: [Step]) -> Code? {
      guard steps.count == 1, steps[0].isResult, let code = steps[0].pureCode, code.size <= 60
      else { return nil }
      return table.simplified(code)
    }
    guard branches.count == 1, branches[0].condition.size <= 90,
      Conditions.truth(branches[0].condition, table) == nil,
      let first = value(branches[0].steps), let second = otherwise.flatMap(value)
    else { return nil }
    let (one, other) = (table.kind(of: first) ?? .any, table.kind(of: second) ?? .any)
    if one == other, one != .any, one != .nothing {
      return .cel("\(branches[0].condition) ? \(first) : \(second)", one)
    }
    return .cel("\(branches[0].condition) ? dyn(\(first)) : dyn(\(second))", .any)
  }

  /// The steps of the only branch that can be reached, whose value is that of the block.
  private func taken(_ steps: [Step], _ slot: Int?, _ used: Set<Int>) -> [Step] {
    var steps = steps
    guard let slot, used.contains(slot), let last = steps.lastIndex(where: \.isResult) else {
      return steps
    }
    steps[last].isResult = false
    if let own = steps[last].slot {
      steps.append(.value(.slot(own), slot: slot))
    } else {
      steps[last].slot = slot
    }
    return steps
  }

  /// A step without empty blocks, with `elif` for an If that is the only step of an Otherwise.
  func simplified(_ step: Step, _ used: Set<Int>) -> [Step] {
    let step = step.mapping({ $0 }, blocks: { $0.flatMap { simplified($0, used) } })
    guard case .choice(var branches, var otherwise) = step.content else { return [step] }
    if let slot = step.slot, used.contains(slot), let value = chosen(branches, otherwise) {
      return [.value(value, slot: slot)]
    }
    if branches.count == 1, let isTrue = Conditions.truth(branches[0].condition, table) {
      return taken(isTrue ? branches[0].steps : otherwise ?? [], step.slot, used)
    }
    if otherwise?.isEmpty ?? false { otherwise = nil }
    if branches.count == 1, isEmpty(branches[0].steps) {
      guard let other = otherwise else { return branches[0].steps }
      branches[0] = (Conditions.negated(branches[0].condition), branches[0].steps + other)
      otherwise = nil
    }
    if let other = otherwise, other.count == 1,
      case .choice(let inner, let last) = other[0].content,
      !(other[0].slot.map { used.contains($0) } ?? false)
    {
      branches += inner
      otherwise = last
    }
    var result = step
    result.content = .choice(branches, otherwise: otherwise)
    return [result]
  }
}
