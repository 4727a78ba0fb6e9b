import Catalog
import Items
import Source
import YAML

extension ActionCompiler {
  /// A call of a verb.
  mutating func compile(_ verb: VerbSpec, _ call: Step.Call) -> CompiledStep.Kind? {
    switch verb.form {
    case .assignment: return assignment(verb, call)
    case .loopControl:
      if loopDepth == 0 {
        collector.report(
          Diagnostic(
            "not-in-loop", "`\(verb.name)` stands in no loop", at: call.name.span,
            help: "`stop` ends the intent or shortcut"))
      }
    case .usual: break
    }
    if finallyDepth > 0, verb.endsBlock, verb.name != "fail", verb.form != .loopControl {
      collector.report(
        Diagnostic(
          "not-in-finally", "`\(verb.name)` can't stand in `finally`, which always runs to its end",
          at: call.name.span, help: "put it into the body, or into `catch`"))
    }
    switch verb.effect {
    case .ask, .outside: if verb.name != "run" { refuseInAtomic(verb.name, at: call.name.span) }
    case .pure, .read, .write, .tell: break
    }
    let declared = verb.arguments
    let given = arguments(of: verb, call)
    // The entity comes first: the names of its properties are in reach in the other arguments.
    let entity = given["entity"].flatMap { self.entity(named: $0) }
    if let entity { entities.insert(entity.name.text) }
    var compiled: [CompiledArgument?] = []
    for argument in declared {
      guard let node = given[argument.name] else {
        if argument.isRequired {
          collector.report(
            Diagnostic(
              "missing-argument", "`\(verb.name)` needs `\(argument.name)`", at: call.name.span,
              help: "add `\(argument.name):` to its arguments"))
        }
        compiled.append(nil)
        continue
      }
      isInDefault = argument.name == "default"
      compiled.append(compile(argument, node, of: verb, entity: entity))
      isInDefault = false
    }
    let compiledCall = VerbCall(verb: verb, arguments: compiled)
    if let touches = verb.touches { self.touches.formUnion(touches(compiledCall)) }
    return .verb(compiledCall)
  }

  /// The arguments by name; a scalar or a list is the primary one.
  private func arguments(of verb: VerbSpec, _ call: Step.Call) -> [String: Node] {
    guard let node = call.value else { return [:] }
    let declared = verb.arguments
    guard case .mapping(let mapping) = node.content else {
      guard let primary = declared.first else {
        collector.report(
          Diagnostic(
            "unknown-argument", "`\(verb.name)` takes nothing", at: node.span,
            help: "write `- \(verb.name)` alone"))
        return [:]
      }
      return [primary.name: node]
    }
    var arguments: [String: Node] = [:]
    for entry in mapping.entries {
      if declared.contains(where: { $0.name == entry.key.text }) {
        arguments[entry.key.text] = entry.value
      } else {
        collector.report(
          Diagnostic(
            "unknown-argument", "`\(verb.name)` has no argument `\(entry.key.text)`",
            at: entry.key.span,
            help: advice(onArgument: entry.key.text, of: verb)))
      }
    }
    return arguments
  }

  private func advice(onArgument name: String, of verb: VerbSpec) -> String? {
    if ReservedWord.modifiers.contains(name) {
      return "`\(name)` stands beside `\(verb.name)`, not below it: indent it less"
    }
    switch (verb.name, name) {
    case ("value", _): return "for a map, write `- value: {value: {\(name): …}}`"
    case ("ask", "options"), ("ask", "choices"):
      return "write `type: enum` and `values: [one, two]`"
    case ("choose", "options"), ("choose", "choices"), ("choose", "values"):
      return "the list to choose from is `from`"
    default: return Suggestion.help(for: name, in: verb.arguments.map(\.name))
    }
  }

  private func entity(named node: Node) -> EntityDefinition? {
    guard let scalar = node.scalar else { return nil }
    if let entity = context.entity(scalar.text, collector) { return entity }
    guard !context.library.entityNames.contains(scalar.text) else { return nil }
    collector.report(
      Diagnostic(
        "unknown-entity", "there is no entity `\(scalar.text)`", at: scalar.span,
        help: Suggestion.help(for: scalar.text, in: context.library.entityNames)))
    return nil
  }

  private mutating func compile(
    _ argument: ArgumentDeclaration, _ node: Node, of verb: VerbSpec, entity: EntityDefinition?
  ) -> CompiledArgument? {
    switch argument.kind {
    case .value(let type):
      return compile(
        node, as: type, takesExpression: true, need: need(of: argument, of: verb)
      ).map { .value($0, type, node.span) }
    case .literal: return literal(node, argument.name)
    case .filter:
      guard let scalar = scalar(node, argument.name),
        let source = collector.collecting({ () throws(Diagnostic) in
          try ExpressionSource(scalar: scalar)
        })
      else { return nil }
      let slot = scopes.makeSlot()
      let subject = ExpressionCompiler.Subject(slot: slot, entity: entity)
      return expressions.compile(condition: source, scopes, subject: subject)
        .map { .filter($0, selfSlot: slot) }
    case .itemTemplate:
      guard let scalar = scalar(node, argument.name),
        let template = collector.collecting({ () throws(Diagnostic) in
          try Template(scalar: scalar)
        })
      else { return nil }
      let slot = scopes.makeSlot()
      return expressions.compile(template, scopes, subject: .init(slot: slot, entity: nil))
        .map { .itemTemplate($0, selfSlot: slot) }
    case .entityName: return node.scalar.map { .name($0.text) }
    case .typeName:
      guard let scalar = scalar(node, argument.name) else { return nil }
      guard let type = DataType.parse(scalar.text) else {
        collector.report(
          Diagnostic(
            "unknown-type", "`\(scalar.text)` is no type", at: scalar.span,
            help: Suggestion.help(for: scalar.text, in: DataType.simple.map(\.name))))
        return nil
      }
      checkEntity(of: type, at: scalar.span)
      entities.formUnion(type.entityNames)
      return .type(type)
    case .actionName: return actionName(node)
    case .choice(let words):
      guard let scalar = scalar(node, argument.name) else { return nil }
      guard words.contains(scalar.text) else {
        collector.report(
          Diagnostic(
            "invalid-value", "`\(argument.name)` can't be `\(scalar.text)`", at: scalar.span,
            help: Suggestion.help(for: scalar.text, in: words)))
        return nil
      }
      return .name(scalar.text)
    case .fields: return fields(node, argument.name, of: verb, entity: entity)
    case .sortKeys: return sortKeys(node, entity)
    }
  }

  /// Why an argument may not be null; nil where null counts as none, or is a value.
  private func need(of argument: ArgumentDeclaration, of verb: VerbSpec) -> String? {
    guard argument.isRequired, case .value(let type) = argument.kind else { return nil }
    let isItem = verb.effect == .write && type == .any
    return type == .url || isItem ? "`\(verb.name)` needs `\(argument.name)`" : nil
  }

  private func scalar(_ node: Node, _ name: String) -> Scalar? {
    if let scalar = node.scalar { return scalar }
    collector.report(
      Diagnostic("wrong-type", "`\(name)` is text, and this is \(node.kindName)", at: node.span))
    return nil
  }

  /// A shell reads the text, so a value in it could be taken for a part of the line.
  private func literal(_ node: Node, _ name: String) -> CompiledArgument? {
    guard let scalar = scalar(node, name) else { return nil }
    guard !scalar.text.contains("{{") else {
      collector.report(
        Diagnostic(
          "template-in-shell", "`\(name)` takes no `{{ }}`: what a value holds would be run",
          at: scalar.span,
          help: "give values in `args`, and write \"$1\", \"$2\" for them; or in `env`"))
      return nil
    }
    return .literal(scalar.text)
  }

  private mutating func actionName(_ node: Node) -> CompiledArgument? {
    guard let scalar = scalar(node, "name"),
      let template = collector.collecting({ () throws(Diagnostic) in
        try Template(scalar: scalar)
      })
    else { return nil }
    guard let name = template.plainText else {
      return expressions.compile(template, scopes).map { .dynamicName($0, scalar.span) }
    }
    if context.action(name, collector) == nil, !context.library.actionNames.contains(name) {
      collector.report(
        Diagnostic(
          "unknown-action", "there is no intent or shortcut `\(name)`", at: scalar.span,
          help: help(onBare: scalar)
            ?? Suggestion.help(for: name, in: context.library.actionNames)))
    }
    callees.insert(name)
    return .name(name)
  }

  private func fields(
    _ node: Node, _ name: String, of verb: VerbSpec, entity: EntityDefinition?
  ) -> CompiledArgument? {
    guard let mapping = node.mapping else {
      collector.report(
        Diagnostic(
          "wrong-type", "`\(name)` is a mapping from names to values", at: node.span))
      return nil
    }
    var fields: [CompiledArgument.Field] = []
    for entry in mapping.entries {
      var type: DataType?
      var need: String?
      if let entity {
        guard let property = entity.property(entry.key.text) else {
          collector.report(
            Diagnostic(
              "unknown-property", "\(entity.name.text) has no property `\(entry.key.text)`",
              at: entry.key.span,
              help: Suggestion.help(
                for: entry.key.text, in: entity.properties.map(\.name.text))))
          continue
        }
        type = property.type
        if verb.name == "create", !property.type.isOptional, property.defaultNode == nil {
          need = "\(entity.name.text) needs `\(entry.key.text)`"
        }
      }
      if let value = compile(entry.value, as: type, takesExpression: true, need: need) {
        fields.append(
          CompiledArgument.Field(
            name: entry.key.text, value: value, type: type, slot: nil, span: entry.value.span))
      }
    }
    return .fields(fields)
  }

  private func sortKeys(_ node: Node, _ entity: EntityDefinition?) -> CompiledArgument? {
    let scalars = node.scalar.map { [$0] } ?? node.sequence?.compactMap(\.scalar) ?? []
    for scalar in scalars {
      if let problem = entity?.sortProblem(scalar.text, at: scalar.span) {
        collector.report(problem)
      }
    }
    return .sort(scalars.map { SortKey(parsing: $0.text) })
  }

  /// `set` declares a variable in this block, or assigns the nearest one of its name.
  private mutating func assignment(_ verb: VerbSpec, _ call: Step.Call) -> CompiledStep.Kind? {
    guard let mapping = call.value?.mapping else {
      collector.report(
        Diagnostic(
          "wrong-type", "`set` takes a mapping from names to values",
          at: call.value?.span ?? call.name.span, help: "write `- set: {count: 1}`"))
      return nil
    }
    var fields: [CompiledArgument.Field] = []
    for entry in mapping.entries {
      let existing = scopes.binding(entry.key.text)
      let value = compile(entry.value, as: existing?.type)
      let slot: Int
      if let existing {
        if existing.kind != .variable {
          let what =
            switch existing.kind {
            case .parameter: "a parameter or a name of the language's own"
            case .result: "the result of a step"
            default: "a loop's variable"
            }
          collector.report(
            Diagnostic(
              "not-assignable", "`\(entry.key.text)` is \(what), which `set` can't change",
              at: entry.key.span, help: "choose another name"))
        } else if scopes.isOutsideBranch(entry.key.text) {
          collector.report(
            Diagnostic(
              "set-in-parallel",
              "`\(entry.key.text)` stands outside of what runs at once, where `set` can't change it",
              at: entry.key.span,
              help: "use the value of the block: the results of all branches, in their order",
              related: existing.declaration.map { [.init("declared here", at: $0.span)] } ?? []))
        }
        slot = existing.slot
      } else {
        if !NameForm.lowerCamel.accepts(entry.key.text) {
          collector.report(
            Diagnostic(
              "bad-name", "the name of a variable is \(NameForm.lowerCamel.example)",
              at: entry.key.span,
              help: NameForm.lowerCamel.corrected(entry.key.text).map { "write `\($0)`" }))
        }
        slot = scopes.declare(entry.key.text, .variable, type: nil, at: entry.key)
      }
      scopes.knowledge.forget(entry.key.text)
      if value?.isNeverNull == true { scopes.knowledge.learn([entry.key.text]) }
      // A variable keeps its type, but null fits any.
      if value?.mayBeNull == true { scopes.knowledge.emptied.insert(entry.key.text) }
      if let value {
        fields.append(
          CompiledArgument.Field(
            name: entry.key.text, value: value, type: existing?.type, slot: slot,
            span: entry.value.span))
      }
    }
    return .verb(VerbCall(verb: verb, arguments: [.fields(fields)]))
  }
}
