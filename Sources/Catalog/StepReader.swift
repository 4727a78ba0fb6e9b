import Source
import YAML

/// Parses the steps of a document.
struct StepReader {
  let collector: DiagnosticCollector

  /// Parses a list of steps, or a single step.
  func steps(_ node: Node) -> [Step] { steps(node, of: nil) }

  /// Parses the steps of a block.
  func steps(_ node: Node, of block: String?) -> [Step] {
    switch node.content {
    case .sequence(let nodes): return nodes.compactMap { step($0) }
    case .mapping: return step(node).map { [$0] } ?? []
    case .scalar(let scalar):
      if scalar.isNull {
        collector.report(
          "missing-body", "there are no steps below \(block.map { "`\($0)`" } ?? "this key")",
          at: node.span, help: "write them below it, each with `- `, or remove it")
        return []
      }
      return step(node, of: block).map { [$0] } ?? []
    }
  }

  private func step(_ node: Node, of block: String? = nil) -> Step? {
    if let scalar = node.scalar { return bareStep(scalar, of: block, at: node.span) }
    guard var reader = DefinitionReader(node, what: "this step", collector) else { return nil }
    var step = Step(kind: .atomic([]), span: node.span)
    reader.read(Step.modifierKeys, into: &step)
    guard let kind = kind(&reader, node) else { return nil }
    step.kind = kind
    return step
  }

  private func bareStep(_ scalar: Scalar, of block: String?, at span: Span) -> Step? {
    guard !scalar.isNull else {
      collector.report(
        "empty-step", "this step is empty", at: span,
        help: "write a step after the `-`, or remove it")
      return nil
    }
    if let block, ["true", "false", "error", "e", "err", "ex", "exception"].contains(scalar.text) {
      collector.report(
        "bad-step", "`\(scalar.text)` is not a step", at: span,
        help: "the steps stand below `\(block):`"
          + (block == "catch" ? ", and `error` is the failure there" : ""))
      return nil
    }
    guard NameForm.kebab.accepts(scalar.text) else {
      collector.report(
        "bad-step", "`\(scalar.text)` is not a step", at: span,
        help: StepAdvice.step(meantBy: scalar, collector).map { "write `\($0)`" }
          ?? "a step is `- verb: value`, or the name of a verb, an intent or a shortcut")
      return nil
    }
    return Step(kind: .call(Step.Call(name: scalar, value: nil)), span: span)
  }

  private func kind(_ reader: inout DefinitionReader, _ node: Node) -> Step.Kind? {
    var heads = ReservedWord.heads.filter { reader.mapping[$0] != nil }
    // `parallel` is a block, but next to `for` it sets the number of concurrent iterations.
    if heads.first == "for" { heads.removeAll { $0 == "parallel" } }
    if heads.count > 1, let second = reader.mapping.entry(heads[1]) {
      collector.report(
        "two-steps", "`\(heads[0])` and `\(heads[1])` cannot be one step", at: second.key.span,
        help: "begin a new step with `- \(heads[1]):`")
      return nil
    }
    reader.block = Step.blocks.first { $0[0].name == heads.first }
    if let head = heads.first, ["repeat", "menu", "for", "if", "while"].contains(head),
      let inner = reader.mapping[head]?.mapping, let key = inner.entries.first?.key
    {
      let (message, help) = refusal(of: inner, below: head)
      collector.report("wrong-type", message, at: key.span, help: help)
      return nil
    }
    switch heads.first {
    case "if" where isMeantAsWhen(reader): return nil
    case "if": return conditional(&reader)
    case "for": return forEach(&reader)
    case "repeat":
      guard let count = reader.node("repeat") else { return nil }
      if let word = count.scalar?.text.lowercased(),
        ["forever", "always", "endless", "infinite", "infinity", "true"].contains(word)
      {
        collector.report(
          "invalid-value", "`repeat` takes a number", at: count.span,
          help: "write `- while: true`, with `do:` beside it, and `- break` where it ends")
        return nil
      }
      let index = reader.scalar("index")
      if let index { collector.checkVariable(index, of: "a variable") }
      return .repeatCount(count: count, index: index, body: body(&reader))
    case "while":
      let condition = reader.expression("while")
      let steps = body(&reader)
      return condition.map { .whileLoop(condition: $0, body: steps) }
    case "menu": return menu(&reader)
    case "try": return attempt(&reader)
    case "parallel": return parallel(&reader)
    case "atomic":
      let body = reader.node("atomic").map { steps($0, of: "atomic") } ?? []
      reader.finish()
      return .atomic(body)
    default: return call(reader, node)
    }
  }

  /// Parses a call, named by the one key that is not a modifier.
  private func call(_ reader: DefinitionReader, _ node: Node) -> Step.Kind? {
    let modifiers = ReservedWord.modifiers
    var calls = reader.mapping.entries.filter { !modifiers.contains($0.key.text) }
    guard var entry = calls.first else {
      let modifier = reader.mapping.entries.first?.key.text ?? "as"
      collector.report(
        "empty-step", "this step calls nothing", at: node.span,
        help: "add the name of a verb, an intent or a shortcut; if `\(modifier)` belongs to the "
          + "step before, write it without `- `, below the first word of that step")
      // Keep the name of its result, so that later steps raise no further errors.
      return .atomic([])
    }
    if calls.count > 1, !collector.isVerb(entry.key.text),
      let help = StepAdvice.help(
        onForeignWord: entry.key, as: reader.mapping["as"]?.scalar?.text)
    {
      collector.report(
        "unknown-step", "unknown step `\(entry.key.text)`", at: entry.key.span, help: help)
      return nil
    }
    if let help = StepAdvice.foreignForm(of: calls) {
      collector.report(
        "two-steps", "`\(entry.key.text)` and `\(calls[1].key.text)` cannot be one step",
        at: calls[1].key.span, help: help)
      return nil
    }
    if calls.count > 2, let help = StepAdvice.retry(among: calls.dropFirst()) {
      collector.report(
        "unknown-key", "a step has no key `\(help.key.text)`", at: help.key.span,
        help: help.text)
      return nil
    }
    if calls.count > 1, let (wrong, problem) = StepAdvice.mistypedModifier(among: calls, collector)
    {
      collector.report(problem)
      calls.removeAll { $0.key.text == wrong }
      guard calls.count == 1 else { return nil }
      entry = calls[0]
    }
    if calls.count > 1, entry.value.scalar?.isNull == true, collector.isVerb(entry.key.text),
      calls[1].key.span.position.line > entry.key.span.position.line
    {
      let key = calls[1].key
      let column = node.span.position.column + 1
      collector.report(
        "two-steps", "`\(key.text)` is not indented below `\(entry.key.text)`", at: key.span,
        help: key.span.line(with: key.text).map {
          "indent what belongs to `\(entry.key.text)` by two more: write "
            + "`\(String(repeating: " ", count: column))\($0)`"
        })
      return nil
    }
    if let wrong = calls.dropFirst().first(where: { !collector.isVerb($0.key.text) }),
      !ReservedWord.isBlockWord(wrong.key.text),
      let help = StepAdvice.help(onForeignWord: wrong.key), help.contains("- try")
    {
      collector.report(
        "unknown-key", "a step has no key `\(wrong.key.text)`", at: wrong.key.span, help: help)
      return nil
    }
    if calls.count > 1 {
      let block = calls.first { ReservedWord.isBlockWord($0.key.text) }
      collector.report(
        "two-steps",
        block.map { "`\($0.key.text)` does not belong to `\(entry.key.text)`" }
          ?? "`\(entry.key.text)` and `\(calls[1].key.text)` cannot be one step",
        at: calls[1].key.span,
        help: separateSteps(calls, in: node)
          ?? block.flatMap { $0.key.text == "limit" ? nil : blockHelp($0.key, entry) }
          ?? StepAdvice.arguments(of: entry, beside: Array(calls.dropFirst()), collector)
          ?? block.map { blockHelp($0.key, entry) }
          ?? (collector.isVerb(calls[1].key.text)
            ? "begin a new step with `- \(calls[1].key.text):`"
            : "remove `\(calls[1].key.text)`: beside a call stand only "
              + "\(ReservedWord.modifiers.map { "`\($0)`" }.joined(separator: ", ")); an argument is "
              + "indented below `\(entry.key.text):`, another step begins with `- `"))
      return nil
    }
    let value =
      entry.value.scalar?.isNull == true && entry.value.scalar?.text == ""
      ? nil : entry.value
    return .call(Step.Call(name: entry.key, value: value))
  }

  /// Advice on steps without the `- ` before each; nil for the keys of an item of a list.
  private func separateSteps(_ calls: [Mapping.Entry], in node: Node) -> String? {
    let before = node.span.file.bytes[..<node.span.range.lowerBound].last { $0 != 0x20 }
    guard before == UInt8(ascii: "\n"), calls.allSatisfy({ collector.isVerb($0.key.text) }) else {
      return nil
    }
    return "each step begins with `- `: write "
      + calls.prefix(3).map { "`- \($0.key.text): \(Self.line(of: $0.value))`" }
      .joined(separator: ", ")
  }

  /// The text of a value for advice; `…` for a long one.
  private static func line(of value: Node) -> String {
    let text = value.span.text
    return text.utf8.count <= 60 && !text.contains("\n") ? text : "…"
  }

  /// Advice on a key of a block next to a call, as in `say` with `catch`.
  private func blockHelp(_ key: Scalar, _ call: Mapping.Entry) -> String {
    let step = "[{\(call.key.text): \(Self.line(of: call.value))}]"
    return switch key.text {
    case "catch", "finally": "write `- try: \(step)`, with `\(key.text):` beside it"
    case "then", "else", "elif":
      "write `- if: …`, with `then: \(step)` and `\(key.text == "then" ? "else" : key.text):` beside it"
    case "in", "do", "index":
      "write `- for: item`, with `in: …` and `do: \(step)` beside it"
    default: StepAdvice.block(of: key) ?? "begin a new step with `- \(key.text):`"
    }
  }

  /// Reports an `if` next to a call, where `when` is meant.
  private func isMeantAsWhen(_ reader: DefinitionReader) -> Bool {
    let mapping = reader.mapping
    guard mapping["then"] == nil, mapping["elif"] == nil, mapping["else"] == nil,
      let condition = mapping.entry("if"),
      let call = mapping.entries.first(where: { !ReservedWord.isBlockWord($0.key.text) })
    else { return false }
    collector.report(
      "two-steps",
      "`if` is a block; the condition of `\(call.key.text)` is `when`",
      at: condition.key.span,
      help: condition.value.scalar.map {
        StepAdvice.status(testedBy: ExpressionSource.bare($0.text))
          ?? "write `when: \(ExpressionSource.bare($0.text))`"
      } ?? "write `when`")
    return true
  }

  func body(_ reader: inout DefinitionReader) -> [Step] {
    defer { reader.finish() }
    guard let node = reader.node("do") ?? steps(of: &reader, insteadOf: "do") else {
      if refusesStepBeside(&reader, below: "do") { return [] }
      collector.report(
        "missing-body", "this block has no steps", at: reader.span, help: "add `do:`")
      return []
    }
    return steps(node)
  }

  private func conditional(_ reader: inout DefinitionReader) -> Step.Kind? {
    var branches: [Step.Branch] = []
    if let condition = reader.expression("if") {
      branches.append(Step.Branch(condition: condition, body: then(&reader)))
    } else {
      _ = reader.node("then")
    }
    if let node = reader.node("elif") {
      for node in node.sequence ?? [node] {
        if let scalar = node.scalar {
          collector.report(
            "wrong-type", "`elif` must be a list of conditions with steps, not text",
            at: node.span,
            help: "write `elif: [{if: \(Self.quoted(scalar)), then: …}]`")
          continue
        }
        guard var branch = DefinitionReader(node, what: "an `elif`", collector) else { continue }
        if let condition = branch.expression("if") {
          branches.append(Step.Branch(condition: condition, body: then(&branch)))
        } else {
          collector.report(
            "missing-condition", "an `elif` needs an `if`", at: node.span,
            help: "write `- if: …` above its `then:`")
          _ = branch.node("then")
        }
        branch.finish()
      }
    }
    let otherwise = reader.node("else").map(steps) ?? []
    for entry in reader.mapping.entries where entry.key.text != "elif" {
      guard let help = StepAdvice.otherCondition(entry.key) else { continue }
      reader.refuse(entry.key.text, help: help)
    }
    reader.finish()
    return branches.isEmpty ? nil : .conditional(branches: branches, otherwise: otherwise)
  }

  /// Quotes a scalar if a flow mapping needs it.
  private static func quoted(_ scalar: Scalar) -> String {
    scalar.text.contains { ",{}[]'\":#".contains($0) }
      ? "'\(scalar.text.replacing("'", with: "''"))'" : scalar.text
  }

  private func then(_ reader: inout DefinitionReader) -> [Step] {
    guard let node = reader.node("then") ?? steps(of: &reader, insteadOf: "then") else {
      if refusesStepBeside(&reader, below: "then") { return [] }
      collector.report(
        "missing-body", "this `if` has no `then`", at: reader.span,
        help: "add `then:` and its steps")
      return []
    }
    return steps(node)
  }

  /// Whether the one step of a block stands beside it instead of below a key, which is reported.
  private func refusesStepBeside(_ reader: inout DefinitionReader, below word: String) -> Bool {
    guard let step = reader.mapping.entries.first(where: { collector.isVerb($0.key.text) }) else {
      return false
    }
    reader.refuse(
      step.key.text,
      help:
        "write `\(word): [{\(step.key.text): \(Self.line(of: step.value))}]`, one line for each "
        + "step if there are several")
    return true
  }

  /// The steps under another key of the language, which is reported; nil if there are none.
  private func steps(of reader: inout DefinitionReader, insteadOf word: String) -> Node? {
    for other in ["do", "then", "steps"] where other != word {
      guard let node = reader.mapping[other] else { continue }
      reader.refuse(other, help: "did you mean `\(word)`?")
      return node
    }
    return nil
  }
}
