import Catalog
import Items
import Program
import Source
import YAML

/// The steps as cards.
extension DefinitionForm {
  /// The steps below a key, with the names that they may use.
  func cards(_ node: Node, _ path: String, _ scope: [FormName]) -> [FormCard] {
    if node.scalar?.isNull == true { return [] }
    var scope = scope
    return (node.sequence ?? [node]).enumerated().map { index, node in
      let card = card(node, "\(path).\(index)", scope)
      if let name = name(of: node, card, scope) { scope.append(name) }
      return card
    }
  }

  func card(_ node: Node, _ path: String, _ scope: [FormName]) -> FormCard {
    let entries = node.mapping?.entries ?? []
    let keys = entries.map(\.key.text)
    let modifiers = Set(Step.modifiers.map(\.name))
    // Beside `for`, `parallel` says how the passes run.
    let block = Step.blocks.first { block in
      keys.contains(block[0].name) && !(block[0].name == "parallel" && keys.contains("for"))
    }
    let heads = keys.filter { !modifiers.contains($0) }
    let word = node.scalar?.text ?? block?[0].name ?? heads.first ?? ""
    let call = node.mapping?[word]
    let isOwnText = [node.span, call?.span].allSatisfy { span in
      span.map { node.span.range.lowerBound <= $0.range.lowerBound } ?? true
    }
    let verb = context.verbs.signature(named: word)
    let action = verb == nil ? self.action(named: word) : nil
    var card = FormCard(
      path: path, word: word,
      title: StepWords.words(word)?.title ?? action?.displayTitle ?? word, names: scope,
      range: node.span.range)
    guard isOwnText, block != nil || heads.count <= 1 && (verb != nil || action != nil) else {
      card.source = node.span.text
      return card
    }
    if block != nil {
      addParts(of: node, &card, scope)
    } else if let verb {
      addArguments(of: verb, call, &card, scope)
    } else if let action {
      let parameters = action.allParameters.filter { !$0.isTrigger }
      for parameter in parameters {
        let name = parameter.name.text
        let isPrimary = name == action.primaryParameter?.name.text
        let value = call?.mapping.map { $0[name] } ?? (isPrimary ? call : nil)
        add(
          name, parameter.displayTitle, control(of: parameter.type, name),
          value, of: "", isOpen: parameter.isRequired, &card)
      }
      keep(call, besides: parameters.map(\.name.text), &card)
    }
    add("@when", "when", .condition(scope), node.mapping?["when"], of: word, &card)
    if verb?.exit ?? .next == .next, block == nil {
      add("@as", "as", .text, node.mapping?["as"], of: "", &card)
    }
    let known = ["when", "as", word] + (block ?? []).map(\.name)
    card.kept += keys.filter { !known.contains($0) }
    return card
  }

  /// Adds a field to a card; nothing if it cannot show the value.
  func add(
    _ key: String, _ name: String, _ control: FormField.Control, _ value: Node?, of head: String,
    isOpen: Bool = false, _ card: inout FormCard
  ) {
    guard let text = value.map({ Self.text($0, control) }) ?? "" else {
      card.kept.append(name)
      return
    }
    let field = FormField(
      key: key, title: StepWords.label(name, of: head) ?? Self.words(name), control: control,
      text: text, isOpen: isOpen)
    if isOpen || !text.isEmpty { card.fields.append(field) } else { card.others.append(field) }
  }

  func keep(_ call: Node?, besides known: [String], _ card: inout FormCard) {
    card.kept += (call?.mapping?.entries ?? []).map(\.key.text).filter { !known.contains($0) }
  }

  func addArguments(
    of verb: VerbSignature, _ call: Node?, _ card: inout FormCard, _ scope: [FormName]
  ) {
    if verb.form == .assignment {
      return add("", "Variables", .map, call, of: "", isOpen: true, &card)
    }
    let names = verb.arguments.map(\.name)
    // A map may be the value itself.
    let isNamed = call?.mapping?.entries.contains { names.contains($0.key.text) } ?? false
    let given = isNamed ? call?.mapping : nil
    let entity = given?["entity"]?.scalar.flatMap { self.entity(named: $0.text) }
    // What is used most is shown, though it may be left out.
    let open = ["find": "where", "create": "set", "show": "as", "ask": "type"][verb.name]
    for (index, argument) in verb.arguments.enumerated() {
      let value = given.map { $0[argument.name] } ?? (index == 0 ? call : nil)
      let isEmpty = call?.mapping?.entries.isEmpty == true && index == 0
      add(
        argument.name, argument.name, control(of: argument, entity, scope), isEmpty ? nil : value,
        of: verb.name, isOpen: argument.isRequired || argument.name == open, &card)
    }
    if isNamed { keep(call, besides: names, &card) }
  }

  /// Adds the fields and the lists of steps of a block.
  func addParts(of node: Node, _ card: inout FormCard, _ scope: [FormName]) {
    let path = card.path
    func block(
      _ key: String, _ title: String, _ node: Node?, _ scope: [FormName], fields: [FormField] = [],
      removal: String? = nil
    ) -> FormBlock {
      FormBlock(
        path: "\(path).\(key)", title: title, fields: fields,
        cards: node.map { cards($0, "\(path).\(key)", scope) } ?? [], removal: removal)
    }
    func own(_ name: String, _ control: FormField.Control, isOpen: Bool = true) {
      add(
        "@" + name, name, control, node.mapping?[name], of: card.word, isOpen: isOpen,
        &card)
    }
    var inner = scope
    switch card.word {
    case "if":
      own("if", .condition(scope))
      card.blocks.append(block("then", "Then", node.mapping?["then"], scope))
      for (index, branch) in (node.mapping?["elif"]?.sequence ?? []).enumerated() {
        let condition = branch.mapping?["if"]?.scalar?.text ?? ""
        card.blocks.append(
          block(
            "elif.\(index).then", "Or, if", branch.mapping?["then"], scope,
            fields: [
              FormField(
                key: "elif.\(index)@if", title: "Condition", control: .condition(scope),
                text: condition, isOpen: true)
            ], removal: "\(path).elif.\(index)"))
      }
      if let otherwise = node.mapping?["else"] {
        card.blocks.append(
          block("else", "Otherwise", otherwise, scope, removal: path + ".else"))
      } else {
        card.branches.append(("else", "Otherwise"))
      }
      card.branches.append(("elif", "Or, if"))
    case "for":
      own("in", .text)
      own("for", .text)
      own("index", .text, isOpen: false)
      card.kept += ["parallel", "pace", "by", "settle"].filter { node.mapping?[$0] != nil }
      for key in ["for", "index"] {
        if let name = node.mapping?[key]?.scalar?.text {
          inner.append(FormName(name: name, title: key == "for" ? "each" : "its number"))
        }
      }
      card.blocks.append(block("do", "Do", node.mapping?["do"], inner))
    case "repeat", "while":
      own(card.word, card.word == "while" ? .condition(scope) : .number)
      if card.word == "repeat" { own("index", .text, isOpen: false) }
      if let name = node.mapping?["index"]?.scalar?.text {
        inner.append(FormName(name: name, title: "the number", type: .int))
      }
      card.blocks.append(block("do", "Do", node.mapping?["do"], inner))
    case "menu":
      own("menu", .text)
      for (index, option) in (node.mapping?["options"]?.mapping?.entries ?? []).enumerated() {
        let key = "options.#\(index)"
        card.blocks.append(
          block(
            key, "Choice", option.value, scope,
            fields: [
              FormField(
                key: "\(key)@", title: "Words", control: .text, text: option.key.text,
                isOpen: true)
            ], removal: "\(path).\(key)"))
      }
      card.branches.append(("options", "Choice"))
    case "try":
      card.blocks.append(block("try", "Do", node.mapping?["try"], scope))
      if let caught = node.mapping?["catch"] {
        let isPlain = caught.sequence?.contains { $0.mapping?["do"] != nil } == false
        if isPlain {
          let error = FormName(name: "error.message", title: "what failed", type: .string)
          card.blocks.append(
            block("catch", "If it fails", caught, scope + [error], removal: path + ".catch"))
        } else {
          card.kept.append("catch")
        }
      } else {
        card.branches.append(("catch", "If it fails"))
      }
      if let last = node.mapping?["finally"] {
        card.blocks.append(
          block("finally", "In any case", last, scope, removal: path + ".finally"))
      } else {
        card.branches.append(("finally", "In any case"))
      }
    case "parallel":
      for (index, branch) in (node.mapping?["parallel"]?.mapping?.entries ?? []).enumerated() {
        card.blocks.append(block("parallel.#\(index)", branch.key.text, branch.value, scope))
      }
      card.kept += ["limit", "settle"].filter { node.mapping?[$0] != nil }
    default: card.blocks.append(block(card.word, "Do", node.mapping?[card.word], scope))
    }
  }
}
