import Catalog
import Items
package import Program
import Source
import YAML

/// A shortcut, an intent or an automation as a form: its parts with typed fields, read from its text.
///
/// A change in the form changes only its place in the text; parts that the form cannot express stay
/// as they are.
package struct DefinitionForm {
  package let text: String
  /// The kind, such as `shortcut`.
  package let kind: String
  package let name: String
  let root: Node
  let context: CompilationContext
  /// The names that results and loops have anywhere.
  var names: Set<String> = []
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

  func readInputs() -> [FormCard] {
    let own = root.mapping?["input"].map { [input("input", "input", $0)] } ?? []
    let parameters = root.mapping?["parameters"]?.mapping?.entries ?? []
    return own
      + parameters.enumerated().map { index, entry in
        input(
          "parameters.#\(index)", entry.key.text, entry.value,
          from: entry.key.span.range.lowerBound)
      }
  }

  func readTriggers() -> [FormCard] {
    guard let node = root.mapping?["on"] else { return [] }
    return (node.sequence ?? [node]).enumerated().map { trigger("on.\($0)", $1) }
  }

  func readSteps() -> FormBlock {
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
  static func all(_ cards: [FormCard]) -> [FormCard] {
    cards.flatMap { card in [card] + card.blocks.flatMap { all($0.cards) } }
  }

  // MARK: Inputs and triggers

  func input(
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

  var entities: [(value: String, title: String)] {
    context.catalog.entityNames.map { name in
      (name, Self.words(((try? context.catalog.entity(name)) ?? nil)?.displayName ?? name))
    }
  }

  private static let days = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "weekdays", "weekend",
  ]

  func trigger(_ path: String, _ node: Node) -> FormCard {
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

}
