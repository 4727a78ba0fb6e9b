import CEL
import Catalog
import YAML

extension Step {
  /// The names to which `set` gives values in any of the steps or below them, with the values.
  static func assignments(in steps: [Step]) -> [Mapping.Entry] {
    var found: [Mapping.Entry] = []
    for step in steps { step.collectAssignments(into: &found) }
    return found
  }

  private func collectAssignments(into found: inout [Mapping.Entry]) {
    func collect(_ steps: [Step]) {
      for step in steps { step.collectAssignments(into: &found) }
    }
    switch kind {
    case .call(let call):
      if call.name.text == "set", let mapping = call.value?.mapping { found += mapping.entries }
    case .conditional(let branches, let otherwise):
      for branch in branches { collect(branch.body) }
      collect(otherwise)
    case .forEach(let loop): collect(loop.body)
    case .repeatCount(_, _, let body), .whileLoop(_, let body), .atomic(let body): collect(body)
    case .menu(_, let options): for option in options { collect(option.body) }
    case .attempt(let block):
      collect(block.body)
      for handler in block.handlers { collect(handler.body) }
      collect(block.finally)
    case .parallel(let block): for branch in block.branches { collect(branch.body) }
    }
  }

  /// The names to which `set` gives values in any of the steps.
  static func assignedNames(in steps: [Step]) -> Set<String> {
    Set(assignments(in: steps).map(\.key.text))
  }

  /// Whether one of the steps may end the action without a value.
  static func mayStop(_ steps: [Step]) -> Bool { mayEnd(steps, by: "stop") }

  /// Whether one of the steps may end the action with a value of its own.
  static func mayReturn(_ steps: [Step]) -> Bool { mayEnd(steps, by: "return") }

  private static func mayEnd(_ steps: [Step], by verb: String) -> Bool {
    steps.contains { step in
      switch step.kind {
      case .call(let call): call.name.text == verb
      case .conditional(let branches, let otherwise):
        mayEnd(branches.flatMap(\.body) + otherwise, by: verb)
      case .forEach(let loop): mayEnd(loop.body, by: verb)
      case .repeatCount(_, _, let body), .whileLoop(_, let body): mayEnd(body, by: verb)
      case .menu(_, let options): mayEnd(options.flatMap(\.body), by: verb)
      case .attempt(let block):
        mayEnd(block.body + block.handlers.flatMap(\.body) + block.finally, by: verb)
      case .parallel(let block): mayEnd(block.branches.flatMap(\.body), by: verb)
      case .atomic(let body): mayEnd(body, by: verb)
      }
    }
  }
}

extension CompiledStep.Kind {
  /// Whether no step after it is reached.
  var leaves: Bool {
    switch self {
    case .verb(let call):
      ["return", "fail", "stop", "break", "continue"].contains(call.verb.name)
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
  /// Whether a `break` in it may end the loop around it.
  fileprivate var mayBreak: Bool {
    switch kind {
    case .verb(let call): call.verb.name == "break"
    case .forEach, .repeatCount, .whileLoop: false
    default: kind.blocks.contains { $0.contains(where: \.mayBreak) }
    }
  }
}

extension [CompiledStep] {
  /// Whether their end is never reached.
  var leave: Bool { contains { $0.guardCondition == nil && $0.kind.leaves } }
}
