/// Makes a translation idiomatic: drops unused values, names values where needed, and inlines
/// literals that are used once.
struct StepPlan {
  private(set) var steps: [Step]
  private(set) var table: SlotTable

  /// The places where slots are defined and used.
  private struct Places {
    /// A place: the position of a step, and the number of the enclosing block.
    struct Place {
      let order: Int
      let block: Int
    }

    var definitions: [Int: [Place]] = [:]
    var uses: [Int: [Place]] = [:]
    /// The enclosing block of each block.
    var parents: [Int] = [-1]
    private var order = 0

    init(_ steps: [Step]) { read(steps, 0) }

    private mutating func read(_ steps: [Step], _ block: Int) {
      for step in steps {
        order += 1
        var used: [Int] = []
        step.visitCodes { $0.visitSlots { used.append($0) } }
        for slot in used { uses[slot, default: []].append(Place(order: order, block: block)) }
        for inner in step.blocks {
          parents.append(block)
          read(inner, parents.count - 1)
        }
        order += 1
        if let slot = step.slot {
          definitions[slot, default: []].append(Place(order: order, block: block))
        }
        if case .set(let slot, _) = step.content {
          definitions[slot, default: []].append(Place(order: order, block: block))
        }
      }
    }

    /// Whether a slot is defined once, before all its uses, in a block that encloses them.
    func isBinding(_ slot: Int) -> Bool {
      guard let places = definitions[slot] else { return true }
      guard places.count == 1 else { return false }
      return (uses[slot] ?? []).allSatisfy { use in
        guard use.order > places[0].order else { return false }
        var block = use.block
        while block > places[0].block { block = parents[block] }
        return block == places[0].block
      }
    }
  }

  init(_ steps: [Step], _ table: SlotTable) {
    self.steps = steps
    self.table = table
    placeResults()
    // Each round can enable further simplifications; a few suffice, and each is linear.
    for _ in 0..<6 {
      let places = Places(self.steps)
      findVariables(places)
      var changed = false
      var replacements: [Int: Code] = [:]
      // A variable that is never set has no value.
      for slot in places.uses.keys
      where places.definitions[slot] == nil && !table.slots[slot].isFixed {
        replacements[slot] = .nothing
      }
      self.steps = tidied(self.steps, at: places, replacements: &replacements, changed: &changed)
      if !replacements.isEmpty { self.steps = replaced(self.steps, replacements) }
      if !changed { break }
    }
    let used = Set(Places(self.steps).uses.keys)
    self.steps = self.steps.flatMap { simplified($0, used) }
    findVariables(Places(self.steps))
  }

  private mutating func findVariables(_ places: Places) {
    table.variables = Set(places.definitions.keys.filter { !places.isBinding($0) })
  }

  // MARK: Results of blocks

  /// Adds the values at the ends of branches whose block is used as a value.
  private mutating func placeResults() {
    var used: Set<Int> = []
    func collect(_ steps: [Step]) {
      for step in steps {
        step.visitCodes { $0.visitSlots { used.insert($0) } }
        if let slot = step.slot, used.contains(slot) {
          for code in step.results { code.visitSlots { used.insert($0) } }
        }
        for block in step.blocks { collect(block) }
      }
    }
    // A result may use that of another block: repeat until the set is stable.
    var count = -1
    while count != used.count {
      count = used.count
      collect(steps)
    }
    steps = withResults(steps, used)
  }

  private mutating func withResults(_ steps: [Step], _ used: Set<Int>) -> [Step] {
    steps.flatMap { step in withResults(step, used) }
  }

  private mutating func withResults(_ step: Step, _ used: Set<Int>) -> [Step] {
    do {
      var step = step.mapping({ $0 }, blocks: { withResults($0, used) })
      let isUsed = step.slot.map { used.contains($0) } ?? false
      let results = step.results
      step.results = []
      guard isUsed, !results.isEmpty else { return [step] }
      switch step.content {
      case .choice(var branches, var otherwise):
        for index in branches.indices {
          branches[index].steps = ended(branches[index].steps, results[index])
        }
        otherwise = ended(otherwise ?? [], results[branches.count])
        step.content = .choice(branches, otherwise: otherwise)
      case .menu(let prompt, var options):
        for index in options.indices {
          options[index].steps = ended(options[index].steps, results[index])
        }
        step.content = .menu(prompt, options)
      case .each(let item, let list, let index, let steps):
        step.content = .each(item: item, list: list, index: index, ended(steps, itemOf(results[0])))
        return flattened(step, results[0])
      case .times(let count, let index, let steps):
        step.content = .times(count, index: index, ended(steps, itemOf(results[0])))
        return flattened(step, results[0])
      case .comment, .call, .set, .attempt: break
      }
      return [step]
    }
  }

  /// The value of an iteration: a list, unless it is certainly a single item.
  private func itemOf(_ code: Code) -> Code {
    (table.kind(of: table.simplified(code)) ?? .any).isSingle ? code : code.asList
  }

  /// A loop whose value is the concatenated items of all iterations.
  private mutating func flattened(_ step: Step, _ code: Code) -> [Step] {
    if (table.kind(of: table.simplified(code)) ?? .any).isSingle { return [step] }
    guard let slot = step.slot else { return [step] }
    var step = step
    var raw = Slot("passes")
    raw.definitions = [.cel("", .list)]
    let inner = table.add(raw)
    step.slot = inner
    return [step, .value(.cel("\(.slot(inner)).flatten()", .list), slot: slot)]
  }

  /// A branch that ends with a value.
  private func ended(_ steps: [Step], _ code: Code) -> [Step] {
    if steps.last?.isEnd ?? false { return steps }
    if case .slot(let slot) = code, let last = steps.lastIndex(where: \.setsIt),
      steps[last].slot == slot
    {
      var steps = steps
      steps[last].isResult = true
      return steps
    }
    return steps + [.kept(code)]
  }

  // MARK: Values

  /// Drops unused values, and finds values that can be inlined.
  private mutating func tidied(
    _ steps: [Step], at places: Places, replacements: inout [Int: Code], changed: inout Bool
  ) -> [Step] {
    var result: [Step] = []
    for (index, step) in steps.enumerated() {
      var step = step
      if let kept = tidied(
        step, next: steps[(index + 1)...], at: places, replacements: &replacements,
        changed: &changed)
      {
        step = kept
      } else {
        changed = true
        continue
      }
      if !step.blocks.isEmpty {
        var blocks: [[Step]] = []
        for block in step.blocks {
          blocks.append(tidied(block, at: places, replacements: &replacements, changed: &changed))
        }
        var rest = blocks[...]
        step = step.mapping({ $0 }, blocks: { _ in rest.popFirst() ?? [] })
      }
      result.append(step)
    }
    return result
  }

  private mutating func tidied(
    _ step: Step, next: ArraySlice<Step>, at places: Places, replacements: inout [Int: Code],
    changed: inout Bool
  ) -> Step? {
    if step.isResult { return step }
    if case .set(let slot, let code) = step.content {
      if places.uses[slot] == nil { return nil }
      guard !table.variables.contains(slot) else { return step }
      if let other = constant(code, replacements) {
        if case .slot(let source) = other, !table.slots[source].isFixed, table.slots[slot].isNamed,
          !table.slots[source].isNamed
        {
          table.slots[source].name = table.slots[slot].name
          table.slots[source].isNamed = true
        }
        replacements[slot] = other
        return nil
      }
      changed = true
      return Step.value(code, slot: slot)
    }
    guard let code = step.pureCode else { return step }
    guard let slot = step.slot, let uses = places.uses[slot] else { return nil }
    guard !table.variables.contains(slot) else { return step }
    if let other = constant(code, replacements) {
      replacements[slot] = other
      return nil
    }
    guard !table.slots[slot].isNamed, !table.slots[slot].isOutput, table.slots[slot].missing == nil,
      uses.count == 1
    else {
      return step
    }
    if case .text(let text) = code, text.utf8.count <= 60, !text.contains("\n") {
      replacements[slot] = code
      return nil
    }
    switch code {
    case .int, .number, .flag:
      replacements[slot] = code
      return nil
    default: break
    }
    if let user = next.first(where: { if case .comment = $0.content { false } else { true } }),
      takesWhole(user, slot) || fits(code, in: user), !refersTo(code, replacements)
    {
      replacements[slot] = code
      return nil
    }
    return step
  }

  /// Whether an expression is short enough to be inlined into the step that uses it.
  private func fits(_ code: Code, in step: Step) -> Bool {
    switch code {
    case .source, .converted: break
    default: return false
    }
    switch step.content {
    case .comment, .attempt, .menu, .times: return false
    case .call(let verb, _) where verb == "output": return false
    default: break
    }
    var size = code.size
    step.visitCodes { size += $0.size }
    return size <= 110
  }

  private func refersTo(_ code: Code, _ replacements: [Int: Code]) -> Bool {
    var found = false
    code.visitSlots { if replacements[$0] != nil { found = true } }
    return found
  }

  /// The value that an expression is merely an alias of; nil if it computes or may be reassigned.
  private func constant(_ code: Code, _ replacements: [Int: Code]) -> Code? {
    guard case .slot(let slot) = table.simplified(code), !table.variables.contains(slot) else {
      return nil
    }
    return replacements[slot] ?? .slot(slot)
  }

  /// Whether a step uses a value as a whole argument.
  private func takesWhole(_ step: Step, _ slot: Int) -> Bool {
    func isIt(_ code: Code) -> Bool {
      switch code {
      case .slot(let other): other == slot
      case .converted(.text, let inner): isIt(inner)
      default: false
      }
    }
    switch step.content {
    case .set(_, let code): return isIt(code)
    case .call(let verb, let arguments):
      if verb == "output" { return false }
      return arguments.contains { argument in
        if case .code(let code) = argument.value { isIt(code) } else { false }
      }
    default: return false
    }
  }

  private mutating func replaced(_ steps: [Step], _ replacements: [Int: Code]) -> [Step] {
    let change: (Code) -> Code = { code in
      code.replacing { slot in
        var found = replacements[slot]
        // Replacements may be chained.
        for _ in 0..<4 {
          guard case .slot(let next)? = found, let further = replacements[next] else { break }
          found = further
        }
        return found
      }
    }
    for index in table.slots.indices {
      table.slots[index].definitions = table.slots[index].definitions.map(change)
    }
    func replace(_ steps: [Step]) -> [Step] {
      steps.map { $0.mapping(change, blocks: replace) }
    }
    return replace(steps)
  }

  // MARK: Blocks

  private func isEmpty(_ steps: [Step]) -> Bool {
    steps.allSatisfy { if case .comment = $0.content { true } else { false } }
  }

  /// A step without empty blocks, with `elif` for an If that is the only step of an Otherwise.
  private func simplified(_ step: Step, _ used: Set<Int>) -> [Step] {
    let step = step.mapping({ $0 }, blocks: { $0.flatMap { simplified($0, used) } })
    guard case .choice(var branches, var otherwise) = step.content else { return [step] }
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
