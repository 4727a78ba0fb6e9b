import Catalog
import Items
import Program
import Source
import YAML

/// Changes of the text, each at its place.
extension DefinitionForm {
  var editor: NodeEditor { NodeEditor(bytes: root.span.file.bytes) }

  func text(with change: NodeEditor.Change) -> String {
    String(decoding: editor.applied(change), as: UTF8.self)
  }

  /// The form of a changed text.
  func again(_ change: NodeEditor.Change) throws(FormProblem) -> DefinitionForm {
    do throws(FormProblem) {
      return try DefinitionForm(text(with: change), name: name, context)
    } catch {
      throw .layout
    }
  }

  // MARK: Places

  /// The node at a path.
  func node(_ path: String) throws(FormProblem) -> Node {
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
  func place(_ path: String) throws(FormProblem) -> (node: Node, key: String) {
    let parent = try node(Self.parent(path))
    let part = path.split(separator: ".").last.map(String.init) ?? ""
    guard part.hasPrefix("#"), let index = Int(part.dropFirst()) else { return (parent, part) }
    guard let entries = parent.mapping?.entries, entries.indices.contains(index) else {
      throw FormProblem("this step is not there any more")
    }
    return (parent, entries[index].key.text)
  }

  static func parent(_ path: String) -> String {
    path.split(separator: ".").dropLast().joined(separator: ".")
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

  static func new(_ word: String, isTrigger: Bool) -> Written {
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
    let name = (Self.name(in: question) ?? "answer").numbered {
      taken.contains($0) || context.catalog.isReserved($0)
    }
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
