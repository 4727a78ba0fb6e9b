package import Source
package import YAML

/// One step of an intent or a shortcut: a call or a block, with its modifiers (language §6).
package struct Step: Sendable {
  /// Kinds of steps.
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
    /// The arguments as written; nil for a bare name.
    package let value: Node?
  }

  /// A condition with its steps.
  package struct Branch: Sendable {
    package let condition: ExpressionSource
    package let body: [Step]
  }

  /// A `for` loop.
  package struct ForEach: Sendable {
    package let variable: Scalar
    package let list: Node
    package let index: Scalar?
    /// Concurrency of the iterations; nil for sequential ones.
    package let parallel: ParallelPasses?
    package let body: [Step]
  }

  /// Concurrent iterations of a `for` (docs/language.md, “At once”).
  package struct ParallelPasses: Sendable {
    /// Maximum number of concurrent iterations.
    package let limit: Node
    /// Minimum time between the starts of two iterations with the same key.
    package let pace: Node?
    /// Key of an iteration; iterations with the same key run one at a time.
    package let key: ExpressionSource?
    /// Whether failures become results instead of ending the loop.
    package let settles: Bool
  }

  /// Named branches that run concurrently.
  package struct Parallel: Sendable {
    package let branches: [(name: Scalar, body: [Step])]
    /// Maximum number of branches at once.
    package let limit: Node?
    /// Whether failures become results instead of ending the block.
    package let settles: Bool
  }

  /// A `try` block: steps, error handlers and cleanup.
  package struct Attempt: Sendable {
    package let body: [Step]
    package let handlers: [Handler]
    /// Steps that always run.
    package let finally: [Step]
  }

  /// A `catch` handler for some errors.
  package struct Handler: Sendable {
    /// Error codes it handles; nil for all that can be caught.
    package internal(set) var codes: [Scalar]?
    /// Condition on the error.
    package internal(set) var condition: ExpressionSource?
    /// Variable that holds the error.
    package internal(set) var name: Scalar?
    package internal(set) var body: [Step] = []
    package let span: Span
  }

  /// The retry policy of a step: how often, after which delays and for which errors
  /// (docs/language.md, “When a step fails”).
  package struct Retry: Sendable {
    package internal(set) var times: Node
    package internal(set) var delay: Node?
    package internal(set) var backoff: Node?
    package internal(set) var max: Node?
    package internal(set) var jitter: Node?
    package internal(set) var codes: [Scalar]?
    package let span: Span
  }

  /// An option of a menu.
  package struct Option: Sendable {
    package let label: Template
    /// The label as the definition has it, if a translation replaced it.
    package var original: String?
    package let body: [Step]
  }

  package internal(set) var kind: Kind
  /// Name of the result in later steps.
  package internal(set) var binding: Scalar?
  /// The prompt as the definition has it, if a translation replaced it; it answers, too.
  package internal(set) var originalPrompt: String?
  /// Label for messages and preset answers.
  package internal(set) var label: String?
  /// Guard: the step is skipped unless it is true.
  package internal(set) var guardCondition: ExpressionSource?
  /// Whether the dialog of a called intent is shown.
  package internal(set) var speaks = false
  /// Time limit of each attempt.
  package internal(set) var timeout: Node?
  package internal(set) var retry: Retry?
  /// Treatment if its run was interrupted during it; nil for the verb's default.
  package internal(set) var onResume: ResumePolicy?
  package let span: Span

  /// Name of the step in the path of an error.
  package var displayName: String { label ?? head }

  /// Its first word: the name of the called action or of the block.
  package var head: String {
    switch kind {
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

  /// Error codes named by handlers and retries in steps, in order.
  package static func namedCodes(in steps: [Step]) -> [(code: Scalar, isRetried: Bool)] {
    steps.flatMap { step in
      (step.retry?.codes ?? []).map { ($0, true) }
        + step.handlers.flatMap { $0.codes ?? [] }.map { ($0, false) }
        + step.blocks.flatMap(namedCodes)
    }
  }

  private var handlers: [Handler] {
    if case .attempt(let attempt) = kind { attempt.handlers } else { [] }
  }

  /// Lists of steps within a block, in source order.
  package var blocks: [[Step]] { namedBlocks.map(\.steps) }

  /// Lists of steps within a block, each with its key.
  package var namedBlocks: [(word: String, steps: [Step])] {
    switch kind {
    case .call: []
    case .conditional(let branches, let otherwise):
      branches.enumerated().map { ($0 == 0 ? "then" : "elif", $1.body) } + [("else", otherwise)]
    case .forEach(let loop): [("do", loop.body)]
    case .repeatCount(_, _, let body), .whileLoop(_, let body): [("do", body)]
    case .menu(_, let options): options.map { ("options", $0.body) }
    case .attempt(let attempt):
      [("try", attempt.body)] + attempt.handlers.map { ("catch", $0.body) }
        + [("finally", attempt.finally)]
    case .parallel(let parallel): parallel.branches.map { ($0.name.text, $0.body) }
    case .atomic(let body): [("atomic", body)]
    }
  }
}
