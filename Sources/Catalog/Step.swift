package import Source
package import YAML

/// One step of an intent or a shortcut: a call or a block, with its modifiers (language §6).
package struct Step: Sendable {
  package indirect enum Kind: Sendable {
    case call(Call)
    case conditional(branches: [Branch], otherwise: [Step])
    case forEach(ForEach)
    case repeatCount(count: Node, index: Scalar?, body: [Step])
    case whileLoop(condition: ExpressionSource, body: [Step])
    case menu(prompt: Template?, options: [Option])
    case attempt(Attempt)
    case parallel(Parallel)
    case atomic([Step])
  }

  /// A call of an intent, a shortcut or a verb.
  package struct Call: Sendable {
    package let name: Scalar
    /// The arguments as written; nil for a bare word.
    package let value: Node?
  }

  package struct Branch: Sendable {
    package let condition: ExpressionSource
    package let body: [Step]
  }

  package struct ForEach: Sendable {
    package let variable: Scalar
    package let list: Node
    package let index: Scalar?
    /// How the passes run at once; nil when they run one after the other.
    package let parallel: ParallelPasses?
    package let body: [Step]
  }

  /// How the passes of a `for` run at once (docs/language.md, “At once”).
  package struct ParallelPasses: Sendable {
    /// How many at most.
    package let limit: Node
    /// The time between the beginnings of two passes with the same key.
    package let pace: Node?
    /// The key of a pass: of the passes with the same one, one runs at a time.
    package let key: ExpressionSource?
    /// Whether a failure is a result like others.
    package let settles: Bool
  }

  /// Steps that run at once, each list under a name.
  package struct Parallel: Sendable {
    package let branches: [(name: Scalar, body: [Step])]
    /// How many at most.
    package let limit: Node?
    /// Whether a failure is a result like others.
    package let settles: Bool
  }

  /// Steps whose failure is handled.
  package struct Attempt: Sendable {
    package let body: [Step]
    package let handlers: [Handler]
    /// The steps that run whatever happens.
    package let finally: [Step]
  }

  /// What is done about some errors.
  package struct Handler: Sendable {
    /// The codes that it is for; nil for all but a few.
    package let codes: [Scalar]?
    /// What must hold of the error.
    package let condition: ExpressionSource?
    /// What the error is called.
    package let name: Scalar?
    package let body: [Step]
    package let span: Span
  }

  /// How often, when and after which errors a step is tried again (docs/language.md, “When a step
  /// fails”).
  package struct Retry: Sendable {
    package let times: Node
    package let delay: Node?
    package let backoff: Node?
    package let max: Node?
    package let jitter: Node?
    package let codes: [Scalar]?
    package let span: Span
  }

  package struct Option: Sendable {
    package let label: Template
    package let body: [Step]
  }

  package let kind: Kind
  /// The name of the result, for the steps after it.
  package let binding: Scalar?
  /// A label for messages and answers.
  package let label: String?
  /// The guard: the step is skipped unless it holds.
  package let guardCondition: ExpressionSource?
  /// Whether a called intent says its dialog.
  package let speaks: Bool
  /// How long it may take, each attempt by itself.
  package let timeout: Node?
  package let retry: Retry?
  /// What is done about it when it was going on as its run ended; nil for what its verb says.
  package let onResume: ResumePolicy?
  package let span: Span

  /// What the step is called in the path of an error.
  package var displayName: String {
    if let label { return label }
    return switch kind {
    case .call(let call): call.name.text
    case .conditional: "if"
    case .forEach: "for"
    case .repeatCount: "repeat"
    case .whileLoop: "while"
    case .menu: "menu"
    case .attempt: "try"
    case .parallel: "parallel"
    case .atomic: "atomic"
    }
  }

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
