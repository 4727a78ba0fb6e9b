import CEL
import Catalog
import YAML

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
