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
