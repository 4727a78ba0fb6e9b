import Catalog
import Items
import Program
import Source
import YAML

/// Changes of the text, each at its place.
extension DefinitionForm {
  private var editor: NodeEditor { NodeEditor(bytes: root.span.file.bytes) }

  private func text(with change: NodeEditor.Change) -> String {
    String(decoding: editor.applied(change), as: UTF8.self)
  }

  /// The form of a changed text.
  private func again(_ change: NodeEditor.Change) throws(FormProblem) -> DefinitionForm {
    do throws(FormProblem) {
      return try DefinitionForm(text(with: change), name: name, context)
    } catch {
      throw .layout
    }
  }

  // MARK: Places

  /// The node at a path.
  private func node(_ path: String) throws(FormProblem) -> Node {
    var node = root
    for part in path.split(separator: ".") {
      let next: Node?
      if part.hasPrefix("#"), let index = Int(part.dropFirst()) {
        let entries = node.mapping?.entries ?? []
        next = entries.indices.contains(index) ? entries[index].value : nil
      } else if let index = Int(part) {
        let items = node.sequence ?? [node]
        next = items.indices.contains(index) ? items[index] : nil
      } else {
        next = node.mapping?[String(part)]
      }
      guard let next else { throw FormProblem("this step is not there any more") }
      // The text of an alias is elsewhere.
      guard node.span.range.contains(next.span.range.lowerBound) || next.span.range.isEmpty else {
        throw .layout
      }
      node = next
    }
    return node
  }

  /// The mapping, and the key in it, at a path.
  private func place(_ path: String) throws(FormProblem) -> (node: Node, key: String) {
    let parent = try node(Self.parent(path))
    let part = path.split(separator: ".").last.map(String.init) ?? ""
    guard part.hasPrefix("#"), let index = Int(part.dropFirst()) else { return (parent, part) }
    guard let entries = parent.mapping?.entries, entries.indices.contains(index) else {
      throw FormProblem("this step is not there any more")
    }
    return (parent, entries[index].key.text)
  }

  private static func parent(_ path: String) -> String {
    path.split(separator: ".").dropLast().joined(separator: ".")
  }

  // MARK: Fields

  /// The form with a field's text changed; the same one if it has that text already.
  ///
  /// - Parameters:
  ///   - path: The path of the card; empty for the definition itself.
  ///   - key: The key of the field.
  package func setting(
    _ path: String, _ key: String, to text: String
  ) throws(FormProblem) -> DefinitionForm {
    guard let field = field(path, key) else {
      throw FormProblem("this field is not there any more")
    }
    if text == field.text { return self }
    let value = written(text, field.control)
    if field.key.hasSuffix("@") { return try renaming(path + "." + key.dropLast(), to: text) }
    if let at = key.firstIndex(of: "@") {
      let inner = String(key[..<at])
      return try settingOwn(
        [path, inner].filter { !$0.isEmpty }.joined(separator: "."),
        String(key[key.index(after: at)...]), to: value)
    }
    return try settingArgument(path, key, to: value)
  }

  /// The form with a comparison in a field.
  package func setting(
    _ path: String, _ key: String, to condition: FormCondition
  ) throws(FormProblem) -> DefinitionForm {
    guard let field = field(path, key), case .condition(let names) = field.control else {
      throw FormProblem("this field is not there any more")
    }
    if field.condition == condition { return self }
    guard !condition.subject.isEmpty else { return try setting(path, key, to: "") }
    var form = self
    var name = names.first { $0.name == condition.subject }
    if let step = name?.step {
      form = try naming(step)
      name?.step = nil
    }
    return try form.setting(path, key, to: condition.expression(name?.type))
  }

  private func field(_ path: String, _ key: String) -> FormField? {
    if path.isEmpty { return fields.first { $0.key == key } }
    guard let card = cards.first(where: { $0.path == path }) else { return nil }
    return (card.fields + card.others + card.blocks.flatMap(\.fields)).first { $0.key == key }
  }

  /// Sets a key of a step, a trigger, an input or the definition.
  private func settingOwn(
    _ path: String, _ key: String, to value: Written?
  ) throws(FormProblem) -> DefinitionForm {
    let node = try node(path)
    guard let mapping = node.mapping else {
      // A type alone, or a step of one word.
      guard let value, let scalar = node.scalar else { return self }
      if key == "type" { return try again((node.span.range, value.flow)) }
      let isInput = path.hasPrefix("parameters") || path == "input"
      let first = isInput ? ("type", Written.verbatim(scalar.span.text)) : (scalar.text, .map([]))
      return try again((node.span.range, Written.map([first, (key, value)]).flow))
    }
    guard let value else {
      guard mapping[key] != nil else { return self }
      // Without its first key, a step would be another one.
      if !path.isEmpty, [mapping.entries.first?.key.text, "in"].contains(key) {
        return try again(editor.set(key, to: .verbatim("''"), in: node))
      }
      return try again(editor.remove(key, from: node))
    }
    let order = [kind, "title", "description", "icon"]
    let previous = path.isEmpty ? order.last { mapping[$0] != nil && $0 != key } : nil
    return try again(editor.set(key, to: value, in: node, after: previous))
  }

  /// Sets an argument of a call.
  private func settingArgument(
    _ path: String, _ key: String, to value: Written?
  ) throws(FormProblem) -> DefinitionForm {
    let step = try node(path)
    let word = cards.first { $0.path == path }?.word ?? ""
    let verb = context.verbs.signature(named: word)
    let primary =
      verb?.arguments.first?.name ?? action(named: word)?.primaryParameter?.name.text
    if step.scalar != nil {
      guard let value else { return self }
      let call = key == primary && !value.isMap ? value : .map([(key, value)])
      return try again((step.span.range, Written.map([(word, call)]).flowOrBlock(step, editor)))
    }
    guard let call = step.mapping?[word] else { throw .layout }
    // The variables of `set` are the whole value.
    if key.isEmpty { return try again(editor.set(word, to: value ?? .map([]), in: step)) }
    let names =
      verb?.arguments.map(\.name) ?? action(named: word)?.allParameters.map(\.name.text) ?? []
    let isNamed = call.mapping?.entries.contains { names.contains($0.key.text) } ?? false
    if let entries = call.mapping?.entries, isNamed {
      if let value { return try again(editor.set(key, to: value, in: call)) }
      guard call.mapping?[key] != nil else { return self }
      if entries.count > 1 { return try again(editor.remove(key, from: call)) }
      return try again(editor.set(word, to: .map([]), in: step))
    }
    // Only the primary argument, or nothing.
    let isNothing = call.scalar?.isNull ?? (call.mapping?.entries.isEmpty ?? false)
    if key == primary {
      let value = value.map { $0.isMap ? .map([(key, $0)]) : $0 } ?? .map([])
      return try again(editor.set(word, to: value, in: step))
    }
    guard let value else { return self }
    guard isNothing || !call.span.text.contains("\n"), let primary = isNothing ? "" : primary
    else { throw .layout }
    let given = isNothing ? [] : [(primary, call.inFlow)]
    return try again(editor.set(word, to: .map(given + [(key, value)]), in: step))
  }

  /// Changes a key of a mapping, such as the label of an option.
  private func renaming(_ path: String, to text: String) throws(FormProblem) -> DefinitionForm {
    let (node, key) = try place(path)
    guard let entry = node.mapping?.entry(key), !text.isEmpty, node.mapping?[text] == nil else {
      throw FormProblem("each choice needs words of its own")
    }
    let written = PlainText.scalar(text, isInFlow: editor.isFlow(node))
    return try again((entry.key.span.range, written))
  }

  /// A text as a value; nil for none.
  private func written(_ text: String, _ control: FormField.Control) -> Written? {
    let text = text.replacing("\r\n", with: "\n")
    if text.trimmed.isEmpty { return nil }
    if text.hasPrefix("{{") { return .text(text) }
    let isNotation =
      "[{".contains(text.first ?? " ")
      && DocumentSlice.split(SourceFile(name: "", text: text)).first.flatMap { try? $0.parse() }
        .map { $0.scalar == nil } ?? false
    func isNumber(_ text: String) -> Bool {
      (try? Regex(#"-?(0|[1-9][0-9]*)(\.[0-9]+)?"#)).flatMap { text.wholeMatch(of: $0) } != nil
    }
    switch control {
    case .list, .choices:
      if isNotation { return .verbatim(text) }
      let parts = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
      return .list(parts.map { .text($0) })
    case .map:
      if isNotation { return .verbatim(text) }
      let lines = text.split(separator: "\n").map { String($0) }
      return .map(
        lines.map { line in
          let parts = line.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
          let value = parts.count > 1 ? parts[1] : ""
          let isPlain = isNumber(value) || ["true", "false", "null"].contains(value)
          return (parts.first ?? "", isPlain ? .verbatim(value) : .text(value))
        })
    case .number, .bool:
      return isNumber(text) || ["true", "false"].contains(text) ? .verbatim(text) : .text(text)
    case .text where isNotation: return .verbatim(text)
    default: return .text(text)
    }
  }

  // MARK: Steps

  /// The form with a new step or trigger at the end of a list.
  ///
  /// - Parameters:
  ///   - word: The verb, intent, shortcut, block or trigger.
  ///   - list: The path of the list.
  package func adding(_ word: String, to list: String) throws(FormProblem) -> DefinitionForm {
    let (node, key) = try place(list)
    return try again(editor.append(Self.new(word, isTrigger: list == "on"), to: key, in: node))
  }

  private static func new(_ word: String, isTrigger: Bool) -> Written {
    let none = Written.list([])
    if isTrigger {
      switch word {
      case "at": return .map([("at", .text("09:00"))])
      case "every": return .map([("every", .verbatim("1d"))])
      case "created": return .map([("created", .verbatim("Link"))])
      case "changed", "due": return .map([(word, .verbatim("Task"))])
      case "file": return .map([("file", .verbatim("~/Downloads"))])
      case "share": return .map([("share", .list([.verbatim("url")]))])
      default: return .verbatim(word)
      }
    }
    switch word {
    case "if", "while":
      return .map([(word, .verbatim("''")), (word == "if" ? "then" : "do", none)])
    case "for": return .map([("for", .verbatim("each")), ("in", .verbatim("''")), ("do", none)])
    case "repeat": return .map([("repeat", .verbatim("3")), ("do", none)])
    case "menu":
      return .map([
        ("menu", .text("Which?")), ("options", .map([("First", none), ("Second", none)])),
      ])
    case "try": return .map([("try", none), ("catch", none)])
    case "atomic": return .map([("atomic", none)])
    case "stop", "break", "continue", "paste", "return": return .verbatim(word)
    case "find": return .map([("find", .map([("entity", .verbatim("Link"))]))])
    default: return .map([(word, .map([]))])
    }
  }

  /// The form with another branch of a block, such as `else`.
  package func adding(branch key: String, to path: String) throws(FormProblem) -> DefinitionForm {
    let node = try node(path)
    switch key {
    case "elif":
      return try again(
        editor.append(
          .map([("if", .verbatim("''")), ("then", .list([]))]), to: "elif", in: node,
          after: "then"))
    case "options":
      guard let options = node.mapping?["options"] else { throw .layout }
      let taken = options.mapping?.entries.map(\.key.text) ?? []
      let number = (1...).first { !taken.contains("Choice \($0)") } ?? 1
      return try again(editor.set("Choice \(number)", to: .list([]), in: options))
    default: return try again(editor.set(key, to: .list([]), in: node))
    }
  }

  /// The form without a step, a trigger, an input or a branch.
  package func removing(_ path: String) throws(FormProblem) -> DefinitionForm {
    let part = path.split(separator: ".").last ?? ""
    guard let index = Int(part) else {
      let (node, key) = try place(path)
      if node.mapping?.entries.count == 1, !path.isEmpty {
        return try removing(Self.parent(path))
      }
      return try again(editor.remove(key, from: node))
    }
    let list = Self.parent(path)
    let node = try node(list)
    let (parent, key) = try place(list)
    if node.sequence?.count ?? 1 > 1 { return try again(editor.remove(index, from: node)) }
    // A branch of conditions has no meaning without one.
    if key == "elif" { return try again(editor.remove(key, from: parent)) }
    return try again(editor.set(key, to: .list([]), in: parent))
  }

  /// The form with a step or a trigger moved by some places within its list, and its path.
  package func moving(
    _ path: String, by places: Int
  ) throws(FormProblem) -> (form: DefinitionForm, path: String) {
    guard let index = path.split(separator: ".").last.flatMap({ Int($0) }) else { throw .layout }
    let list = Self.parent(path)
    var (form, place) = (self, index)
    let count = try node(list).sequence?.count ?? 1
    let end = min(max(index + places, 0), count - 1)
    while place != end {
      let next = place < end ? place + 1 : place - 1
      form = try form.again(form.editor.swap(min(place, next), in: form.node(list)))
      place = next
    }
    return (form, "\(list).\(place)")
  }

  /// The form with an input that asks a question, named after the question's last word.
  package func adding(question: String, type: String) throws(FormProblem) -> DefinitionForm {
    let taken = inputs.map(\.word) + ["input"]
    let base = Self.name(in: question) ?? "answer"
    let name =
      taken.contains(base) || context.catalog.isReserved(base)
      ? (2...).lazy.map { "\(base)\($0)" }.first { !taken.contains($0) } ?? base : base
    let input = Written.map(
      [("type", .text(type))] + (type == "enum" ? [("values", .list([]))] : [])
        + [("prompt", .text(question))])
    if let parameters = root.mapping?["parameters"] {
      return try again(editor.set(name, to: input, in: parameters))
    }
    let order = [kind, "title", "description", "icon", "phrases", "input"]
    return try again(
      editor.set(
        "parameters", to: .block([(name, input)]), in: root,
        after: order.last { root.mapping?[$0] != nil }))
  }

  // MARK: Names

  /// The form in which the result of a step has the name that is proposed for it.
  package func naming(_ step: String) throws(FormProblem) -> DefinitionForm {
    guard let name = cards.lazy.flatMap(\.names).first(where: { $0.step == step })?.name else {
      return self
    }
    return try settingOwn(step, "as", to: .verbatim(name))
  }

  /// The form in which a field uses a name: a text has it at its end, other fields alone.
  package func using(
    _ name: String, in path: String, _ key: String
  ) throws(FormProblem) -> DefinitionForm {
    var form = self
    if let step = cards.first(where: { $0.path == path })?.names.first(where: { $0.name == name })?
      .step
    {
      form = try form.naming(step)
    }
    guard let field = form.field(path, key) else { return form }
    let use = "{{ \(name) }}"
    switch field.control {
    case .condition:
      guard var condition = field.condition else { return form }
      condition.value = use
      return try form.setting(path, key, to: condition)
    case .text, .longText:
      let text = field.text
      let gap = text.isEmpty || text.last?.isWhitespace == true ? "" : " "
      return try form.setting(path, key, to: text + gap + use)
    case .map: return try form.setting(path, key, to: field.text + use)
    default: return try form.setting(path, key, to: use)
    }
  }

  // MARK: The definition

  /// The form of the definition with another name.
  package func named(_ name: String) throws(FormProblem) -> DefinitionForm {
    let change = try editor.set(kind, to: .text(name), in: root)
    return try DefinitionForm(text(with: change), name: name, context)
  }

  /// The form with a test, given as JSON.
  package func adding(test json: String) throws(FormProblem) -> DefinitionForm {
    let file = SourceFile(name: "", text: json)
    guard let test = try? DocumentSlice(whole: file).parse(), let entries = test.mapping?.entries
    else { throw FormProblem("the result cannot be written as a test") }
    let order = ["name", "given", "input", "parameters", "answers", "expect"]
    let sorted = order.compactMap { key in entries.first { $0.key.text == key } }
    let item = Written.map(sorted.map { ($0.key.text, $0.value.rewritten) })
    return try again(editor.append(item, to: "tests", in: root))
  }
}

extension Written {
  /// Whether it is a mapping, which a primary argument cannot be.
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }

  /// The value in place of a step, on lines of its own where the step stands on one.
  fileprivate func flowOrBlock(_ step: Node, _ editor: NodeEditor) -> String {
    editor.isInBrackets(step) ? flow : block(editor.column(of: step.span.range.lowerBound), "\n")
  }
}

extension Node {
  /// The value as it can stand within brackets.
  fileprivate var inFlow: Written {
    guard let scalar, scalar.style != .singleQuoted, scalar.style != .doubleQuoted else {
      return .verbatim(span.text)
    }
    return scalar.style == .plain && !scalar.text.contains { ",[]{}:#".contains($0) }
      ? .verbatim(scalar.text) : .text(scalar.text)
  }

  /// The value in the notation of definitions.
  fileprivate var rewritten: Written {
    switch content {
    case .scalar(let scalar):
      return scalar.style == .plain ? .verbatim(scalar.text) : .text(scalar.text)
    case .sequence(let items): return .list(items.map(\.rewritten))
    case .mapping(let mapping):
      return .map(mapping.entries.map { ($0.key.text, $0.value.rewritten) })
    }
  }
}
