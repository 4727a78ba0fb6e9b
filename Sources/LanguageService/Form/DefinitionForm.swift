import Catalog
import Items
package import Program
import Source
import YAML

/// A shortcut, an intent or an automation as a form: its parts with typed fields, read from its text.
///
/// What is changed in the form changes only its place in the text; what the form cannot express
/// stays as it is.
package struct DefinitionForm {
  package let text: String
  /// The kind, such as `shortcut`.
  package let kind: String
  package let name: String
  let root: Node
  let context: CompilationContext
  /// The names that results and loops have anywhere.
  private var names: Set<String> = []
  /// The inputs: the one that a caller hands over, and the parameters.
  package private(set) var inputs: [FormCard] = []
  /// The triggers of an automation.
  package private(set) var triggers: [FormCard] = []
  package private(set) var steps = FormBlock(path: "steps", title: "Steps", cards: [])
  /// All cards, those within others too.
  package private(set) var cards: [FormCard] = []

  /// Reads a text.
  ///
  /// - Parameter name: The definition; nil for the first one.
  /// - Throws: A problem if the text cannot be read, or has no such definition.
  package init(
    _ text: String, name: String?, _ context: CompilationContext
  ) throws(FormProblem) {
    let slices = DocumentSlice.split(SourceFile(name: "", text: text))
    for slice in slices {
      guard let root = try? slice.parse(), let mapping = root.mapping else { continue }
      for entry in mapping.entries {
        guard let kind = Definition.Kind(rawValue: entry.key.text),
          [.shortcut, .intent, .automation].contains(kind), let found = entry.value.scalar,
          name == nil || found.text == name
        else { continue }
        (self.text, self.kind, self.name) = (text, kind.rawValue, found.text)
        (self.root, self.context) = (root, context)
        if let steps = mapping["steps"] { addNames(in: steps) }
        inputs = readInputs()
        triggers = readTriggers()
        steps = readSteps()
        cards = inputs + triggers + Self.all(steps.cards)
        return
      }
    }
    throw .unreadable
  }

  /// The title, the description and the icon.
  package var fields: [FormField] {
    ["title", "description", "icon"].map { key in
      FormField(
        key: "@" + key, title: key == "title" ? "Title" : key == "icon" ? "Icon" : "What it does",
        control: .text, text: root.mapping?[key]?.scalar?.text ?? "")
    }
  }

  private func readInputs() -> [FormCard] {
    let own = root.mapping?["input"].map { [input("input", "input", $0)] } ?? []
    let parameters = root.mapping?["parameters"]?.mapping?.entries ?? []
    return own
      + parameters.enumerated().map { index, entry in
        input(
          "parameters.#\(index)", entry.key.text, entry.value,
          from: entry.key.span.range.lowerBound)
      }
  }

  private func readTriggers() -> [FormCard] {
    guard let node = root.mapping?["on"] else { return [] }
    return (node.sequence ?? [node]).enumerated().map { trigger("on.\($0)", $1) }
  }

  private func readSteps() -> FormBlock {
    var scope: [FormName] = inputs.map { card in
      let type = card.fields.first { $0.key == "@type" }?.text ?? "string"
      return FormName(name: card.word, title: card.title, type: DataType.parse(type, values: nil))
    }
    for entry in root.mapping?["variables"]?.mapping?.entries ?? [] {
      scope.append(FormName(name: entry.key.text, title: entry.key.text))
    }
    if kind == "automation" {
      let entities = triggers.compactMap { card in
        ["created", "changed", "due"].contains(card.word) ? card.fields.first?.text : nil
      }
      if let entity = entities.first {
        scope.append(
          FormName(name: "trigger.item", title: "the item", type: .entity(entity)))
      }
      if triggers.contains(where: { $0.word == "file" }) {
        scope.append(FormName(name: "trigger.path", title: "the file", type: .string))
      }
    }
    return FormBlock(
      path: "steps", title: "Steps",
      cards: root.mapping?["steps"].map { cards($0, "steps", scope) } ?? [])
  }

  /// All steps with those within them.
  private static func all(_ cards: [FormCard]) -> [FormCard] {
    cards.flatMap { card in [card] + card.blocks.flatMap { all($0.cards) } }
  }

  // MARK: Inputs and triggers

  private func input(
    _ path: String, _ name: String, _ node: Node, from start: Int? = nil
  ) -> FormCard {
    let mapping = node.mapping
    let type = mapping?["type"]?.scalar?.text ?? node.scalar?.text ?? ""
    let isEnum = type == "enum"
    let rows: [(key: String, control: FormField.Control)] =
      [("prompt", .text), ("type", .choice(types))]
      + (isEnum ? [("values", .list)] : [])
      + [
        ("default", isEnum ? .text : control(of: DataType.parse(type, values: nil), "default")),
        ("title", .text), ("description", .text),
      ]
    var fields: [FormField] = []
    for row in rows {
      let value = mapping?[row.key]
      guard let text = value.map({ Self.text($0, row.control) }) ?? "" else { continue }
      fields.append(
        FormField(
          key: "@" + row.key, title: StepWords.label(row.key, of: "input") ?? row.key,
          control: row.control, text: row.key == "type" ? type : text,
          isOpen: row.key == "type"))
    }
    let title = mapping?["title"]?.scalar?.text ?? mapping?["prompt"]?.scalar?.text ?? name
    let isShown = { (field: FormField) in
      !field.text.isEmpty || ["@prompt", "@type", "@values"].contains(field.key)
    }
    return FormCard(
      path: path, word: name, title: title, fields: fields.filter(isShown),
      others: fields.filter { !isShown($0) },
      kept: (mapping?.entries ?? []).map(\.key.text).filter { key in
        !fields.contains { $0.key == "@" + key }
      }, range: (start ?? node.span.range.lowerBound)..<node.span.range.upperBound)
  }

  /// The types that a question can have.
  package var types: [(value: String, title: String)] {
    let titles = [
      "string": "Text", "int": "Whole number", "double": "Number", "bool": "Yes or no",
      "url": "Address", "date": "Day", "when": "Day or time", "timestamp": "Moment",
      "duration": "Length of time", "file": "File", "enum": "One of some words",
      "list<string>": "Several texts",
    ]
    let names = [
      "string", "int", "double", "bool", "url", "date", "when", "duration", "file", "enum",
      "list<string>",
    ]
    return names.map { ($0, titles[$0] ?? $0) } + entities
  }

  private var entities: [(value: String, title: String)] {
    context.catalog.entityNames.map { name in
      (name, Self.words(((try? context.catalog.entity(name)) ?? nil)?.displayName ?? name))
    }
  }

  private static let days = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "weekdays", "weekend",
  ]

  private func trigger(_ path: String, _ node: Node) -> FormCard {
    let entries = node.mapping?.entries ?? []
    let known = Self.triggerKeys
    let word =
      node.scalar?.text
      ?? entries.first { entry in
        known[entry.key.text] != nil && !(entry.key.text == "at" && node.mapping?["every"] != nil)
          && !(entry.key.text == "at" && node.mapping?["due"] != nil)
      }?.key.text ?? ""
    var card = FormCard(
      path: path, word: word, title: StepWords.words(word)?.title ?? word, range: node.span.range)
    guard let keys = known[word], StepWords.words(word) != nil else {
      card.source = node.span.text
      return card
    }
    let entity = node.mapping?[word]?.scalar.flatMap { self.entity(named: $0.text) }
    for key in keys where node.scalar == nil {
      let control: FormField.Control =
        switch key {
        case "created", "changed", "due": .choice(entities)
        case "days": .choices(Self.days)
        case "share": .choices(["url", "text", "image", "pdf", "file"])
        case "where", "was": .condition(properties(of: entity))
        case "between", "on": .list
        default: .text
        }
      add(
        "@" + key, key, control, node.mapping?[key], of: word,
        isOpen: [word, "days", "where"].contains(key), &card)
    }
    return card
  }

  /// The keys of each kind of trigger, as far as a form has them.
  private static let triggerKeys: [String: [String]] = [
    "at": ["at", "days", "between"], "every": ["every", "at", "on", "between"],
    "created": ["created", "where"], "changed": ["changed", "where", "was", "for"],
    "due": ["due", "before", "at", "where"], "event": [], "file": ["file", "match"],
    "share": ["share"], "webhook": ["webhook"], "cron": ["cron"], "start": [], "resume": [],
    "online": [], "offline": [],
  ]

  // MARK: Steps

  /// The steps below a key, with the names that they may use.
  private func cards(_ node: Node, _ path: String, _ scope: [FormName]) -> [FormCard] {
    if node.scalar?.isNull == true { return [] }
    var scope = scope
    return (node.sequence ?? [node]).enumerated().map { index, node in
      let card = card(node, "\(path).\(index)", scope)
      if let name = name(of: node, card, scope) { scope.append(name) }
      return card
    }
  }

  private func card(_ node: Node, _ path: String, _ scope: [FormName]) -> FormCard {
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
  private func add(
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

  private func keep(_ call: Node?, besides known: [String], _ card: inout FormCard) {
    card.kept += (call?.mapping?.entries ?? []).map(\.key.text).filter { !known.contains($0) }
  }

  private func addArguments(
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
  private func addParts(of node: Node, _ card: inout FormCard, _ scope: [FormName]) {
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

  // MARK: Names

  /// The name of a step's result, or the one that it would have; nil if it gives none.
  private func name(of node: Node, _ card: FormCard, _ scope: [FormName]) -> FormName? {
    let given = node.mapping?["as"]?.scalar?.text
    let (word, call) = (card.word, node.mapping?[card.word])
    func argument(_ name: String) -> String? { call?.mapping?[name]?.scalar?.text }
    var (proposal, type): (String, DataType?) = (Self.camel(word), nil)
    switch word {
    case "ask":
      proposal = Self.name(in: argument("prompt") ?? call?.scalar?.text ?? "") ?? "answer"
      type = DataType.parse(argument("type") ?? "string", values: nil) ?? .string
    case "choose": proposal = "choice"
    case "confirm": (proposal, type) = ("confirmed", .bool)
    case "find":
      let entity = argument("entity") ?? call?.scalar?.text ?? "item"
      proposal = Self.camel(entity) + "s"
      type = .list(.entity(entity))
      if argument("first") == "true" { (proposal, type) = (Self.camel(entity), .entity(entity)) }
    case "get", "update": proposal = "item"
    case "create":
      let entity = argument("entity") ?? "item"
      (proposal, type) = (Self.camel(entity), .entity(entity))
    case "http": proposal = "reply"
    case "exec": (proposal, type) = ("output", .string)
    case "paste": (proposal, type) = ("clipboard", .string)
    case "read-file": proposal = "content"
    case "find-files": proposal = "files"
    case "wrap": (proposal, type) = ("signedLink", .string)
    case "value": proposal = "value"
    default:
      guard let action = action(named: word) else {
        guard given != nil else { return nil }
        break
      }
      type = action.returns
    }
    if let given { return FormName(name: given, title: card.title, type: type) }
    if context.verbs.signature(named: word).map({ !$0.setsIt && $0.name != "confirm" }) ?? false {
      return nil
    }
    let isFree = { (name: String) in
      !names.contains(name) && !scope.contains { $0.name == name }
        && !context.catalog.isReserved(name)
    }
    let name =
      isFree(proposal) ? proposal : (2...).lazy.map { "\(proposal)\($0)" }.first(where: isFree)
    return name.map { FormName(name: $0, title: card.title, type: type, step: card.path) }
  }

  private mutating func addNames(in node: Node) {
    for entry in node.mapping?.entries ?? [] {
      if ["as", "for", "index"].contains(entry.key.text), let text = entry.value.scalar?.text {
        names.insert(text)
      }
      addNames(in: entry.value)
    }
    for item in node.sequence ?? [] { addNames(in: item) }
  }

  /// The last word of a question as a name, such as `tag` for “Which tag?”.
  static func name(in question: String) -> String? {
    let words = question.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    guard let last = words.last?.lowercased(), last.count > 1, last.first?.isLetter == true,
      !["it", "true", "false", "null", "in", "input", "error", "self", "vars"].contains(last)
    else { return nil }
    return last
  }

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.enumerated().map { index, word in
      (index == 0 ? word.prefix(1).lowercased() : word.prefix(1).uppercased()) + word.dropFirst()
    }.joined()
  }

  /// A name such as `maxSize` in words.
  private static func words(_ name: String) -> String {
    if name.contains(" ") { return name }
    var words = ""
    for letter in name.replacing("-", with: " ") {
      words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  // MARK: Controls

  func action(named name: String) -> ActionDefinition? {
    (try? context.catalog.action(name)) ?? context.catalog.partialAction(name)
  }

  private func entity(named name: String) -> EntityDefinition? {
    (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
  }

  private func properties(of entity: EntityDefinition?) -> [FormName] {
    (entity?.properties ?? []).map { property in
      FormName(
        name: "self." + property.name.text,
        title: (property.title ?? Self.words(property.name.text)), type: property.type)
    }
  }

  private func control(
    of argument: ArgumentDeclaration, _ entity: EntityDefinition?, _ scope: [FormName]
  ) -> FormField.Control {
    switch argument.kind {
    case .value(let type): control(of: type, argument.name)
    case .literal, .itemTemplate: .text
    case .filter: entity == nil ? .expression : .condition(properties(of: entity))
    case .entityName: .choice(entities)
    case .typeName: .choice(types)
    case .actionName:
      .choice(context.catalog.actionNames.map { ($0, action(named: $0)?.displayTitle ?? $0) })
    case .choice(let words): .choice(words.map { ($0, Self.words($0)) })
    case .fields: .map
    case .sortKeys: .list
    }
  }

  private func control(of type: DataType?, _ name: String) -> FormField.Control {
    switch type?.unwrapped.base {
    case .int, .double: .number
    case .bool: .bool
    case .enumeration(let values): .choice(values.map { ($0, Self.words($0)) })
    case .list(.enumeration(let values)): .choices(values)
    case .list: .list
    case .map, .record: .map
    case .entity(let entity): .item(entity)
    case .date, .when, .timestamp, .duration: .words(type?.unwrapped.description ?? "")
    case .string, .any: ["text", "message", "body", "notes"].contains(name) ? .longText : .text
    default: .text
    }
  }

  /// The text of a value in a field; nil if the field cannot show it.
  static func text(_ node: Node, _ control: FormField.Control) -> String? {
    switch node.content {
    case .scalar(let scalar): return scalar.isNull ? "" : scalar.text
    case .sequence(let items):
      guard !items.contains(where: { $0.scalar == nil }) else { return flow(node) }
      switch control {
      case .list, .choices, .text:
        let texts = items.compactMap(\.scalar?.text)
        return texts.contains { $0.contains(",") || $0.isEmpty } || texts.isEmpty
          ? flow(node) : texts.joined(separator: ", ")
      default: return nil
      }
    case .mapping(let mapping):
      guard case .map = control else { return nil }
      let isPlain = mapping.entries.allSatisfy { entry in
        entry.value.scalar.map { !$0.text.contains("\n") } ?? false
      }
      guard isPlain else { return flow(node) }
      return mapping.entries.map { "\($0.key.text): \($0.value.scalar?.text ?? "")" }
        .joined(separator: "\n")
    }
  }

  /// The source of a value on one line; nil if it has several.
  private static func flow(_ node: Node) -> String? {
    let text = node.span.text
    return text.contains("\n") || text.first.map { !"[{".contains($0) } ?? true ? nil : text
  }
}

/// The choices of what can be added.
extension DefinitionForm {
  /// The triggers, or the verbs, blocks, intents and shortcuts that can be added to a list, the most
  /// used first.
  package func choices(for list: String) -> [(word: String, title: String, help: String)] {
    func known(_ names: [String]) -> [(word: String, title: String, help: String)] {
      names.compactMap { name in StepWords.words(name).map { (name, $0.title, $0.help) } }
    }
    if list == "on" { return known(StepWords.triggers) }
    let verbs = context.verbs.names() + Step.blocks.map { $0[0].name }
    let actions = context.catalog.actionNames.filter { $0 != name }
    let own = actions.filter { !context.catalog.isBuiltIn($0) }
    let built = actions.filter(context.catalog.isBuiltIn)
    return known(StepWords.usual)
      + (own + built).compactMap { name in
        action(named: name).flatMap { action in
          action.kind.kind == .automation
            ? nil : (name, action.displayTitle, action.description ?? "")
        }
      } + known(verbs.filter { !StepWords.usual.contains($0) })
  }
}
