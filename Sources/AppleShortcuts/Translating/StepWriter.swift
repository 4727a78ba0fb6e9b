/// Writes steps as YAML in two passes, since names are assigned only once the uses of `it` are
/// known.
struct StepWriter {
  private var writer: CodeWriter
  private let table: SlotTable

  /// Writes steps.
  ///
  /// - Parameter taken: Names that are already used.
  static func write(
    _ plan: StepPlan, skipsMissing: Bool, taken: Set<String>, input: Int
  ) -> Written {
    let (steps, table) = (plan.steps, plan.table)
    var first = StepWriter(table, [:], skipsMissing)
    first.writer.it = input
    first.writer.input = input
    _ = first.block(steps)
    let used = first.writer.named
    let constants = plan.constants.map(\.slot)
    let names = SlotNames.unique(used.union(table.variables).union(constants), table, taken)
    var second = StepWriter(table, names, skipsMissing)
    second.writer.named = used
    second.writer.it = input
    second.writer.input = input
    let written = second.block(steps)
    var result = Written(
      steps: written, names: names, used: used, usesItAsInput: second.writer.readInput,
      needsForm: second.writer.needsForm)
    result.constants = plan.constants.map { slot, code in
      let type =
        switch table.kind(of: code) {
        case .text?: "string"
        case .dictionary?: "map<any>"
        case .list?, .texts?: "list<any>"
        default: "any"
        }
      return (names[slot] ?? "", type, second.template(code))
    }
    return result
  }

  /// The written steps.
  struct Written {
    let steps: [YAMLText]
    /// The names of slots.
    let names: [Int: String]
    /// The slots that are written.
    let used: Set<Int>
    let usesItAsInput: Bool
    /// Whether texts need the form of values in Apple's app.
    let needsForm: Bool
    /// The constants by name.
    var constants: [(name: String, type: String, value: YAMLText)] = []
  }

  private init(_ table: SlotTable, _ names: [Int: String], _ skipsMissing: Bool) {
    self.table = table
    writer = CodeWriter(table: table, names: names, it: nil, skipsMissing: skipsMissing)
  }

  // MARK: Steps

  private mutating func block(_ steps: [Step], isOptional: Bool = false) -> [YAMLText] {
    var result: [YAMLText] = []
    for step in steps { result += self.step(step) }
    if isOptional, result.isEmpty { return [] }
    if result.isEmpty, steps.contains(where: \.isResult) {
      // The branch does not change `it`.
      return [.block([("value", .scalar("'{{ it }}'"))])]
    }
    if !result.contains(where: { if case .comment = $0 { false } else { true } }) {
      result.append(.block([("value", .scalar("null"))]))
      writer.it = nil
    }
    return result
  }

  private mutating func step(_ step: Step) -> [YAMLText] {
    let before = writer.it
    var entries: [(key: String, value: YAMLText)] = []
    switch step.content {
    case .comment(let lines): return [.comment(lines)]
    case .set(let slot, let code): return [set(slot, code)]
    case .call(let verb, let arguments):
      if let code = step.pureCode, writer.cel(code) == "it",
        !(step.slot.map { writer.named.contains($0) || table.variables.contains($0) } ?? false)
      {
        if let slot = step.slot { writer.it = slot }
        return []
      }
      if let slot = step.slot, table.variables.contains(slot), let code = step.pureCode {
        guard step.isResult else { return [set(slot, code)] }
        // A block ending with a variable needs an explicit value.
        let value = template(code, isBare: true)
        return [
          .block([("value", value)]),
          .block([("set", .map([(writer.name(slot), .scalar("'{{ it }}'"))]))]),
        ]
      }
      if let slot = step.slot, let code = step.pureCode, !step.isResult, step.results.isEmpty,
        writer.named.contains(slot), writer.names[slot] != nil
      {
        return [set(slot, code)]
      }
      if arguments.isEmpty { entries = [(verb, .scalar(""))] }
      if arguments.count == 1, arguments[0].key == nil {
        entries = [(verb, argument(arguments[0].value, verb))]
      } else if !arguments.isEmpty {
        entries = [
          (
            verb,
            .map(
              arguments.map { ($0.key ?? "value", argument($0.value, "\(verb) \($0.key ?? "")")) })
          )
        ]
      }
      if verb == "http" || verb == "open-url", !hasPlainAddress(arguments) {
        writer.needsForm = true
      }
      if verb == "write-file", arguments.contains(where: { $0.key == "mode" }) {
        writer.needsForm = true
      }
    case .choice(let branches, let otherwise):
      var isSwapped = false
      for (index, branch) in branches.enumerated() {
        let condition = condition(branch.condition)
        writer.it = before
        let isNamed =
          step.slot.map { writer.named.contains($0) || table.variables.contains($0) } ?? false
        let state = writer
        if branches.count == 1, !isNamed, let otherwise, isIdle(branch.steps) {
          // A branch that leaves its value unchanged needs no steps.
          writer = state
          let opposite = self.condition(Conditions.negated(branch.condition))
          entries = [("if", opposite), ("then", .list(block(otherwise)))]
          isSwapped = true
          continue
        }
        writer.it = before
        let body = YAMLText.list(block(branch.steps))
        if index == 0 {
          entries = [("if", condition), ("then", body)]
        } else {
          let elif = YAMLText.block([("if", condition), ("then", body)])
          if case .list(let others)? = entries.last(where: { $0.key == "elif" })?.value {
            entries[entries.count - 1].value = .list(others + [elif])
          } else {
            entries.append(("elif", .list([elif])))
          }
        }
        writer.it = before
      }
      if let otherwise, !isSwapped {
        // Without `else`, `it` keeps its value; a named result needs an explicit `else`.
        let isNamed =
          step.slot.map { writer.named.contains($0) || table.variables.contains($0) } ?? false
        let body = block(otherwise, isOptional: !isNamed)
        if !body.isEmpty { entries.append(("else", .list(body))) }
      }
    case .each(let item, let list, let index, let steps):
      entries = [("for", .scalar(table.slots[item].name)), ("in", template(list))]
      writer.it = item
      let body = block(steps)
      if writer.named.contains(index) {
        entries.append(("index", .scalar(table.slots[index].name)))
      }
      entries.append(("do", .list(body)))
    case .times(let count, let index, let steps):
      entries = [("repeat", rounds(count))]
      let body = block(steps)
      if writer.named.contains(index) {
        entries.append(("index", .scalar(table.slots[index].name)))
      }
      entries.append(("do", .list(body)))
    case .menu(let prompt, let options):
      entries = [("menu", prompt.map { argument($0, "") } ?? .scalar("'Choose one.'"))]
      var branches: [(key: String, value: YAMLText)] = []
      for option in options {
        writer.it = before
        var key = key(option.title)
        while branches.contains(where: { $0.key == key }) { key = String(key.dropLast()) + " ·'" }
        branches.append((key, .list(block(option.steps))))
      }
      entries.append(("options", .block(branches)))
    case .attempt(let steps, let on, let others):
      entries = [("try", .list(block(steps)))]
      writer.it = before
      let handler = YAMLText.block([("on", .scalar(on)), ("do", .list(block(others)))])
      entries.append(("catch", .list([handler])))
    }
    var result: [YAMLText] = []
    writer.it = step.setsIt ? (isWhole(step) ? step.slot : nil) : before
    if let slot = step.slot, table.variables.contains(slot) {
      result.append(.block(entries))
      result.append(.map([("set", .map([(writer.name(slot), .scalar("'{{ it }}'"))]))]))
      writer.it = nil
      return result
    }
    if let slot = step.slot, writer.named.contains(slot), writer.names[slot] != nil {
      entries.append(("as", .scalar(writer.names[slot] ?? "")))
    }
    if entries.count == 1, case .scalar("") = entries[0].value { return [.scalar(entries[0].key)] }
    return [.block(entries)]
  }

  /// Whether a branch has no effect and does not change `it`.
  private mutating func isIdle(_ steps: [Step]) -> Bool {
    guard steps.count == 1, steps[0].isResult, let code = steps[0].pureCode else { return false }
    let named = writer.named
    defer { writer.named = named }
    return writer.cel(code) == "it"
  }

  /// Whether a step sets `it` on every path.
  private func isWhole(_ step: Step) -> Bool {
    if case .choice(_, let otherwise) = step.content { return otherwise != nil }
    return true
  }

  /// The number of rounds of a loop: at most as many as a loop can have, and none if it is negative.
  private mutating func rounds(_ count: Code) -> YAMLText {
    switch table.simplified(count) {
    case .int(let number): return .scalar(String(min(max(0, number), 1_000_000)))
    case let code where writer.cel(code).hasPrefix("size("): return template(code)
    case let code: return template(.cel("math.greatest(0, \(code))", .integer))
    }
  }

  private mutating func set(_ slot: Int, _ code: Code) -> YAMLText {
    let kind = table.kind(ofSlot: slot)
    var code = table.simplified(code)
    if code.isNothing, kind == .text { code = .text("") }
    if code.isNothing, kind.isList { code = .list([]) }
    return .block([("set", .map([(writer.name(slot), template(code))]))])
  }

  // MARK: Arguments

  private mutating func argument(_ argument: Step.Argument, _ verb: String) -> YAMLText {
    switch argument {
    case .code(var code):
      if Self.addresses.contains(verb) { code = WebActions.address(table.simplified(code)) }
      var takesAny = Self.takingAny.contains(verb)
      // A list or a dictionary would have to be sent as JSON.
      if verb == "write-file text" || verb == "http body" {
        let kind = table.kind(of: code.withoutText) ?? .any
        if kind.isList || kind == .dictionary { takesAny = false }
      }
      return template(code, isBare: verb == "value" || verb == "return", takesAny: takesAny)
    case .word(let word): return .scalar(word)
    case .map(let entries):
      return .map(entries.map { (YAMLText.key($0.key), self.argument($0.value, verb)) })
    case .list(let values): return .list(values.map { self.argument($0, verb) })
    }
  }

  /// The arguments that are addresses.
  private static let addresses: Set = ["http", "http url", "open-url", "open-url url"]

  /// The arguments that render any value as a text, or take bytes as they are.
  private static let takingAny: Set = [
    "say", "say text", "show", "show value", "copy", "copy value", "notify", "notify text",
    "write-file text", "exec", "exec command", "exec args", "exec stdin", "http", "http url",
    "http body", "http headers", "http query", "http form", "open-url", "open-url url",
    "fail message", "log",
  ]

  /// An expression as a template.
  ///
  /// - Parameter isBare: Whether a map would be mistaken for arguments.
  private mutating func template(
    _ code: Code, isBare: Bool = false, takesAny: Bool = false
  ) -> YAMLText {
    switch takesAny ? rendered(code) : table.simplified(code) {
    case .text(let text):
      return writer.words.contains(text)
        ? .scalar("'\(text)'") : .text(YAMLText.escapingBraces(text))
    case .int(let number): return .scalar(String(number))
    case .flag(let flag): return .scalar(flag ? "true" : "false")
    case .nothing: return .scalar("null")
    case .number(let number)
    where number.isFinite && number.magnitude < 1e15 && number.magnitude > 1e-4:
      return .scalar("\(number)")
    case .joined(let parts): return mixed(parts)
    case .list(let parts)
    where !parts.isEmpty && parts.allSatisfy { (table.kind(of: $0) ?? .any).isSingle }:
      return .list(parts.map { template($0) })
    case .dictionary(let entries) where isMapping(entries):
      let map = YAMLText.map(
        entries.map { (YAMLText.key($0.key.literal ?? ""), template($0.value)) })
      return isBare ? .map([("value", map)]) : map
    case let other: return .text("{{ " + writer.cel(other) + " }}")
    }
  }

  private func isMapping(_ entries: [(key: Code, value: Code)]) -> Bool {
    guard !entries.isEmpty else { return false }
    var seen: Set<String> = []
    return entries.allSatisfy { entry in
      guard let key = entry.key.literal, !key.contains("{{"), !key.isEmpty,
        key.unicodeScalars.allSatisfy(YAMLText.isPrintable)
      else { return false }
      return seen.insert(key).inserted
    }
  }

  /// A text with embedded expressions.
  private mutating func mixed(_ parts: [Code]) -> YAMLText {
    var text = ""
    let parts = flat(parts)
    if parts.count == 1 { return template(parts[0]) }
    for part in parts {
      let part = rendered(part)
      if let literal = part.literal {
        text += YAMLText.escapingBraces(literal)
      } else {
        // A brace before an expression would become part of its delimiter.
        if text.hasSuffix("{") {
          text.removeLast()
          text += "{{ \"\\u007b\" }}"
        }
        text += "{{ \(writer.cel(part)) }}"
      }
    }
    return .text(text)
  }

  /// A value that is rendered as a text where it stands.
  private mutating func rendered(_ code: Code) -> Code {
    let simple = table.simplified(code)
    switch simple {
    case .text, .joined: return simple
    default: break
    }
    let value = table.simplified(code.withoutText)
    if case .list = value { return simple }
    if case .dictionary? = table.kind(of: value) { return simple }
    switch table.kind(of: value) ?? .any {
    case .text, .integer, .content: break
    default: if !table.isMissing(value) { writer.needsForm = true }
    }
    return value
  }

  /// Whether the address of a request is a constant.
  private func hasPlainAddress(
    _ arguments: [(key: String?, value: Step.Argument)]
  ) -> Bool {
    arguments.contains { argument in
      guard argument.key == nil || argument.key == "url" || argument.key == "file",
        case .code(let code) = argument.value
      else { return false }
      return argument.key == "file" || code.literal != nil
    }
  }

  /// The parts of a text, with nested texts flattened.
  private func flat(_ parts: [Code]) -> [Code] {
    parts.flatMap { part -> [Code] in
      let simple = table.simplified(part.asText)
      if case .joined(let inner) = simple { return flat(inner) }
      return [simple]
    }
  }

  private mutating func key(_ title: Step.Argument) -> String {
    switch argument(title, "") {
    case .scalar(let scalar): scalar
    case .lines(let lines): YAMLText.key(lines.joined(separator: " "))
    default: "'…'"
    }
  }

  /// A condition, unquoted where YAML allows it.
  private mutating func condition(_ code: Code) -> YAMLText {
    let cel = writer.cel(code)
    let isPlain =
      cel.utf8.count < 300 && cel.first?.isLetter == true
      && !(cel.utf8.contains(0x3A) && cel.contains(": "))
      && !(cel.utf8.contains(0x23) && cel.contains(" #"))
      && !(cel.utf8.contains(0x7B) && cel.contains("{{"))
      && cel.unicodeScalars.allSatisfy(YAMLText.isPrintable)
    return isPlain ? .scalar(cel) : .text(cel)
  }
}
