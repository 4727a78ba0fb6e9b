import CEL
import Catalog
import Source
import YAML

extension ShortcutWriter {
  /// Writes steps.
  mutating func write(_ steps: [Catalog.Step]) { for step in steps { write(step) } }

  private mutating func write(_ step: Catalog.Step) {
    line = step.span.position.line
    writeKept(before: line)
    if step.guardCondition != nil { refuse("`when`") }
    if step.retry != nil || step.timeout != nil { refuse("`retry` and `timeout`") }
    var result: Reference?
    switch step.kind {
    case .call(let call): result = self.call(call)
    case .conditional(let branches, let otherwise): result = choice(branches[...], otherwise)
    case .forEach(let loop):
      guard let list = value(loop.list) else { return }
      depth += 1
      let suffix = depth == 1 ? "" : " \(depth)"
      let group = open("repeat.each", [("WFInput", list.attachment)])
      let known = names
      names[loop.variable.text] = .variable("Repeat Item" + suffix)
      if let index = loop.index { names[index.text + " + 1"] = .variable("Repeat Index" + suffix) }
      it = .variable("Repeat Item" + suffix)
      write(loop.body)
      names = known
      depth -= 1
      result = close("repeat.each", group)
    case .repeatCount(let count, let index, let body):
      depth += 1
      let suffix = depth == 1 ? "" : " \(depth)"
      let amount: Value
      if let number = Int64(count.scalar?.text ?? "") {
        amount = .int(number)
      } else if let value = value(count) {
        amount = value.attachment
      } else {
        return
      }
      let group = open("repeat.count", [("WFRepeatCount", amount)])
      let known = names
      if let index { names[index.text + " + 1"] = .variable("Repeat Index" + suffix) }
      write(body)
      names = known
      depth -= 1
      result = close("repeat.count", group)
    case .menu(let prompt, let options):
      result = menu(prompt, options)
    case .whileLoop: refuse("a loop with `while`")
    case .attempt: refuse("`try`")
    case .parallel: refuse("`parallel`")
    case .atomic(let body): write(body)
    }
    if let name = step.binding?.text, let result { names[name] = result }
  }

  private mutating func open(_ name: String, _ parameters: [(String, Value)]) -> String {
    count += 1
    let group = "group-\(count)"
    add(
      name, [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(0))] + parameters)
    return group
  }

  private mutating func close(_ name: String, _ group: String) -> Reference {
    let end = add(name, [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(2))])
    it = .output(end)
    return .output(end)
  }

  private mutating func choice(
    _ branches: ArraySlice<Catalog.Step.Branch>, _ otherwise: [Catalog.Step]
  ) -> Reference? {
    guard let branch = branches.first else { return nil }
    guard let condition = condition(branch.condition.text) else {
      refuse("the condition `\(branch.condition.text.trimmed)`")
      return nil
    }
    let before = it
    let group = open("conditional", condition)
    write(branch.body)
    if branches.count > 1 || !otherwise.isEmpty {
      it = before
      add("conditional", [("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(1))])
      if branches.count > 1 {
        _ = choice(branches.dropFirst(), otherwise)
      } else {
        write(otherwise)
      }
      return close("conditional", group)
    }
    _ = close("conditional", group)
    // Errand keeps `it` if the branch is not taken; Apple's app gives the If's input.
    it = nil
    return nil
  }

  private mutating func menu(_ prompt: Template?, _ options: [Catalog.Step.Option]) -> Reference? {
    let titles = options.map { text($0.label) }
    var parameters: [(String, Value)] = [("WFMenuItems", .list(titles))]
    if let prompt { parameters.append(("WFMenuPrompt", text(prompt))) }
    let before = it
    let group = open("choosefrommenu", parameters)
    for (index, option) in options.enumerated() {
      it = before
      var parameters: [(String, Value)] = [
        ("GroupingIdentifier", .string(group)), ("WFControlFlowMode", .int(1)),
      ]
      if case .string = titles[index] {
        parameters.append(("WFMenuItemTitle", titles[index]))
      } else if case .map(let map) = titles[index], let inner = map["Value"] {
        parameters.append(("WFMenuItemAttributedTitle", inner))
      }
      add("choosefrommenu", parameters)
      write(option.body)
    }
    return close("choosefrommenu", group)
  }

  /// The parameters of an If; nil if the app cannot express its condition.
  mutating func condition(_ source: String) -> [(String, Value)]? {
    guard let expression = try? Expression.parse(source) else { return nil }
    func input(_ reference: Reference) -> (String, Value) {
      ("WFInput", Self.plist(["Type": "Variable", "Variable": reference.attachment]))
    }
    switch expression.kind {
    case .unary(.not, let inner):
      guard case .call("hasValue", nil, let arguments, _) = inner.kind, arguments.count == 1,
        let subject = reference(arguments[0])
      else { return nil }
      return [input(subject), ("WFCondition", .int(101))]
    case .call("hasValue", nil, let arguments, _) where arguments.count == 1:
      return reference(arguments[0]).map { [input($0), ("WFCondition", .int(100))] }
    case .call(let name, let receiver?, let arguments, _) where arguments.count == 1:
      guard let code = ["contains": 99, "startsWith": 8, "endsWith": 9][name],
        let subject = reference(receiver), let other = segment(arguments[0])
      else { return nil }
      return [
        input(subject), ("WFCondition", .int(Int64(code))),
        ("WFConditionalActionString", text([other])),
      ]
    case .binary(let sign, let left, let right):
      guard let code = ["<": 0, "<=": 1, ">": 2, ">=": 3, "==": 4, "!=": 5][sign.rawValue],
        let subject = reference(left)
      else { return nil }
      var result = [input(subject), ("WFCondition", Value.int(Int64(code)))]
      switch right.kind {
      case .literal(.int(let number)): result.append(("WFNumberValue", .string(String(number))))
      case .literal(.double(let number)): result.append(("WFNumberValue", .string("\(number)")))
      case .literal(.string(let words)) where code > 3:
        result.append(("WFConditionalActionString", .string(words)))
      default:
        guard code <= 3, let other = reference(right) else { return nil }
        result.append(("WFNumberValue", other.attachment))
      }
      return result
    default: return nil
    }
  }
}
