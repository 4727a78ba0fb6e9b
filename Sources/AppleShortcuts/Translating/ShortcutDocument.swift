/// The YAML document of a shortcut.
struct ShortcutDocument {
  let text: String

  /// The words that cannot name a value.
  private static let taken: Set<String> = [
    "it", "input", "self", "vars", "error", "run", "string", "int", "uint", "double", "bool",
    "list",
    "map", "type", "bytes", "timestamp", "duration", "null", "dyn", "now", "last", "true", "false",
    "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
    "loop",
    "package", "namespace", "return", "var", "void", "while", "optional", "i", "t", "m", "n", "f",
    "k",
    "g", "u", "math", "regex", "base64", "strings", "lists", "sets", "optional", "cel", "ip",
    "cidr", "any",
    "step", "steps", "url", "date",
  ]

  init(
    name: String, title: String, file: ShortcutFile, questions: [(ImportQuestions.Question, Int)],
    plan: StepPlan, input: Int, needsInput: Bool, needsForm: Bool, skipsMissing: Bool,
    mended: [String]
  ) {
    let parameters = Set(questions.map(\.0.name))
    let written = StepWriter.write(
      plan, skipsMissing: skipsMissing, taken: Self.taken.union(parameters),
      input: input)
    var steps = written.steps
    var output: YAMLText?
    if case .fields(let entries, _)? = steps.last, let first = entries.first, first.key == "output"
    {
      output = first.value
      steps.removeLast()
    }
    if case .scalar("'{{ it }}'")? = output { output = nil }
    var entries: [(key: String, value: YAMLText)] = [
      ("shortcut", .scalar(name)), ("title", .text(YAMLText.escapingBraces(title))),
    ]
    if let description = Self.description(&steps) {
      entries.append(("description", .text(YAMLText.escapingBraces(description))))
    }
    if written.needsForm || needsForm { entries.append(("texts", .scalar("apple"))) }
    let usesInput = needsInput || written.used.contains(input) || written.usesItAsInput
    if usesInput { entries.append(("input", Self.input(file, isAny: needsInput))) }
    let questions = questions.filter { written.used.contains($0.1) }.map(\.0)
    if !questions.isEmpty {
      entries.append(
        (
          "parameters",
          .block(
            questions.map { question in
              var keys: [(key: String, value: YAMLText)] = [
                ("type", .scalar("string")),
                ("default", .text(YAMLText.escapingBraces(question.standard))),
              ]
              if !question.prompt.isEmpty {
                keys.append(("prompt", .text(YAMLText.escapingBraces(question.prompt))))
              }
              return (question.name, .map(keys))
            })
        ))
    }
    let variables = plan.table.variables.sorted().compactMap { slot in
      written.names[slot].map { (slot: slot, name: $0) }
    }
    if !variables.isEmpty || !written.constants.isEmpty {
      entries.append(
        (
          "variables",
          .block(
            written.constants.map { constant in
              (constant.name, .map([("type", .scalar(constant.type)), ("value", constant.value)]))
            }
              + variables.map { variable in
                if plan.table.slots[variable.slot].isMap {
                  return (
                    variable.name, .map([("type", .scalar("map<any>")), ("value", .scalar("{}"))])
                  )
                }
                let keys: [(key: String, value: YAMLText)] =
                  switch plan.table.kind(ofSlot: variable.slot) {
                  case .text: [("type", .scalar("string")), ("value", .scalar("''"))]
                  case .list, .texts: [("type", .scalar("list<any>")), ("value", .scalar("[]"))]
                  default: [("type", .scalar("any")), ("value", .scalar("null"))]
                  }
                return (variable.name, .map(keys))
              })
        ))
    }
    if !mended.isEmpty {
      steps.insert(.comment(mended.prefix(20).map { "The file was mended: \($0)." }), at: 0)
    }
    let hasStep = steps.contains { if case .comment = $0 { false } else { true } }
    if !hasStep { steps.append(.map([("value", output ?? .scalar("null"))])) }
    entries.append(("steps", .list(steps)))
    if hasStep, let output { entries.append(("output", output)) }
    if let test = ShortcutExample.test(file, usesInput: usesInput, steps: plan.steps) {
      entries.append(("tests", test))
    }
    var text = ""
    for entry in entries {
      if case .list(let values) = entry.value, entry.key == "steps" {
        text += "steps:\n"
        YAMLText.write(values, 2, to: &text)
      } else {
        YAMLText.write([YAMLText.Entry(key: entry.key, value: entry.value)], 0, to: &text)
      }
    }
    self.text = text
  }

  /// The comment at the start, if it is a sentence or two; it is taken out of the steps.
  private static func description(_ steps: inout [YAMLText]) -> String? {
    guard case .comment(let lines)? = steps.first,
      let first = lines.first(where: { !$0.allSatisfy(\.isWhitespace) }),
      !first.hasPrefix("not here: "), !first.hasPrefix("approximated: ")
    else { return nil }
    let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    guard text.count <= 160 else { return first.count <= 160 ? first : nil }
    steps.removeFirst()
    return text
  }

  /// The declaration of the input, from the accepted input types.
  private static func input(_ file: ShortcutFile, isAny: Bool) -> YAMLText {
    let types = Set(file.inputTypes)
    let type: String
    if isAny {
      // A shortcut that calls itself may pass any value.
      type = "any"
    } else if !types.isEmpty,
      types.isSubset(of: [
        "WFStringContentItem", "WFRichTextContentItem", "WFURLContentItem",
        "WFSafariWebPageContentItem",
      ])
    {
      type = "string"
    } else {
      type = "any"
    }
    var entries: [(key: String, value: YAMLText)] = [("type", .scalar(type))]
    if case .asked = file.inputAbsence {
      // An `any` may be null, and the run would not ask for it.
      if type == "any" { entries[0] = ("type", .scalar("string")) }
      entries.append(("prompt", .scalar("'What is the input?'")))
      entries.append(("from", .list([.scalar("argument"), .scalar("clipboard")])))
    } else {
      if type == "any" {
        entries.append(("default", .scalar("null")))
      } else {
        entries[0] = ("type", .scalar("'\(type)?'"))
      }
    }
    return .map(entries)
  }
}
