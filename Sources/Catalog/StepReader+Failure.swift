import Source
import YAML

/// Reads blocks that handle failure, and those that run at once.
extension StepReader {
  /// `try`, `catch` and `finally`.
  func attempt(_ reader: inout DefinitionReader) -> Step.Kind? {
    let body = reader.node("try").map(steps) ?? []
    let handlers = reader.node("catch").map(handlers) ?? []
    let finally = reader.node("finally").map(steps) ?? []
    if reader.mapping["catch"] == nil, reader.mapping["finally"] == nil {
      collector.report(
        Diagnostic(
          "missing-body", "this `try` has neither `catch` nor `finally`", at: reader.span,
          help: "add `catch:` with what is to be done when a step fails"))
    }
    reader.finish()
    return .attempt(Step.Attempt(body: body, handlers: handlers, finally: finally))
  }

  /// The handlers of a `catch`: a list of mappings with `do`, or just steps for all errors.
  private func handlers(_ node: Node) -> [Step.Handler] {
    let nodes = node.sequence ?? [node]
    let hasForm = nodes.contains { $0.mapping?["do"] != nil && !Self.isLoop($0) }
    guard hasForm else {
      return [
        Step.Handler(codes: nil, condition: nil, name: nil, body: steps(node), span: node.span)
      ]
    }
    return nodes.compactMap { node in
      guard var reader = DefinitionReader(node, what: "a handler of `catch`", collector) else {
        return nil
      }
      let codes = reader.scalars("on")
      let condition = reader.expression("where")
      let name = reader.scalar("as")
      if let name { collector.checkVariable(name, of: "a variable") }
      let body = reader.node("do").map(steps)
      if body == nil {
        collector.report(
          Diagnostic(
            "missing-body", "this handler has no steps", at: node.span, help: "add `do:`"))
      }
      reader.finish()
      return Step.Handler(
        codes: codes, condition: condition, name: name, body: body ?? [], span: node.span)
    }
  }

  /// Whether a mapping with `do` is a loop and no handler.
  private static func isLoop(_ node: Node) -> Bool {
    ["for", "repeat", "while"].contains { node.mapping?[$0] != nil }
  }

  /// `retry: 3`, or a mapping.
  func retry(_ node: Node) -> Step.Retry? {
    if node.scalar != nil {
      return Step.Retry(
        times: node, delay: nil, backoff: nil, max: nil, jitter: nil, codes: nil, span: node.span)
    }
    guard var reader = DefinitionReader(node, what: "`retry`", collector) else { return nil }
    let times = reader.node("times")
    let (delay, backoff) = (reader.node("delay"), reader.node("backoff"))
    let (max, jitter) = (reader.node("max"), reader.node("jitter"))
    let codes = reader.scalars("on")
    let retry = times.map {
      Step.Retry(
        times: $0, delay: delay, backoff: backoff, max: max, jitter: jitter, codes: codes,
        span: node.span)
    }
    if times == nil {
      collector.report(
        Diagnostic(
          "missing-argument", "`retry` needs `times`", at: node.span,
          help: "write `retry: 3`, or `retry: {times: 3, delay: 1s}`"))
    }
    reader.finish()
    return retry
  }

  /// `parallel` as a block: names with steps.
  func parallel(_ reader: inout DefinitionReader) -> Step.Kind? {
    var branches: [(name: Scalar, body: [Step])] = []
    for entry in reader.entries("parallel") {
      collector.check(entry.key, form: .lowerCamel, of: "a branch")
      branches.append((entry.key, steps(entry.value)))
    }
    if branches.isEmpty, reader.mapping["parallel"]?.sequence == nil {
      collector.report(
        Diagnostic(
          "missing-body", "this `parallel` has no branches", at: reader.span,
          help: "add a name with steps for each"))
    }
    let limit = reader.node("limit")
    let settles = reader.bool("settle") ?? false
    reader.finish()
    return .parallel(Step.Parallel(branches: branches, limit: limit, settles: settles))
  }

  /// The keys of a `for` whose passes run at once.
  func parallelPasses(_ reader: inout DefinitionReader) -> Step.ParallelPasses? {
    let limit = reader.node("parallel")
    let pace = reader.node("pace")
    let key = reader.expression("by")
    let settles = reader.bool("settle")
    if limit == nil, let lone = pace?.span ?? key?.span ?? reader.mapping["settle"]?.span {
      collector.report(
        Diagnostic(
          "missing-argument", "`pace`, `by` and `settle` are for passes that run at once",
          at: lone, help: "add `parallel:` with how many at most"))
    }
    return limit.map {
      Step.ParallelPasses(limit: $0, pace: pace, key: key, settles: settles ?? false)
    }
  }
}
