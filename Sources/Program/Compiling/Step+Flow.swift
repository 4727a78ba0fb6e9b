import Catalog
import YAML

extension Step {
  /// The names that `set` gives values to, in the step or below it.
  var assignedNames: Set<String> {
    switch kind {
    case .call(let call):
      guard call.name.text == "set", let mapping = call.value?.mapping else { return [] }
      return Set(mapping.entries.map(\.key.text))
    case .conditional(let branches, let otherwise):
      return Self.assignedNames(in: branches.flatMap(\.body) + otherwise)
    case .forEach(let loop): return Self.assignedNames(in: loop.body)
    case .repeatCount(_, _, let body), .whileLoop(_, let body): return Self.assignedNames(in: body)
    case .menu(_, let options): return Self.assignedNames(in: options.flatMap(\.body))
    case .attempt(let block):
      return Self.assignedNames(in: block.body + block.handlers.flatMap(\.body) + block.finally)
    case .parallel(let block): return Self.assignedNames(in: block.branches.flatMap(\.body))
    case .atomic(let body): return Self.assignedNames(in: body)
    }
  }

  /// The names that `set` gives values to in any of the steps.
  static func assignedNames(in steps: [Step]) -> Set<String> {
    steps.reduce(into: []) { $0.formUnion($1.assignedNames) }
  }

  /// Whether one of the steps may end the action with a value of its own.
  static func mayReturn(_ steps: [Step]) -> Bool {
    steps.contains { step in
      switch step.kind {
      case .call(let call): call.name.text == "return"
      case .conditional(let branches, let otherwise):
        mayReturn(branches.flatMap(\.body) + otherwise)
      case .forEach(let loop): mayReturn(loop.body)
      case .repeatCount(_, _, let body), .whileLoop(_, let body): mayReturn(body)
      case .menu(_, let options): mayReturn(options.flatMap(\.body))
      case .attempt(let block):
        mayReturn(block.body + block.handlers.flatMap(\.body) + block.finally)
      case .parallel(let block): mayReturn(block.branches.flatMap(\.body))
      case .atomic(let body): mayReturn(body)
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
    default: false
    }
  }
}

extension [CompiledStep] {
  /// Whether their end is never reached.
  var leave: Bool { contains { $0.guardCondition == nil && $0.kind.leaves } }
}
