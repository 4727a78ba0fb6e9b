import CEL
import Catalog
import Items
import Source
import YAML

/// Compilation of verb arguments, by their declarations.
extension ActionCompiler {
  /// Compiles the arguments of `run` or `enqueue` for a known callee; nil for one that is not
  /// passed on.
  func compile(
    _ argument: ArgumentDeclaration, _ node: Node, of callee: ActionDefinition
  ) -> CompiledArgument? {
    switch argument.name {
    case "input":
      guard let parameter = callee.primaryParameter else {
        collector.report(
          "unknown-argument", "`\(callee.name.text)` has no input", at: node.span,
          help: "remove it")
        return nil
      }
      return compile(node, for: parameter).map { .value($0, .any, node.span) }
    case "with":
      guard let mapping = node.mapping else { return nil }
      var fields: [CompiledArgument.Field] = []
      for entry in mapping.entries {
        guard let index = position(ofParameter: entry.key, of: callee) else { continue }
        if let value = compile(entry.value, for: callee.allParameters[index]) {
          fields.append(
            CompiledArgument.Field(
              name: entry.key.text, value: value, type: nil, slot: nil, span: entry.value.span))
        }
      }
      return .fields(fields)
    default: return nil
    }
  }

  /// Returns the position of a callee's parameter; reports an unknown one.
  func position(ofParameter name: Scalar, of callee: ActionDefinition) -> Int? {
    let names = callee.allParameters.map(\.name.text)
    if let index = names.firstIndex(of: name.text) { return index }
    let primary = callee.primaryParameter
    let named =
      name.text == "name" && primary?.type.unwrapped == .string
      ? primary.map { "did you mean `\($0.name.text)`?" } : nil
    collector.report(
      "unknown-parameter", "`\(callee.name.text)` has no parameter `\(name.text)`", at: name.span,
      help: named ?? modifierAdvice(name, of: callee.name.text)
        ?? Suggestion.help(for: name.text, in: names))
    return nil
  }

  /// Advice on a modifier such as `as` placed among the arguments; nil for other keys.
  func modifierAdvice(_ key: Scalar, of name: String, value: Node? = nil) -> String? {
    guard ReservedWord.modifiers.contains(key.text) else { return nil }
    if key.text == "timeout", let seconds = value?.scalar?.text, Int(seconds) != nil {
      return "write `timeout: \(seconds)s` beside `\(name):`, on the next line and not below it"
    }
    let isInLine = key.span.file.text(in: key.span.file.line(key.span.position.line))
      .contains("{")
    return "`\(key.text)` belongs beside `\(name):`, not below it: "
      + (isInLine ? "write it on the next line, outside of the braces" : "indent it less")
  }

  /// Compiles a value for a callee's parameter.
  func compile(_ node: Node, for parameter: ParameterDefinition) -> CompiledValue? {
    let value = compile(node, as: parameter.type, takesExpression: true)
    if let value { expectAllowed(value, for: parameter, at: node.span) }
    return value
  }

  mutating func compile(
    _ argument: ArgumentDeclaration, _ node: Node, of verb: VerbSignature,
    entity: EntityDefinition?, beside given: [String: Node]
  ) -> CompiledArgument? {
    switch argument.kind {
    case .value(let type):
      if refuseCommandLine(node, for: argument, of: verb) { return nil }
      if verb.name == "choose", argument.name == "from", refuseBranches(node) { return nil }
      if argument.role == .command {
        doubtShell(in: node)
        doubtTemplate(inShell: node)
        let words = node.sequence ?? []
        commandWords = words.prefix(words.count > 2 ? 2 : 1).map(\.span.range)
      }
      let value = compile(node, as: type, takesExpression: true, need: need(of: argument, of: verb))
      if let value { expectTried(value, argument, at: node.span) }
      if argument.role == .item, case .list? = value?.type?.unwrapped {
        let text = node.scalar?.span.text.shortened ?? "…"
        report(
          "`\(verb.name)` takes one item, and this is a list", at: node.span,
          help: "write `- for: item`, with `in: \(text)` and "
            + "`do: [{\(verb.name): \(Self.call(on: argument.name, in: given))}]`")
        return nil
      }
      return value.map { .value($0, type, node.span) }
    case .literal: return literal(node, argument.name)
    case .filter:
      guard let scalar = scalar(node, argument.name),
        let source = collector.expression(scalar)
      else { return nil }
      let slot = scopes.makeSlot()
      let subject = ExpressionCompiler.Subject(slot: slot, entity: entity)
      return expressions.compile(condition: source, scopes, subject: subject)
        .map { .filter($0, selfSlot: slot) }
    case .itemTemplate:
      guard let scalar = scalar(node, argument.name),
        let template = collector.template(scalar)
      else { return nil }
      let slot = scopes.makeSlot()
      let subject = ExpressionCompiler.Subject(
        slot: slot, entity: entity, allowsBareNames: entity == nil)
      return expressions.compile(template, scopes, subject: subject)
        .map { .itemTemplate($0, selfSlot: slot) }
    case .entityName: return scalar(node, argument.name).map { .name($0.text) }
    case .typeName:
      guard let scalar = scalar(node, argument.name),
        let type = collector.type(scalar, expectsValues: false)
      else { return nil }
      checkEntity(of: type, at: scalar.span)
      entities.formUnion(type.entityNames)
      return .type(type)
    case .actionName: return actionName(node, isEnqueued: verb.enqueues)
    case .choice(let words):
      guard let scalar = scalar(node, argument.name) else { return nil }
      guard words.contains(scalar.text) else {
        report(
          "`\(argument.name)` must be one of \(words.joined(separator: ", ")), "
            + "not `\(scalar.text.shortened)`", at: scalar.span,
          help: Self.help(onChoosing: scalar.text, as: argument.name, among: words))
        return nil
      }
      return .name(scalar.text)
    case .fields(let use): return fields(node, argument.name, use, entity: entity)
    case .sortKeys: return sortKeys(node, entity)
    }
  }

  /// Advice on a word that is none of an argument's.
  private static func help(onChoosing text: String, as name: String, among words: [String])
    -> String?
  {
    if text.contains("{{") {
      return "it is fixed before the run: write one step for each word, such as "
        + "`\(name): \(words[0])`, below an `if`"
    }
    if ["xml", "rss", "atom"].contains(text.lowercased()) {
      return "a feed in RSS or Atom is read by the function `feed(text)`"
    }
    return Suggestion.choice(text, in: words)
  }

  /// The reason why an argument must not be null; nil if null is allowed.
  private func need(of argument: ArgumentDeclaration, of verb: VerbSignature) -> String? {
    guard case .value(let type) = argument.kind else { return nil }
    if verb.exit == .returns { return needOfReturns }
    if type.isOptional, !(argument.isRequired && verb.effect == .write) { return nil }
    return argument.isRequired
      ? "`\(verb.name)` needs `\(argument.name)`"
      : "`\(argument.name)` of `\(verb.name)` does not accept null"
  }

  private func scalar(_ node: Node, _ name: String) -> Scalar? {
    if let scalar = node.scalar { return scalar }
    collector.report(
      "wrong-type", "`\(name)` must be text, not \(node.kindName)", at: node.span,
      help: node.mapping.map {
        "write `\(name): \(ListAdvice.line($0, isCondition: name == "where"))`"
      }
        ?? node.sequence?.first?.scalar.map { first in
          let texts = node.sequence?.compactMap(\.scalar?.text) ?? []
          return name == "where"
            ? "write `where: \(texts.map(ExpressionSource.bare).joined(separator: " && "))`"
            : "write one, as in `\(name): \(first.text)`"
        })
    return nil
  }

  /// Compiles literal text; a template in shell code would allow injection, so it is rejected.
  private func literal(_ node: Node, _ name: String) -> CompiledArgument? {
    guard let scalar = scalar(node, name) else { return nil }
    guard !scalar.text.hasPart("{{") else {
      collector.report(
        "template-in-shell", "`\(name)` takes no `{{ }}`: the value would be run as code",
        at: scalar.span,
        help: scalar.text.hasPart("ecret(")
          ? "pass it in `env: {KEY: '{{ secret(\"NAME\") }}'}`, and write \"$KEY\""
          : "pass values in `args`, and write \"$1\", \"$2\" for them; or in `env`")
      return nil
    }
    return .literal(scalar.text)
  }

  private mutating func actionName(_ node: Node, isEnqueued: Bool) -> CompiledArgument? {
    guard let scalar = scalar(node, "name"),
      let template = collector.template(scalar)
    else { return nil }
    guard let name = template.plainText else {
      return expressions.compile(template, scopes).map { .dynamicName($0, scalar.span) }
    }
    if !(isEnqueued && isSound(node)), context.action(name, collector) == nil,
      !context.catalog.actionNames.contains(name)
    {
      collector.report(
        "unknown-action", "there is no intent or shortcut `\(name)`", at: scalar.span,
        help: help(onBare: scalar) ?? Self.program(meantBy: scalar, context.catalog.actionNames)
          ?? Suggestion.help(for: name, in: context.catalog.actionNames))
    }
    if isEnqueued { enqueued.insert(name) } else { callees.insert(name) }
    return .name(name)
  }

  /// The arguments of a call with `item` as one of them; the item alone if there are no others.
  private static func call(on name: String, in given: [String: Node]) -> String {
    let others = given.filter { $0.key != name }.sorted { $0.key < $1.key }
    if others.isEmpty { return "'{{ item }}'" }
    let texts = others.map { key, node -> String in
      let text = node.span.text
      return "\(key): \(text.utf8.count <= 60 && !text.contains("\n") ? text : "…")"
    }
    return "{\((["\(name): '{{ item }}'"] + texts).joined(separator: ", "))}"
  }

  /// Reports conditions with steps, as other programs choose among them, where a person chooses a value.
  private func refuseBranches(_ node: Node) -> Bool {
    let first = node.sequence?.lazy.compactMap(\.mapping).first { branch in
      ["conditions", "condition", "if", "when"].contains { branch[$0] != nil }
        && ["sequence", "then", "do", "steps"].contains { branch[$0] != nil }
    }
    guard let first else { return false }
    let condition = first.entries.first { $0.value.scalar != nil }?.value.scalar
    let text = condition.map { ExpressionSource.bare($0.text) } ?? "…"
    report(
      "`choose` asks a person for one of these values, and runs no steps", at: node.span,
      help: "write `- if: \(text)` with `then:` beside it, and `elif:` and `else:` for the others")
    return true
  }

  /// Advice for a command line given to `run`: the step that starts the program; nil for a single
  /// word.
  private static func program(meantBy scalar: Scalar, _ names: [String]) -> String? {
    let words = scalar.text.split(separator: " ")
    if scalar.text.contains("\n") {
      return "`run` starts an intent or a shortcut; for lines of a shell write `- exec:`, and "
        + "below it `shell: |`"
    }
    guard words.count > 1, scalar.text.utf8.count <= 80 else { return nil }
    // Words that only a shell understands.
    if words.contains(where: { word in
      [">", ">>", "<", "|", "&&", "||", ";", "2>&1", "&"].contains(word)
    }) {
      return "`run` starts an intent or a shortcut; for a line of a shell write "
        + "`- exec: {shell: \(quoted(scalar.text))}`"
    }
    if names.contains(String(words[0])) {
      let arguments = zip(words.dropFirst(), words.dropFirst(2)).enumerated().compactMap {
        $0 % 2 == 0 && $1.0.hasPrefix("--") ? "\($1.0.dropFirst(2)): \($1.1)" : nil
      }
      let isFlags = arguments.count * 2 == words.count - 1
      return "write `- \(words[0]): "
        + (isFlags
          ? "{\(arguments.joined(separator: ", "))}`"
          : "\(words.dropFirst().joined(separator: " "))`")
    }
    let list = words.map { quoted(String($0)) }.joined(separator: ", ")
    return "`run` starts an intent or a shortcut; to start a program write `- exec: [\(list)]`"
  }

  private func fields(
    _ node: Node, _ name: String, _ use: ArgumentKind.FieldUse, entity: EntityDefinition?
  ) -> CompiledArgument? {
    guard let mapping = node.mapping else {
      if let scalar = node.scalar, scalar.text.hasPart("{{"), use != .parameters {
        return compile(node, as: .map(.any)).map { .fieldMap($0, node.span) }
      }
      collector.report(
        "wrong-type", "`\(name)` must be a mapping from names to values", at: node.span)
      return nil
    }
    var fields: [CompiledArgument.Field] = []
    for entry in mapping.entries {
      var type: DataType?
      var need: String?
      if let entity {
        guard let property = entity.property(entry.key.text) else {
          collector.report(
            "unknown-property", "\(entity.name.text) has no property `\(entry.key.text)`",
            at: entry.key.span,
            help: Suggestion.help(for: entry.key.text, in: entity.properties.map(\.name.text)))
          continue
        }
        type = property.type
        // A single value may replace a list when an item is changed.
        if use == .change, case .list? = type?.unwrapped, !Self.isEnumeration(entry.value) {
          type = nil
        }
        if use == .creation, !property.type.isOptional, property.defaultNode == nil {
          need = "\(entity.name.text) needs `\(entry.key.text)`"
        }
      }
      if let value = compile(entry.value, as: type, takesExpression: true, need: need) {
        if let constraints = entity?.property(entry.key.text)?.constraints {
          expectAllowed(value, constraints, of: entry)
        }
        fields.append(
          CompiledArgument.Field(
            name: entry.key.text, value: value, type: type, slot: nil, span: entry.value.span))
      }
    }
    return .fields(fields)
  }

  private func sortKeys(_ node: Node, _ entity: EntityDefinition?) -> CompiledArgument? {
    let nodes = node.sequence ?? [node]
    let scalars = nodes.compactMap(\.scalar)
    if let wrong = nodes.first(where: { $0.scalar == nil }) {
      let name = wrong.mapping?.entries.first?.key.text ?? "title"
      collector.report(
        "wrong-type", "`sort` takes the name of a property, not \(wrong.kindName)", at: wrong.span,
        help: "write `sort: \(name)`, or `sort: -\(name)` for the largest first")
    }
    // `due desc, title` of SQL.
    let keys = scalars.flatMap { scalar in
      scalar.text.split(separator: ",").map { part in
        Scalar(text: String(part).trimmed, style: scalar.style, span: scalar.span)
      }
    }
    for scalar in keys {
      if var problem = entity?.sortProblem(scalar.text, at: scalar.span) {
        if ["asc", "desc"].contains(scalar.text.lowercased()), let key = scalars.first?.text {
          problem.help = "write `sort: \(scalar.text.lowercased() == "desc" ? "-" : "")\(key)`"
        }
        collector.report(problem)
      }
    }
    return .sort(keys.map { SortKey(parsing: $0.text) })
  }
}
