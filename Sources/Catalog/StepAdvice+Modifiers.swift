import CEL
import Source
import YAML

/// Corrections for keys beside the verb of a step.
extension StepAdvice {
  /// A mistyped `when` or `as` next to a call, or another language's word for one; nil if no key
  /// resembles one.
  static func mistypedModifier(
    among entries: [Mapping.Entry], _ collector: DiagnosticCollector
  ) -> (key: String, problem: Diagnostic)? {
    for (position, entry) in entries.enumerated() {
      let key = entry.key
      let help: String
      if let foreign = foreignModifier(entry) {
        let isPart =
          position > 0 && (isArgument(key) || key.text == "with" && entries[0].key.text == "run")
        help = (isPart ? arguments(of: entries[0], beside: [entry], collector) : nil) ?? foreign
      } else if position > 0, !collector.isVerb(key.text),
        let block = Step.blocks.joined().map(\.name).first(where: {
          $0 != key.text && $0 == key.text.lowercased()
        })
      {
        help = "did you mean `\(block)`?"
      } else if position > 0, !collector.isVerb(key.text), !ReservedWord.isBlockWord(key.text),
        let near = Suggestion.nearest(to: key.text, in: ReservedWord.modifiers)
      {
        help = "did you mean `\(near)`?"
      } else {
        continue
      }
      return (
        key.text,
        Diagnostic("unknown-key", "a step has no key `\(key.text)`", at: key.span, help: help)
      )
    }
    return nil
  }

  /// Advice on a condition of GitHub Actions on the steps before; nil for other conditions.
  static func status(testedBy condition: String) -> String? {
    switch condition.filter({ !"${} ".contains($0) }) {
    case "success()": "remove it: a step runs only after those before have succeeded"
    case "failure()":
      "put the steps before below `- try:`, and this one below its `catch:`"
    case "always()", "cancelled()", "!cancelled()":
      "put the steps before below `- try:`, and this one below its `finally:`"
    default: nil
    }
  }

  /// The step for one of GitHub Actions or Home Assistant whose first word is a verb here, too; nil for
  /// others.
  static func foreignForm(of calls: [Mapping.Entry]) -> String? {
    guard calls.count > 1, let first = calls.first else { return nil }
    let others = calls.dropFirst().map(\.key.text)
    switch first.key.text {
    case "run" where others.contains("shell") || others.contains("working-directory"):
      let line = first.value.scalar.map { $0.text.contains("\n") ? "|…" : first.value.span.text }
      return "write `- exec: {shell: \(line ?? "…")}`, without `\(others[0])`"
    case "choose" where others.contains("default"):
      let first = first.value.sequence?.first?.mapping
      let test = (first?["conditions"] ?? first?["condition"])?.scalar.map {
        ExpressionSource.bare($0.text)
      }
      return
        "write `- if: \(test ?? "…")` with `then:` for the first, `elif: [{if: …, then: …}]` for "
        + "others, and `else:` for `default:`"
    default: return nil
    }
  }

  /// The `retry` for the number and the pause of another language's keys, at the first of them; nil
  /// unless both are there.
  static func retry(among entries: some Sequence<Mapping.Entry>) -> (key: Scalar, text: String)? {
    func first(_ words: Set<String>) -> Mapping.Entry? {
      entries.first { words.contains($0.key.text.lowercased()) }
    }
    if first(["until"]) != nil, let times = first(["retries", "attempts"]) {
      return (
        times.key,
        "to ask until something holds write `- repeat: \(times.value.scalar?.text ?? "5")`, with `do:`, and "
          + "in it this step, `- break` with `when: …` below it, and `- wait: 10s`"
      )
    }
    guard let times = first(["retries", "attempts", "times", "tries"]),
      let pause = first(["delay", "interval", "pause", "wait", "backoff"]),
      let count = times.value.scalar?.text, let length = pause.value.scalar?.text
    else { return nil }
    return (
      times.key,
      "write `retry: {times: \(count), delay: \(length)\(Int(length) == nil ? "" : "s")}` for both"
    )
  }

  /// The result's name under another language's key for `as`, which is reported; nil if there is
  /// none.
  static func bindingMeant(in mapping: Mapping) -> Scalar? {
    let calls = mapping.entries.filter { !ReservedWord.modifiers.contains($0.key.text) }
    guard calls.count > 1 else { return nil }
    let entry = calls.first { foreignModifier($0)?.contains("`as: ") == true }
    return entry?.value.scalar.flatMap { scalar in
      NameForm.lowerCamel.corrected(scalar.text).map {
        Scalar(text: $0, style: scalar.style, span: scalar.span)
      }
    }
  }

  /// Whether a key next to a call is one of the arguments of `exec`.
  static func isArgument(_ key: Scalar) -> Bool {
    ["env", "environment", "dir"]
      .contains(key.text.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// Advice on another language's key next to a call; nil for other keys.
  static func foreignModifier(_ entry: Mapping.Entry) -> String? {
    let key = entry.key
    switch key.text.lowercased().filter({ $0 != "-" && $0 != "_" }) {
    case "variable", "var", "responsevariable", "resultvariable", "id", "register", "into",
      "saveas", "storeas", "resultas", "bind", "assignto":
      return entry.value.scalar.flatMap { NameForm.lowerCamel.corrected($0.text) }
        .map { "to name the result write `as: \($0)`" }
    case "condition", "onlyif", "runif":
      return key.span.line(with: "when").map { "write `\($0)`" } ?? "write `when`"
    case "unless":
      return entry.value.scalar.map { "write `when: '!(\($0.text.replacing("'", with: "''")))'`" }
    case "async", "background":
      return "a step ends before the next begins: write `- parallel:` with named branches, or "
        + "`- enqueue:` for a worker"
    case "loop", "withitems", "foreach", "strategy", "matrix":
      return "write `- for: item` with `in:` and `do:`, and the step below `do:`"
    case "args", "arguments", "with", "data", "params", "inputs":
      return "write the arguments below the verb, indented by two more"
    case _ where isArgument(key):
      return "it is an argument: write it below the verb, indented by two more"
    case "retries", "attempts":
      return entry.value.scalar.flatMap { Int($0.text) }.map { "write `retry: \($0)`" }
        ?? "write `retry: 3`"
    case "timeoutminutes", "timeoutseconds":
      let unit = key.text.hasSuffix("inutes") ? "m" : "s"
      return "write `timeout: \(entry.value.scalar?.text ?? "5")\(unit)`"
    case "changedwhen", "become", "becomeuser", "nolog", "delegateto", "runonce":
      return "remove it: a step has no such choice"
    case "failedwhen":
      return entry.value.scalar?.bool == false
        ? "write `check: false` among the arguments of `exec`"
        : "write `- fail: …` with `when:` after it"
    case "output", "outputs", "returns", "result":
      guard let scalar = entry.value.scalar, let name = NameForm.lowerCamel.corrected(scalar.text)
      else { return nil }
      return "to name the result write `as: \(name)`"
    case "workingdirectory", "cwd", "chdir", "workdir":
      return "write `dir: \(entry.value.scalar?.text ?? "…")` among the arguments, as in "
        + "`- exec: {command: […], dir: \(entry.value.scalar?.text ?? "…")}`"
    case "continueonerror", "ignoreerrors", "onerror":
      return
        "put the step below `- try:`, and write `catch: [{log: '{{ error.message }}'}]` beside it"
    case "comment", "label": return "write `name:`, or a comment after `# `"
    default: return nil
    }
  }

  /// The problem of `for: x in xs`, which takes two keys here; nil for other texts.
  static func loop(inOneLine text: Scalar) -> Diagnostic? {
    let words = text.text.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3, words[1] == "in" || words[1] == "of" else { return nil }
    let list = words[2].trimmed
    let plain = list.hasPrefix("{{") ? list : "{{ \(list) }}"
    return Diagnostic(
      "missing-list", "`for` takes only the name of the variable", at: text.span,
      help: "write `for: \(words[0])`, and on the next line "
        + "`in: '\(plain.replacing("'", with: "''"))'`")
  }
}
