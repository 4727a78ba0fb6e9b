package import Source

extension CompiledAction {
  /// The calls that every run of it makes, whatever its values are.
  package var certainCalls: [(name: String, span: Span)] {
    var calls: [(name: String, span: Span)] = []
    _ = Self.collect(steps, into: &calls)
    return calls
  }

  /// Collects the calls of steps up to the first one that may end the run.
  private static func collect(
    _ steps: [CompiledStep], into calls: inout [(name: String, span: Span)]
  ) -> Bool {
    for step in steps {
      if step.guardCondition == nil {
        switch step.kind {
        case .action(let call): calls.append((call.name, step.span))
        case .verb(let call) where call.verb.calls:
          if case .name(let name)? = call.arguments.first { calls.append((name, step.span)) }
        case .atomic(let body): if collect(body, into: &calls) { return true }
        case .parallel(let block):
          for branch in block.branches where collect(branch.body, into: &calls) { return true }
        default: break
        }
      }
      if step.mayEnd { return true }
    }
    return false
  }
}

extension CompiledStep {
  /// Whether the run may end well in it: by a word of the steps, or by one of the person.
  package var mayEnd: Bool {
    if case .verb(let call) = kind {
      if case .ask = call.verb.effect { return true }
      return call.verb.exit != .next
    }
    if case .menu = kind { return true }
    return kind.blocks.contains { $0.contains(where: \.mayEnd) }
  }
}
