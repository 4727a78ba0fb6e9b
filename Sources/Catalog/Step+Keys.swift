import YAML

extension Step {
  /// Keys that modify a call or a block.
  static let modifierKeys: [Key<Self>] = [
    Key(
      "as", "The name of the result.",
      .other(.name(.result)) { step, reader in
        step.binding = reader.scalar("as") ?? StepAdvice.bindingMeant(in: reader.mapping)
        if let name = step.binding { reader.collector.checkNew(name, of: "a result") }
      }),
    Key("name", "A label for messages and answers.", .text { $0.label = $1 }),
    Key("when", "The step is skipped unless it is true.", .expression { $0.guardCondition = $1 }),
    Key("speak", "Whether the callee's dialog is shown.", .bool { $0.speaks = $1 }),
    Key("timeout", "Time limit of each attempt.", .value { $0.timeout = $1 }),
    Key(
      "retry", "Retry policy.",
      .other(.either([.value, .keys { Retry.keys }])) { step, reader in
        step.retry = reader.node("retry").flatMap { Retry($0, reader.collector) }
      }),
    Key(
      "onResume", "Treatment after an interruption of the run.",
      .other(.choice(ResumePolicy.allCases.map(\.rawValue))) {
        $0.onResume = $1.choice("onResume")
      }),
  ]

  /// Descriptions of the keys that modify a step.
  package static var modifiers: [KeyDeclaration] { modifierKeys.map(\.declaration) }

  /// Keys of each block: first the one that begins it.
  package static let blocks: [[KeyDeclaration]] = [
    [
      .init("if", .expression, "A condition.", isRequired: true),
      .init("then", .steps, "Steps if it is true.", isRequired: true),
      KeyDeclaration(
        "elif", .list(of: .mapping { Array(blocks[0].prefix(2)) }), "Other conditions."),
      .init("else", .steps, "Steps if none is true."),
    ],
    [
      .init("for", .name(.variable), "The name of a variable.", isRequired: true),
      .init("in", .value, "A list.", isRequired: true), index,
      .init("parallel", .value, "Maximum number of passes at once."),
      .init("pace", .value, "Time between the starts of two passes with the same key."),
      .init("by", .expression, "The key of a pass."), settle, body,
    ],
    [.init("repeat", .value, "Number of times.", isRequired: true), index, body],
    [.init("while", .expression, "A condition.", isRequired: true), body],
    [
      .init("menu", .template, "The question.", isRequired: true),
      .init("options", .names(of: .steps), "Steps by label.", isRequired: true),
    ],
    [
      .init("try", .steps, "Steps that may fail.", isRequired: true),
      KeyDeclaration(
        "catch", .either([.steps, .list(of: .keys { Handler.keys })]), "Error handlers."),
      .init("finally", .steps, "Steps that always run."),
    ],
    [
      .init("parallel", .names(.branch, of: .steps), "Steps by branch name.", isRequired: true),
      .init("limit", .value, "Maximum number of branches at once."), settle,
    ],
    [.init("atomic", .steps, "Steps run in one transaction.", isRequired: true)],
  ]

  private static let body = KeyDeclaration("do", .steps, "Steps to run.", isRequired: true)
  private static let index = KeyDeclaration("index", .name(.variable), "Name of the counter.")
  private static let settle = KeyDeclaration("settle", .bool, "Whether failures become results.")
}

extension Step.Handler {
  /// Keys of a `catch` handler.
  static let keys: [Key<Self>] = [
    Key("on", "The codes of errors.", .texts { $0.codes = $1 }),
    Key("where", "Condition on the error.", .expression { $0.condition = $1 }),
    Key(
      "as", "The name of the error.",
      .other(.name(.variable)) { handler, reader in
        handler.name = reader.scalar("as")
        if let name = handler.name { reader.collector.checkVariable(name, of: "a variable") }
      }),
    Key(
      "do", "Steps to run.", isRequired: true,
      .other(.steps) { handler, reader in
        let steps = StepReader(collector: reader.collector)
        handler.body = reader.node("do").map(steps.steps) ?? []
        guard reader.mapping["do"] == nil else { return }
        reader.collector.report(
          "missing-body", "this handler has no steps", at: reader.span, help: "add `do:`")
      }),
  ]
}

extension Step.Retry {
  /// Keys of `retry`.
  static let keys: [Key<Self>] = [
    Key("times", "Number of times.", isRequired: true, .value { $0.times = $1 }),
    Key("delay", "Delay before the first retry.", .value { $0.delay = $1 }),
    Key("backoff", "Backoff multiplier.", .value { $0.backoff = $1 }),
    Key("max", "The longest delay.", .value { $0.max = $1 }),
    Key("jitter", "Random share of a delay.", .value { $0.jitter = $1 }),
    Key("on", "The codes of errors.", .texts { $0.codes = $1 }),
  ]

  /// Reads `retry: 3`, or a mapping.
  fileprivate init?(_ node: Node, _ collector: DiagnosticCollector) {
    self.init(times: node, span: node.span)
    if node.scalar != nil { return }
    guard var reader = DefinitionReader(node, what: "`retry`", collector) else { return nil }
    reader.read(Self.keys, into: &self)
    defer { reader.finish() }
    if reader.mapping["times"] != nil { return }
    collector.report(
      "missing-argument", "`retry` needs `times`", at: node.span,
      help: "write `retry: 3`, or `retry: {times: 3, delay: 1s}`")
    return nil
  }
}
