import Source
import YAML

/// Loops and menus.
extension StepReader {
  func forEach(_ reader: inout DefinitionReader) -> Step.Kind? {
    let variable = reader.scalar("for")
    let list = reader.node("in")
    let index = reader.scalar("index")
    let passes = parallelPasses(&reader)
    if let variable, list == nil, let problem = StepAdvice.loop(inOneLine: variable) {
      collector.report(problem)
      _ = body(&reader)
      return nil
    }
    if let key = list?.mapping?.entries.first?.key, list?.mapping?.entries.count == 1,
      collector.isVerb(key.text)
    {
      collector.report(
        "wrong-type", "`in` takes a list, not a step", at: key.span,
        help: "write the step `- \(key.text): …` before the `for`, and `in: '{{ it }}'`")
      _ = body(&reader)
      return nil
    }
    if let variable, variable.text.contains(",") {
      collector.report(
        "bad-name", "`for` takes one name", at: variable.span,
        help: "write `for: entry`, and use `entry.key` and `entry.value`")
      _ = body(&reader)
      return nil
    }
    for name in [variable, index].compactMap({ $0 }) {
      collector.checkVariable(name, of: "a variable")
    }
    let steps = body(&reader)
    guard let variable else { return nil }
    guard let list else {
      collector.report(
        "missing-list", "this `for` has no list to go through", at: variable.span,
        help: "add `in: '{{ … }}'`")
      return nil
    }
    return .forEach(
      Step.ForEach(variable: variable, list: list, index: index, parallel: passes, body: steps))
  }

  func menu(_ reader: inout DefinitionReader) -> Step.Kind? {
    if let list = reader.mapping["menu"]?.sequence {
      let labels = list.compactMap(\.scalar?.text).prefix(4).map { "\($0): […]" }
      collector.report(
        "wrong-type", "`menu` takes the question, and its labels stand below `options`",
        at: reader.mapping["menu"]?.span ?? reader.span,
        help:
          "write `- menu: Which?`, with `options: {\(labels.joined(separator: ", "))}` beside it")
      return nil
    }
    let prompt = reader.mapping["menu"]?.scalar?.isNull == true ? nil : reader.template("menu")
    _ = reader.node("menu")
    var options: [Step.Option] = []
    if let labels = reader.mapping["options"]?.sequence {
      _ = reader.node("options")
      let label = labels.first?.scalar?.text ?? "…"
      collector.report(
        "wrong-type", "the `options` of a menu must be labels with steps, not a list",
        at: reader.mapping.entry("options")?.key.span ?? reader.span,
        help: "write a label and its steps on each line: `\(label): [{say: …}]`; to choose a "
          + "value from a list, use `choose`")
      reader.finish()
      return nil
    }
    for entry in reader.entries("options") {
      let label = collector.template(entry.key)
      let body = steps(entry.value)
      if let label { options.append(Step.Option(label: label, body: body)) }
    }
    if options.isEmpty {
      collector.report(
        "missing-options", "a menu needs `options`", at: reader.span,
        help: "add `options:` with a label and steps for each")
    }
    reader.finish()
    return .menu(prompt: prompt, options: options)
  }

  /// The message and the advice on keys written below the first word of a block.
  func refusal(of inner: Mapping, below head: String) -> (message: String, help: String) {
    let key = inner.entries[0].key.text
    let value = inner.entries.first { $0.value.scalar != nil }?.value.span.text
    switch head {
    case "repeat" where ["while", "until"].contains(key) && value != nil:
      let condition = key == "while" ? value : value.map { "'!(\(ExpressionSource.bare($0)))'" }
      return (
        "`repeat` takes a number",
        "write `- while: \(condition ?? "…")`, with `do:` beside it"
      )
    case "menu" where inner.entries.allSatisfy({ $0.value.sequence != nil }):
      return (
        "the labels of a `menu` stand below `options`",
        "write `- menu: Which?`, with `options:` beside it, and the labels below that"
      )
    case "for" where inner.entries.count == 1 && NameForm.lowerCamel.accepts(key):
      return (
        "`for` takes only the name of the variable",
        "write `- for: \(key)`, with `in: \(inner.entries[0].value.span.text.prefix(60))` and `do:` "
          + "beside it"
      )
    default:
      return (
        "the keys of \("aeiou".contains(head.prefix(1)) ? "an" : "a") `\(head)` stand beside it, not "
          + "below it",
        "write `- \(head): \(value ?? "…")`, with \(Self.keys(of: inner, besides: value)) in line "
          + "with `\(head)`"
      )
    }
  }

  /// The keys of a block written below its first word, each by its name here.
  private static func keys(of inner: Mapping, besides value: String?) -> String {
    let others = inner.entries.filter { $0.value.span.text != value }.map { entry in
      ["sequence", "steps", "actions", "body", "tasks", "run"].contains(entry.key.text)
        ? "`do:`" : "`\(entry.key.text):`"
    }
    return others.isEmpty ? "the other keys" : others.joined(separator: " and ")
  }
}
