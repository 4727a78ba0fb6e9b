import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// Changes of fields.
extension DefinitionForm {
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

  func field(_ path: String, _ key: String) -> FormField? {
    if path.isEmpty { return fields.first { $0.key == key } }
    guard let card = cards.first(where: { $0.path == path }) else { return nil }
    return (card.fields + card.others + card.blocks.flatMap(\.fields)).first { $0.key == key }
  }

  /// Sets a key of a step, a trigger, an input or the definition.
  func settingOwn(
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
  func settingArgument(
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
  func renaming(_ path: String, to text: String) throws(FormProblem) -> DefinitionForm {
    let (node, key) = try place(path)
    guard let entry = node.mapping?.entry(key), !text.isEmpty, node.mapping?[text] == nil else {
      throw FormProblem("each choice needs words of its own")
    }
    let written = PlainText.scalar(text, isInFlow: editor.isFlow(node))
    return try again((entry.key.span.range, written))
  }

  /// A text as a value; nil for none.
  func written(_ text: String, _ control: FormField.Control) -> Written? {
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
}
