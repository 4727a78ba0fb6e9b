import CEL

/// Variables, groups, and the end of a shortcut.
enum FlowActions {
  static let rows: [ActionRow] = [
    ActionRow("comment") { t, a in
      let text = t.value(a.parameters["WFCommentActionText"])
      guard case .text(let comment)? = text else { return }
      t.steps.append(
        Step(
          .comment(
            comment.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
              .map {
                String(String.UnicodeScalarView($0.unicodeScalars.filter(YAMLText.isPrintable)))
              })))
    },
    ActionRow("nothing") { t, _ in t.last = .nothing },
    ActionRow("getvariable") { t, a in t.pass(t.given(a, "WFVariable"), a, name: "value") },
    ActionRow("setvariable") { t, a in
      // If all other actions state their input, a missing one is empty.
      let value =
        a.parameters["WFInput"] == nil && t.statesInputs ? .nothing : t.given(a, "WFInput")
      t.assign(a.word("WFVariableName") ?? "", value)
      t.last = value
    },
    ActionRow("appendvariable") { t, a in
      let value =
        a.parameters["WFInput"] == nil && t.statesInputs ? .nothing : t.given(a, "WFInput")
      let name = a.word("WFVariableName") ?? ""
      t.assign(name, .list([.slot(t.variable(name)), value]))
      t.last = value
    },
    ActionRow("exit") { t, a in
      end(&t, a.parameters["WFResult"] == nil ? nil : t.given(a, "WFResult"))
    },
    ActionRow(deciding: "output", "what happens when nobody takes the result") { t, a in
      let value = t.given(a, "WFOutput")
      if a.word("WFNoOutputSurfaceBehavior") == "Respond" {
        t.call("say", [(nil, .code(t.text(a, "WFResponse")))])
      }
      if a.word("WFNoOutputSurfaceBehavior") == "Copy to Clipboard" {
        t.call("copy", [(nil, .code(value.asText))])
        end(&t, value)
        return .approximated("copied always")
      }
      end(&t, value)
      return .translated
    },
    ActionRow(deciding: "runworkflow", "a shortcut that is known only when it runs") { t, a in
      var name = a.word("WFWorkflowName")
      var isSelf = false
      var target = a.parameters["WFWorkflow"]
      while case .map(let map)? = target {
        if case .bool(true)? = map["isSelf"] { isSelf = true }
        if case .string(let given)? = map["workflowName"] { name = given }
        target = map["Value"]
      }
      let input = t.given(a, "WFInput")
      let called: Code
      if isSelf {
        called = .text(t.ownName)
      } else if let name, !name.isEmpty {
        called = .text(ShortcutTranslator.commandName(name))
      } else if let variable = t.value(a.parameters["WFWorkflow"] ?? a.parameters["WFWorkflowName"])
      {
        called = .cel("\(variable.asText).slug()", .text)
      } else {
        return .notHere("a shortcut that is not named")
      }
      if isSelf { t.callsItself = true }
      // A name that is not known yet is looked up when it runs.
      let isKnown = called.literal.map { isSelf || t.knownNames.contains($0) } ?? true
      let callee: Step.Argument = .code(isKnown ? called : .cel("\(called)", .text))
      t.give(
        "run", input.isNothing ? [(nil, callee)] : [("name", callee), ("input", .code(input))],
        kind: .any, of: a, name: "result")
      return isSelf ? .translated : .approximated("the other shortcut has to be converted, too")
    },
    ActionRow("waittoreturn", "it does not wait for a return to the app") { _, _ in },
  ]

  private static func end(_ t: inout Translation, _ value: Code?) {
    if let value, !value.isNothing {
      t.call("return", [(nil, .code(value))])
    } else {
      t.call("stop", [])
    }
    t.last = .nothing
  }
}

extension Translation {
  /// Translates a group.
  mutating func group(
    _ opening: ActionTree.Action,
    _ branches: [(opening: ActionTree.Action, nodes: [ActionTree.Node])],
    end: ActionTree.Action?, _ report: inout [Int: Outcome]
  ) -> Outcome {
    isShown = false
    allShown = true
    defer { isShown = allShown }
    switch opening.name {
    case "conditional": choice(opening, branches.map(\.nodes), end: end, &report)
    case "repeat.each": each(opening, branches.flatMap(\.nodes), end: end, &report)
    case "repeat.count": times(opening, branches.flatMap(\.nodes), end: end, &report)
    default: menu(opening, branches, end: end, &report)
    }
    return .translated
  }

  /// Records whether a branch ends with a value that was only shown.
  private mutating func endBranch(_ steps: [Step]) {
    let isEnd = steps.last.map(\.isEnd) ?? false
    if !isShown, !last.isNothing, !isEnd { allShown = false }
    isShown = false
  }

  private mutating func branch(
    _ nodes: [ActionTree.Node], _ report: inout [Int: Outcome]
  ) -> [Step] {
    let outer = allShown
    let steps = block(nodes, &report)
    allShown = outer
    endBranch(steps)
    return steps
  }

  private mutating func add(
    _ content: Step.Content, results: [Code], end: ActionTree.Action?, name: String
  ) {
    let slot: Int
    if let end {
      slot = output(of: end, name: name)
    } else {
      slot = table.add(Slot(name))
    }
    table.slots[slot].isBlock = true
    let forms = Set(results.filter { !$0.isNothing }.map { traits($0)?.form ?? .plain })
    if forms.count == 1, let form = forms.first {
      table.slots[slot].form = form
    } else if !forms.isEmpty, forms.isSubset(of: [.file, .media]) {
      table.slots[slot].form = .media
    }
    var step = Step(content, slot: slot)
    step.results = results
    switch content {
    case .each, .times: table.slots[slot].definitions.append(.list(results))
    default: table.slots[slot].definitions += results
    }
    steps.append(step)
    last = .slot(slot)
  }

  private mutating func choice(
    _ opening: ActionTree.Action, _ branches: [[ActionTree.Node]], end: ActionTree.Action?,
    _ report: inout [Int: Outcome]
  ) {
    let input = given(opening, "WFInput")
    let condition = Conditions.condition(opening, input: input, &self)
    var results: [Code] = []
    var blocks: [[Step]] = []
    for nodes in branches.prefix(2) {
      // Each branch starts with the input of the If.
      last = input
      isShown = false
      blocks.append(branch(nodes, &report))
      results.append(last)
    }
    for extra in branches.dropFirst(2) { _ = block(extra, &report) }
    if results.count == 1 {
      results.append(input)
    }
    add(
      .choice([(condition, blocks.first ?? [])], otherwise: blocks.count > 1 ? blocks[1] : nil),
      results: results, end: end, name: "result")
  }

  private mutating func each(
    _ opening: ActionTree.Action, _ nodes: [ActionTree.Node], end: ActionTree.Action?,
    _ report: inout [Int: Outcome]
  ) {
    let list = given(opening, "WFInput")
    let suffix = loopDepth == 0 ? "" : String(loopDepth + 1)
    let item = fixed("item" + suffix, .converted(.item, list))
    table.slots[item].pattern = traits(list)?.pattern
    table.slots[item].form = traits(list)?.form ?? .plain
    let index = fixed("index" + suffix, .cel("", .integer))
    last = .slot(item)
    allShown = false
    let body = loop(
      item: .slot(item), position: .cel("\(.slot(index)) + 1", .integer), nodes, &report)
    allShown = false
    add(
      .each(item: item, list: list.asList, index: index, body), results: [last], end: end,
      name: "results")
  }

  private mutating func times(
    _ opening: ActionTree.Action, _ nodes: [ActionTree.Node], end: ActionTree.Action?,
    _ report: inout [Int: Outcome]
  ) {
    let count = given(opening, "WFRepeatCount")
    let suffix = loopDepth == 0 ? "" : String(loopDepth + 1)
    let index = fixed("index" + suffix, .cel("", .integer))
    let position = Code.cel("\(.slot(index)) + 1", .integer)
    last = position
    allShown = false
    let body = loop(item: position, position: position, nodes, &report)
    allShown = false
    add(.times(count.asWhole, index: index, body), results: [last], end: end, name: "results")
  }

  private mutating func menu(
    _ opening: ActionTree.Action,
    _ branches: [(opening: ActionTree.Action, nodes: [ActionTree.Node])],
    end: ActionTree.Action?, _ report: inout [Int: Outcome]
  ) {
    let prompt = text(opening, "WFMenuPrompt")
    var titles: [Code] = []
    if case .list(let items)? = opening.parameters["WFMenuItems"] {
      titles = items.map { (value($0) ?? .text("")).asText }
    }
    var options: [(title: Step.Argument, steps: [Step])] = []
    var results: [Code] = []
    var seen: Set<String> = []
    for (place, branch) in branches.enumerated() {
      // Titles with embedded values are in the item, or in the branch as an attributed text.
      var title: Code = .text(branch.opening.word("WFMenuItemTitle") ?? "")
      if let attributed = value(branch.opening.parameters["WFMenuItemAttributedTitle"]) {
        title = attributed.asText
      } else if place < titles.count, titles[place].literal == nil || title.literal == "" {
        title = titles[place]
      }
      if title.literal == nil, title.size > 200 { title = local(title.asText, name: "title") }
      if let literal = title.literal {
        var unique = literal.isEmpty ? "…" : literal
        while !seen.insert(unique).inserted { unique += " ·" }
        title = .text(unique)
      }
      last = .nothing
      options.append((.code(title), self.branch(branch.nodes, &report)))
      results.append(last)
    }
    guard !options.isEmpty else { return }
    add(
      .menu(prompt.literal == "" ? nil : .code(prompt), options), results: results, end: end,
      name: "choice")
  }
}
