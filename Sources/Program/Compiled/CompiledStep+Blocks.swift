extension CompiledStep {
  /// Whether it may change the store, but for what it calls by a name that is known.
  package var mayWrite: Bool {
    if case .verb(let call) = kind {
      if case .write = call.verb.effect { return true }
      // What it runs is known when it runs.
      return call.verb.name == "run"
    }
    return kind.blocks.contains { $0.contains(where: \.mayWrite) }
  }
}

extension CompiledStep.Kind {
  /// The lists of steps within a block, in the order in which they are written.
  package var blocks: [[CompiledStep]] {
    switch self {
    case .action, .verb: []
    case .conditional(let branches, let otherwise): branches.map(\.body) + [otherwise ?? []]
    case .forEach(let loop): [loop.body.steps]
    case .repeatCount(_, _, let body), .whileLoop(_, let body): [body.steps]
    case .menu(let menu): menu.options.map(\.body)
    case .attempt(let block): [block.body] + block.handlers.map(\.body) + [block.finally]
    case .parallel(let block): block.branches.map(\.body)
    case .atomic(let body): [body]
    }
  }
}
