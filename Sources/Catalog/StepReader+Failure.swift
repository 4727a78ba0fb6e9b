import Source
import YAML

/// Steps that handle failures, and steps at once.
extension StepReader {
  /// Parses `try`, `catch` and `finally`.
  func attempt(_ reader: inout DefinitionReader) -> Step.Kind? {
    let body = reader.node("try").map(steps) ?? []
    let handlers = reader.node("catch").map(handlers) ?? []
    let finally = reader.node("finally").map(steps) ?? []
    if reader.mapping["catch"] == nil, reader.mapping["finally"] == nil {
      collector.report(
        "missing-body", "this `try` has neither `catch` nor `finally`", at: reader.span,
        help: "add `catch:` with the steps to run after a failure")
    }
    reader.finish()
    return .attempt(Step.Attempt(body: body, handlers: handlers, finally: finally))
  }

  /// Parses the handlers of a `catch`: a list of mappings with `do`, or plain steps for all errors.
  private func handlers(_ node: Node) -> [Step.Handler] {
    let nodes = node.sequence ?? [node]
    if let entry = node.mapping?.entries.first, node.mapping?.entries.count == 1,
      entry.value.sequence?.contains(where: { $0.mapping != nil }) == true,
      isCode(entry.key.text, above: entry.value)
    {
      collector.report(
        "wrong-type", "a handler of `catch` names its errors by `on`", at: entry.key.span,
        help: "write `catch: [{on: \(entry.key.text), do: [STEPS]}]`, "
          + "or the steps alone for any error")
      return []
    }
    let hasForm = nodes.contains { $0.mapping?["do"] != nil && !Self.isLoop($0) }
    guard hasForm else { return [Step.Handler(body: steps(node, of: "catch"), span: node.span)] }
    return nodes.compactMap { node in
      guard var reader = DefinitionReader(node, what: "a handler of `catch`", collector) else {
        return nil
      }
      var handler = Step.Handler(span: node.span)
      reader.read(Step.Handler.keys, into: &handler)
      reader.finish()
      return handler
    }
  }

  /// Whether a key stands for the code of a failure, with the steps of its handler below it.
  private func isCode(_ word: String, above node: Node) -> Bool {
    // As a step, it would start a program whose words are the steps.
    if ["exec", "http"].contains(word) { return true }
    if collector.isVerb(word) || ReservedWord.isBlockWord(word) || ["do", "steps"].contains(word) {
      return false
    }
    return node.sequence?.allSatisfy { step in
      step.mapping?.entries.first.map { collector.isVerb($0.key.text) } ?? false
    } == true
  }

  /// Whether a mapping with `do` is a loop rather than a handler.
  private static func isLoop(_ node: Node) -> Bool {
    ["for", "repeat", "while"].contains { node.mapping?[$0] != nil }
  }

  /// Parses the block `parallel`: named branches.
  func parallel(_ reader: inout DefinitionReader) -> Step.Kind? {
    var branches: [(name: Scalar, body: [Step])] = []
    for entry in reader.entries("parallel") {
      collector.check(entry.key, form: .lowerCamel, of: "a branch")
      branches.append((entry.key, steps(entry.value)))
    }
    if branches.isEmpty, reader.mapping["parallel"]?.sequence == nil {
      collector.report(
        "missing-body", "this `parallel` has no branches", at: reader.span,
        help: "add a name with steps for each")
    }
    let limit = reader.node("limit")
    let settles = reader.bool("settle") ?? false
    reader.finish()
    return .parallel(Step.Parallel(branches: branches, limit: limit, settles: settles))
  }

  /// Parses the keys of a `for` with concurrent iterations.
  func parallelPasses(_ reader: inout DefinitionReader) -> Step.ParallelPasses? {
    let limit = reader.node("parallel")
    let pace = reader.node("pace")
    let key = reader.expression("by")
    let settles = reader.bool("settle")
    if limit == nil, let lone = pace?.span ?? key?.span ?? reader.mapping["settle"]?.span {
      collector.report(
        "missing-argument", "`pace`, `by` and `settle` need `parallel`",
        at: lone, help: "add `parallel:` with the largest number of passes at once")
    }
    return limit.map {
      Step.ParallelPasses(limit: $0, pace: pace, key: key, settles: settles ?? false)
    }
  }
}
