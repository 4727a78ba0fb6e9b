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
