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
    let declared = verb.arguments
    let (given, corrections) = arguments(of: verb, call)
    // The entity comes first: the names of its properties are in reach in the other arguments.
    var entity = given["entity"].flatMap { self.entity(named: $0) }
    let isUnknown = entity == nil && given["entity"]?.scalar != nil
    if let entity { entities.insert(entity.name.text) }
    let callee =
      verb.callsByName && !(verb.enqueues && isSound(given["name"]))
      ? callee(named: given["name"]) : nil
    if let name = call.value?.mapping?["as"]?.scalar, !declared.contains(where: { $0.name == "as" })
    {
      // It was reported; the steps after it know what is meant.
      scopes.declare(name.text, .result, type: nil)
    }
    var compiled: [CompiledArgument?] = []
    for argument in declared {
      guard let node = given[argument.name] else {
        if argument.isRequired, !corrections.contains(argument.name) {
          collector.report(
            Diagnostic(
              "missing-argument", "`\(verb.name)` needs `\(argument.name)`", at: call.name.span,
              help: "add `\(argument.name):` to its arguments"))
        }
        compiled.append(nil)
        continue
      }
      // The names of what has no known properties can't be told from others.
      if isUnknown, argument.isOverItems {
        compiled.append(nil)
        continue
      }
      isPlainText = argument.name == "default" || namesItem(argument, given)
      compiled.append(
        callee.flatMap { compile(argument, node, of: $0) }
          ?? compile(argument, node, of: verb, entity: entity))
      isPlainText = false
      if namesItem(argument, given), case .value(let value, _, _)?? = compiled.last {
        expectReference(value, argument.name, at: node)
      }
      // Of an item whose type is known, the properties are.
      switch (verb.name, argument.name) {
      case ("update", "item"), ("choose", "from"): entity = self.entity(of: compiled.last ?? nil)
      default: break
      }
    }
    if let alternatives = verb.alternatives,
      corrections.isDisjoint(with: alternatives.names)
    {
      expectOne(of: alternatives, given, verb, call)
    }
    if verb.name == "ask", !corrections.contains("values") { expectAnswerable(compiled, given) }
    if verb.name == "create", let entity { expectComplete(entity, given, at: call.name.span) }
    if verb.name == "return" {
      expectReturned(
        by: compiled.first ?? nil, isGiven: given["value"] != nil, at: call.name.span)
    }
    let compiledCall = VerbCall(verb: verb, arguments: compiled)
    expectHarmony(compiledCall, given)
    if atomicDepth > 0, let hindrance = AtomicHindrance(compiledCall) {
      refuseInAtomic(verb.name, hindrance, at: call.name.span)
    }
    if let touches = verb.touches { self.touches.formUnion(touches(compiledCall)) }
    return .verb(compiledCall)
  }

  /// The arguments by name, and those that the advice on others names; a scalar or a list is the
  /// primary one.
  private func arguments(
    of verb: VerbSpec, _ call: Step.Call
  ) -> (given: [String: Node], corrections: Set<String>) {
    guard let node = call.value else { return ([:], []) }
    let declared = verb.arguments
    guard case .mapping(let mapping) = node.content else {
      guard let primary = declared.first else {
        collector.report(
          Diagnostic(
            "unknown-argument", "`\(verb.name)` takes nothing", at: node.span,
            help: "write `- \(verb.name)` alone"))
        return ([:], [])
      }
      return ([primary.name: node], [])
    }
    var arguments: [String: Node] = [:]
    var corrections: Set<String> = []
    for entry in mapping.entries {
      if declared.contains(where: { $0.name == entry.key.text }) {
        arguments[entry.key.text] = entry.value
      } else {
        if verb.name == "value", !corrections.isEmpty { continue }
        let help = advice(onArgument: entry.key.text, of: verb, in: node)
        for argument in declared
        where ["`", ":"].contains(where: { help?.contains("`\(argument.name)\($0)") == true }) {
          corrections.insert(argument.name)
        }
        collector.report(
          Diagnostic(
            "unknown-argument", "`\(verb.name)` has no argument `\(entry.key.text)`",
            at: entry.key.span, help: help))
      }
    }
    return (arguments, corrections)
  }

  private func advice(
    onArgument name: String, of verb: VerbSpec, in node: Node
  ) -> String? {
    if ReservedWord.modifiers.contains(name) {
      return "`\(name)` stands beside `\(verb.name)`, not below it: indent it less"
    }
    switch (verb.name, name) {
    case ("value", _):
      let map = node.span.text.first == "{" ? node.span.text.shortened : "{\(name): …}"
      return "for a map, give it as `value`: write `- value: {value: \(map)}`"
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
        help: collector.wantsAdvice
          ? Suggestion.help(for: scalar.text, in: context.library.entityNames) : nil))
    return nil
  }

  /// The entity of the item, or of the items of the list, that an argument gives, where that is
  /// known before the run.
  private func entity(of argument: CompiledArgument?) -> EntityDefinition? {
    guard case .value(let value, _, _)? = argument, var type = value.type?.unwrapped else {
      return nil
    }
    if case .list(let element) = type { type = element }
    guard case .entity(let name) = type else { return nil }
    return try? context.library.entity(name)
  }

  /// Whether what came with the program puts something in, which is looked at when all of it is checked,
  /// and not at every start; where a person's own took its place, it is looked at when it is put in.
  private func isSound(_ node: Node?) -> Bool {
    guard isBuiltIn, let name = node?.scalar?.text, !context.checksBuiltIns else { return false }
    return context.library.place(ofAction: name) != nil
  }

  /// What `run` or `enqueue` calls, where its name is known before the run.
  private func callee(named node: Node?) -> ActionDefinition? {
    guard let scalar = node?.scalar, !scalar.text.hasPart("{{") else { return nil }
    return try? context.library.action(scalar.text)
  }

  /// What `run` or `enqueue` gives to a callee that is known; nil for an argument that is not given on.
  private func compile(
    _ argument: ArgumentDeclaration, _ node: Node, of callee: ActionDefinition
  ) -> CompiledArgument? {
    switch argument.name {
    case "input":
      guard let parameter = callee.primaryParameter else {
        collector.report(
          Diagnostic(
            "unknown-argument", "`\(callee.name.text)` takes no input", at: node.span,
            help: "take it out"))
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

  /// The position of a parameter of what is called; reports a name of none.
  func position(ofParameter name: Scalar, of callee: ActionDefinition) -> Int? {
    let names = callee.allParameters.map(\.name.text)
    if let index = names.firstIndex(of: name.text) { return index }
    collector.report(
      Diagnostic(
        "unknown-parameter", "`\(callee.name.text)` has no parameter `\(name.text)`",
        at: name.span, help: Suggestion.help(for: name.text, in: names)))
    return nil
  }

  /// A value for a parameter of what is called.
  func compile(_ node: Node, for parameter: ParameterDefinition) -> CompiledValue? {
    let value = compile(node, as: parameter.type, takesExpression: true)
    if let value { expectAllowed(value, for: parameter, at: node.span) }
    return value
  }

  private mutating func compile(
    _ argument: ArgumentDeclaration, _ node: Node, of verb: VerbSpec, entity: EntityDefinition?
  ) -> CompiledArgument? {
    switch argument.kind {
    case .value(let type):
      if refuseCommandLine(node, for: argument, of: verb) { return nil }
      let value = compile(
        node, as: type, takesExpression: true, need: need(of: argument, of: verb))
      if let value { expectTried(value, argument, at: node.span) }
      return value.map { .value($0, type, node.span) }
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
      let subject = ExpressionCompiler.Subject(
        slot: slot, entity: entity, allowsBareNames: entity == nil)
      return expressions.compile(template, scopes, subject: subject)
        .map { .itemTemplate($0, selfSlot: slot) }
    case .entityName: return node.scalar.map { .name($0.text) }
    case .typeName:
      guard let scalar = scalar(node, argument.name) else { return nil }
      guard let type = DataType.parse(scalar.text) else {
        collector.report(
          Diagnostic(
            "unknown-type", "`\(scalar.text)` is no type", at: scalar.span,
            help: TypeAdvice.help(for: scalar.text)))
        return nil
      }
      checkEntity(of: type, at: scalar.span)
      entities.formUnion(type.entityNames)
      return .type(type)
    case .actionName: return actionName(node, isEnqueued: verb.enqueues)
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
    guard case .value(let type) = argument.kind else { return nil }
    if verb.name == "return" { return needOfReturns }
    if type.isOptional, !(argument.isRequired && verb.effect == .write) { return nil }
    return argument.isRequired
      ? "`\(verb.name)` needs `\(argument.name)`"
      : "`\(argument.name)` of `\(verb.name)` takes no null"
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
    guard !scalar.text.hasPart("{{") else {
      collector.report(
        Diagnostic(
          "template-in-shell", "`\(name)` takes no `{{ }}`: what a value holds would be run",
          at: scalar.span,
          help: "give values in `args`, and write \"$1\", \"$2\" for them; or in `env`"))
      return nil
    }
    return .literal(scalar.text)
  }

  private mutating func actionName(_ node: Node, isEnqueued: Bool) -> CompiledArgument? {
    guard let scalar = scalar(node, "name"),
      let template = collector.collecting({ () throws(Diagnostic) in
        try Template(scalar: scalar)
      })
    else { return nil }
    guard let name = template.plainText else {
      return expressions.compile(template, scopes).map { .dynamicName($0, scalar.span) }
    }
    if !(isEnqueued && isSound(node)), context.action(name, collector) == nil,
      !context.library.actionNames.contains(name)
    {
      collector.report(
        Diagnostic(
          "unknown-action", "there is no intent or shortcut `\(name)`", at: scalar.span,
          help: help(onBare: scalar)
            ?? Suggestion.help(for: name, in: context.library.actionNames)))
    }
    if isEnqueued { enqueued.insert(name) } else { callees.insert(name) }
    return .name(name)
  }

  private func fields(
    _ node: Node, _ name: String, of verb: VerbSpec, entity: EntityDefinition?
  ) -> CompiledArgument? {
    guard let mapping = node.mapping else {
      if let scalar = node.scalar, scalar.text.hasPart("{{"), !verb.callsByName {
        return compile(node, as: .map(.any)).map { .fieldMap($0, node.span) }
      }
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
        // One value stands for a list where an item is changed.
        if verb.name == "update", case .list? = type?.unwrapped { type = nil }
        if verb.name == "create", !property.type.isOptional, property.defaultNode == nil {
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
    let scalars = node.scalar.map { [$0] } ?? node.sequence?.compactMap(\.scalar) ?? []
    for scalar in scalars {
      if let problem = entity?.sortProblem(scalar.text, at: scalar.span) {
        collector.report(problem)
      }
    }
    return .sort(scalars.map { SortKey(parsing: $0.text) })
  }
}
