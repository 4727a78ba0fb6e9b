package import YAML

extension Step {
  /// The codes of errors that handlers and retries among the steps name, in their order.
  package static func namedCodes(in steps: [Step]) -> [Scalar] {
    steps.flatMap { step in
      (step.retry?.codes ?? []) + step.handlers.flatMap { $0.codes ?? [] }
        + step.blocks.flatMap(namedCodes)
    }
  }

  private var handlers: [Handler] {
    if case .attempt(let attempt) = kind { attempt.handlers } else { [] }
  }

  /// The lists of steps within a block.
  private var blocks: [[Step]] {
    switch kind {
    case .call: []
    case .conditional(let branches, let otherwise): branches.map(\.body) + [otherwise]
    case .forEach(let loop): [loop.body]
    case .repeatCount(_, _, let body), .whileLoop(_, let body), .atomic(let body): [body]
    case .menu(_, let options): options.map(\.body)
    case .attempt(let attempt):
      [attempt.body] + attempt.handlers.map(\.body) + [attempt.finally]
    case .parallel(let parallel): parallel.branches.map(\.body)
    }
  }
}
