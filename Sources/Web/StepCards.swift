import ErrandKit
import LanguageService

/// The parts of a definition as cards with fields and buttons.
struct StepCards: PagePart {
  let context: PageContext
  let form: DefinitionForm
  let problems: [DefinitionEditor.Problem]
  /// The id of the element that gets the focus.
  let focus: String?
  /// The list for which a step is chosen.
  let chooser: String?

  /// The parts, and the problems that belong to none of them.
  func html() -> (HTML, [DefinitionEditor.Problem]) {
    let steps = form.steps
    let cards = form.cards
    var found: [String: [DefinitionEditor.Problem]] = [:]
    var rest: [DefinitionEditor.Problem] = []
    for problem in problems {
      // The smallest part in which it lies.
      let place = problem.finding.place?.bytes.lowerBound ?? -1
      let card = cards.filter { $0.range.contains(place) || $0.range.lowerBound == place }
        .min { $0.range.count < $1.range.count }
      if let card { found[card.path, default: []].append(problem) } else { rest.append(problem) }
    }
    let heads: [HTML] = form.fields.map { field("", $0) }
    let isAutomation = form.kind == "automation"
    let when: HTML? =
      isAutomation
      ? section("When", "on", form.triggers, found, adding: "Add when it runs")
      : nil
    let html: HTML = """
      <div class="fields heads">\(heads)</div>\(when)\(isAutomation ? nil : inputs(found))
      \(section("Steps", "steps", steps.cards, found, adding: "Add a step"))
      """
    return (html, rest)
  }

  private func section(
    _ title: String, _ path: String, _ cards: [FormCard],
    _ found: [String: [DefinitionEditor.Problem]], adding: String
  ) -> HTML {
    """
    <section aria-label="\(title)"><h2>\(title)</h2>\(list(cards, found))\(self.adding(to: path, adding))</section>

    """
  }

  /// The questions at its start.
  private func inputs(_ found: [String: [DefinitionEditor.Problem]]) -> HTML {
    let kinds: [HTML] = form.types.map { "<option value=\"\($0.value)\">\($0.title)</option>" }
    return """
      <section aria-label="It asks for"><h2>It asks for</h2>\(list(form.inputs, found))
      <div class="line asking"><label class="sr" for="question">A question</label>\
      <input class="in grow" id="question" name="question" placeholder="Which tag?" dir="auto"\(mark("question"))>\
      <label class="sr" for="kind">Kind of answer</label><select class="in" id="kind" name="kind">\(kinds)</select>\
      <button class="b" name="do" value="question">\(HTML.icon("plus"))Add a question</button></div></section>

      """
  }

  private func list(
    _ cards: [FormCard], _ found: [String: [DefinitionEditor.Problem]]
  ) -> HTML? {
    cards.isEmpty
      ? nil
      : "<ol class=\"steps\">\(cards.enumerated().map { card($1, found, isFirst: $0 == 0, isLast: $0 == cards.count - 1) })</ol>"
  }

  private func mark(_ id: String) -> HTML? { id == focus ? " autofocus" : nil }

  private func card(
    _ card: FormCard, _ found: [String: [DefinitionEditor.Problem]], isFirst: Bool, isLast: Bool
  ) -> HTML {
    let path = card.path
    let isInput = path == "input" || path.hasPrefix("parameters.")
    func button(_ action: String, _ icon: String, _ words: String, isOff: Bool = false) -> HTML {
      """
      <button class="ib" id="\(action):\(path)" name="do" value="\(action) \(path)" aria-label="\(words) \(card.title)"\
      \(isOff ? " disabled" : "" as HTML)\(mark("\(action):\(path)"))>\(HTML.icon(icon))</button>
      """
    }
    let moves: HTML? =
      isInput || isFirst && isLast
      ? nil
      : "<span class=\"ib grip scripted\" aria-hidden=\"true\">\(HTML.icon("grip"))</span>"
        + button("up", "up", "Move up", isOff: isFirst)
        + button("down", "down", "Move down", isOff: isLast)
    let kept: HTML? =
      card.kept.isEmpty
      ? nil : "<p class=\"hint\">Only in the text: \(card.kept.joined(separator: ", "))</p>"
    let others: HTML? =
      card.others.isEmpty
      ? nil
      : "<details class=\"others\"><summary class=\"line small\">\(HTML.icon("right flip", isSmall: true))More</summary><div class=\"fields\">\(card.others.map { field(path, $0) })</div></details>"
    let blocks: [HTML] = card.blocks.map { block in
      let fields: [HTML] = block.fields.map { field(path, $0) }
      let removal: HTML? = block.removal.map {
        "<button class=\"ib\" name=\"do\" value=\"remove \($0)\" aria-label=\"Remove \(block.title)\">\(HTML.icon("close"))</button>"
      }
      return """
        <div class="inner" role="group" aria-label="\(block.title)"><div class="line no"><h4 class="grow">\(block.title)</h4>\(removal)</div>\
        \(fields.isEmpty ? nil : "<div class=\"fields\">\(fields)</div>" as HTML)\
        \(list(block.cards, found))\(adding(to: block.path, "Add a step"))</div>
        """
    }
    let branches: [HTML] = card.branches.map { key, title in
      "<button class=\"b small\" name=\"do\" value=\"branch \(path) \(key)\">\(HTML.icon("plus", isSmall: true))\(title)</button>"
    }
    let title: HTML =
      isInput
      ? "<h3 class=\"grow\" dir=\"auto\">\(card.title) <code class=\"chip\">\(card.word)</code></h3>"
      : "<h3 class=\"grow\" dir=\"auto\">\(card.title)</h3>"
    return """
      <li class="card step stack tight" data-path="\(path)"><div class="line no">\(title)\(moves)\(button("remove", "trash", "Remove"))</div>
      \((found[path] ?? []).map { Self.missing($0, in: card) ?? Self.line($0) })\
      \(card.source.map { "<pre class=\"editor\">\($0)</pre>" as HTML })\
      \(card.fields.isEmpty ? nil : "<div class=\"fields\">\(card.fields.map { field(path, $0) })</div>" as HTML)\
      \(names(card))\(others)\(kept)\(blocks)\(branches.isEmpty ? nil : "<div class=\"line\">\(branches)</div>" as HTML)</li>

      """
  }

  /// The names that the card's fields may use, as buttons.
  private func names(_ card: FormCard) -> HTML? {
    let fields = card.fields.filter { $0.key != "@as" }
    guard !card.names.isEmpty, let field = fields.first else { return nil }
    // A condition has its names to choose from, and what is compared with is often one of them.
    let key = fields.first { if case .condition = $0.control { $0.key == "where" } else { false } }?
      .key
    let buttons: [HTML] = card.names.suffix(12).map { name in
      """
      <button class="chip" name="do" value="use \(card.path) \(key ?? field.key) \(name.name)" data-name="\(name.name)"\
      \(name.step.map { " data-step=\"\($0)\"" as HTML }) title="Insert: \(name.title)">\(name.name)</button>
      """
    }
    return "<div class=\"line names\"><span class=\"hint\">Insert</span>\(buttons)</div>"
  }

  /// The sentence on a value that its card has a field for; nil for other problems.
  private static func missing(_ problem: DefinitionEditor.Problem, in card: FormCard) -> HTML? {
    let parts = problem.finding.message.split(separator: "`", omittingEmptySubsequences: false)
    let isExpression = problem.finding.message == "an expression is missing"
    guard isExpression || problem.finding.code == "missing-argument" else { return nil }
    let names = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
    let field = (card.fields + card.blocks.flatMap(\.fields)).first {
      $0.text.isEmpty && (isExpression || names.contains($0.key))
    }
    return field.map {
      "<p class=\"err\">\(HTML.icon("alert", isSmall: true))“\($0.title)” is still to be filled in.</p>"
    }
  }

  /// A message with its code as code.
  private static func marked(_ text: String) -> HTML {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return "\(text)" }
    return HTML(
      joining: parts.enumerated().map { $0 % 2 == 0 ? "\($1)" : "<code>\($1)</code>" })
  }

  /// A problem with its fixes as buttons, within its part or in the list of the others.
  static func line(_ problem: DefinitionEditor.Problem, isInPart: Bool = true) -> HTML {
    let finding = problem.finding
    let place: HTML? = isInPart ? nil : finding.place.map { "Line \($0.line): " }
    let words = sentence(
      ErrandError(code: finding.code, message: finding.message, help: finding.help))
    let fixes: [HTML] = problem.numbered.map { id, fix in
      """
      <input type="hidden" name="fix:\(id)" value="\(fix.title)">\
      <button class="b small" name="do" value="fix \(id)">\(marked(fix.title))</button>
      """
    }
    let kind = finding.severity == .error ? "bad" : "warn"
    let content: HTML = """
      \(HTML.icon("alert"))<div><p>\(place)\(marked(words))</p>\
      \(fixes.isEmpty ? nil : "<div class=\"line\">\(fixes)</div>" as HTML)</div>
      """
    return isInPart
      ? "<div class=\"notice \(kind)\">\(content)</div>"
      : "<li class=\"notice \(kind)\">\(content)</li>"
  }

  // MARK: Fields

  private func field(_ path: String, _ field: FormField) -> HTML {
    let id = "f:\(path):\(field.key)"
    func input(_ more: HTML = "", _ kind: String = "text") -> HTML {
      "<input class=\"in\" id=\"\(id)\" name=\"\(id)\" type=\"\(kind)\" value=\"\(field.text)\" dir=\"auto\" autocomplete=\"off\"\(more)\(mark(id))>"
    }
    func select(
      _ id: String, _ value: String, _ choices: [(value: String, title: String)],
      label: String? = nil
    ) -> HTML {
      let isKnown = value.isEmpty || choices.contains { $0.value == value }
      let all = [("", "–")] + choices + (isKnown ? [] : [(value, value)])
      let options: [HTML] = all.map {
        "<option value=\"\($0.0)\"\($0.0 == value ? " selected" : "" as HTML)>\($0.1)</option>"
      }
      return
        "<select class=\"in\" id=\"\(id)\" name=\"\(id)\"\(label.map { " aria-label=\"\($0)\"" as HTML })\(mark(id))>\(options)</select>"
    }
    var target = id
    let control: HTML
    switch field.control {
    case .text: control = input()
    case .longText, .map:
      control =
        "<textarea class=\"in\" id=\"\(id)\" name=\"\(id)\" rows=\"2\" dir=\"auto\"\(field.key == "set" ? " placeholder=\"title: Call Ada\"" : "" as HTML)\(mark(id))>\n\(field.text)</textarea>"
    case .number: control = input(" inputmode=\"decimal\"")
    case .list: control = input(" placeholder=\"one, another\"")
    case .bool: control = select(id, field.text, [("true", "Yes"), ("false", "No")])
    case .choice(let choices): control = select(id, field.text, choices)
    case .choices(let values):
      let chosen = Self.list(field.text)
      let boxes: [HTML] = values.map { value in
        let isOn = chosen.contains(.string(value))
        return
          "<label class=\"line no\"><input class=\"box\" type=\"checkbox\" id=\"\(id):\(value)\" name=\"\(id)\" value=\"\(value)\"\(isOn ? " checked" : "" as HTML)>\(Self.words(value))</label>"
      }
      return """
        <fieldset class="field whole"><legend class="label">\(field.title)</legend><div class="line">\(boxes)</div>\
        <input type="hidden" name="\(id)" value=""></fieldset>
        """
    case .words(let type):
      control = input(
        " data-words=\"\(type == "date" ? "when" : type)\" placeholder=\"\(type == "duration" ? "90 min" : "tomorrow")\""
      )
    case .item(let entity):
      control = """
        \(input(" list=\"\(id)-list\" data-entity=\"\(entity)\" placeholder=\"Search \(entity.lowercased())s\""))<datalist id="\(id)-list"></datalist>
        """
    case .condition(let names) where field.text.isEmpty || field.condition != nil:
      let condition = field.condition
      let comparisons = FormCondition.Comparison.allCases.map {
        ($0.rawValue, Self.words($0.rawValue).lowercased())
      }
      target = id + ":subject"
      control = """
        <div class="line condition">\(select(id + ":subject", condition?.subject ?? "", names.map { ($0.name, $0.title) }))\
        \(select(id + ":comparison", condition?.comparison.rawValue ?? "is", comparisons, label: "Comparison: \(field.title)"))\
        <input class="in" id="\(id):value" name="\(id):value" value="\(condition?.value ?? "")" aria-label="With what: \(field.title)" dir="auto"\(mark(id + ":value"))></div>
        """
      return """
        <div class="field whole"><label for="\(target)">\(field.title)</label>\(control)</div>

        """
    case .condition, .expression: control = input(" spellcheck=\"false\"")
    }
    return """
      <div class="field"><label for="\(target)">\(field.title)</label>\(control)</div>

      """
  }

  // MARK: Choosing a step

  /// The button that adds to a list, or what can be added.
  private func adding(to path: String, _ words: String) -> HTML {
    guard chooser == path else {
      return
        "<button class=\"b\" id=\"add:\(path)\" name=\"do\" value=\"add \(path)\">\(HTML.icon("plus"))\(words)</button>"
    }
    let query = (context.field("q") ?? "").lowercased().split(separator: " ")
    let rows: [HTML] = form.choices(for: path).compactMap { choice in
      let text = "\(choice.title) \(choice.help) \(choice.word)".lowercased()
      guard query.allSatisfy({ text.contains($0) }) else { return nil }
      return """
        <li><button class="choice" name="do" value="new \(path) \(choice.word)"><b>\(choice.title)</b> <span class="hint">\(choice.help)</span></button></li>

        """
    }
    return """
      <div class="card chooser stack tight"><div class="line no"><div class="search grow"><label class="sr" for="find-action">What is to be done</label>\
      \(HTML.icon("search"))<input class="in" id="find-action" name="q" value="\(context.field("q") ?? "")" placeholder="What is to be done" autocomplete="off"\(mark("find-action"))></div>\
      <button class="b unscripted" name="do" value="add \(path)">Search</button>\
      <button class="ib" name="do" value="check" aria-label="Close">\(HTML.icon("close"))</button></div>
      <ul>\(rows)</ul></div>
      """
  }
}
