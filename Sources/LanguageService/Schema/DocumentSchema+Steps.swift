import CEL
import Catalog
import Items
import Program
import YAML

extension DocumentSchema {
  /// One step, or a list of them.
  var steps: Value {
    [
      "type": ["array", "object", "string", "null"], "items": Self.reference("step"),
      "if": ["type": ["object", "string"]], "then": Self.reference("step"),
    ]
  }

  /// A step: one verb, action or block with its keys, or the name of a step without arguments.
  var step: Value {
    let modifiers = Step.modifiers.map(\.name)
    var properties = MapValue()
    var dependencies = MapValue()
    for key in Step.modifiers {
      properties[key.name] = described(schema(of: key.form), by: explainer.text(of: key))
    }
    for name in Self.blockWords {
      let uses = Step.blocks.flatMap { block in
        block.filter { $0.name == name }.map { (block: block, key: $0) }
      }
      (properties[name], dependencies[name]) = blockWord(uses, beside: modifiers)
    }
    for (name, schema) in calls {
      properties[name] = schema
      dependencies[name] = ["propertyNames": ["enum": Self.words([name] + modifiers)]]
    }
    let step: Value = [
      "type": ["object", "string"], "properties": .map(properties),
      "dependencies": .map(dependencies), "additionalProperties": false,
      "anyOf": [
        ["type": "object", "not": ["propertyNames": ["enum": Self.words(modifiers)]]], bareStep,
      ],
    ]
    return isOpen ? step.with("patternProperties", [.string(NameForm.kebab.pattern): [:]]) : step
  }

  /// Words that begin a block or belong to one, each once.
  private static var blockWords: [String] {
    var words: [String] = []
    for key in Step.blocks.joined() where !words.contains(key.name) { words.append(key.name) }
    return words
  }

  /// Words that mean something in a step, besides verbs.
  static var stepWords: [String] { blockWords + Step.modifiers.map(\.name) }

  /// The value of a block keyword, and the keys it requires.
  private func blockWord(
    _ uses: [(block: [KeyDeclaration], key: KeyDeclaration)], beside modifiers: [String]
  ) -> (property: Value, dependency: Value) {
    var forms: [Value] = []
    for use in uses {
      let form = schema(of: use.key.form)
      if !forms.contains(form) { forms.append(form) }
    }
    let dependencies = uses.map { use -> Value in
      let head = use.block[0]
      guard head.name == use.key.name else { return ["required": [.string(head.name)]] }
      let dependency: Value = [
        "propertyNames": ["enum": Self.words(use.block.map(\.name) + modifiers)],
        "required": Self.words(use.block.filter(\.isRequired).map(\.name)),
      ]
      guard forms.count > 1 else { return dependency }
      return dependency.with(
        "properties", .map(MapValue([(head.name, schema(of: use.key.form))])))
    }
    let begun = uses.first { $0.block[0].name == $0.key.name }
    return (
      described(
        forms.count == 1 ? forms[0] : [:],
        by: begun.map { explainer.text(ofBlock: $0.block) } ?? explainer.text(of: uses[0].key)),
      dependencies.count == 1 ? dependencies[0] : ["anyOf": .list(dependencies)]
    )
  }

  /// A step of one word.
  private var bareStep: Value {
    let verbs = context.verbs.names()
    let complete = verbs.filter { context.verbs.signature(named: $0)?.needsArguments == false }
    let known: Value = [
      "type": "string", "enum": Self.words(complete + context.catalog.actionNames),
    ]
    guard isOpen else { return known }
    return ["anyOf": [known, name(.action)]]
  }

  // MARK: Calls

  /// The arguments of each verb and action.
  private var calls: [(name: String, schema: Value)] {
    let verbs = context.verbs.names().compactMap { name in
      context.verbs.signature(named: name).map { verb in
        (name, described(call(of: verb), by: explainer.text(of: verb)))
      }
    }
    return verbs
      + actions.map { action in
        let call = Self.reference("call." + action.name.text)
        return (action.name.text, described(call, by: explainer.text(of: action)))
      }
  }

  /// The intents and shortcuts that can be read.
  var actions: [ActionDefinition] {
    context.catalog.actionNames.compactMap { name in
      (try? context.catalog.action(name)) ?? context.catalog.partialAction(name)
    }
  }

  private func call(of verb: VerbSignature) -> Value {
    if verb.form == .assignment {
      return ["type": "object", "propertyNames": name(.variable)]
    }
    guard let primary = verb.arguments.first else {
      return ["type": ["object", "null"], "maxProperties": 0]
    }
    let properties = verb.arguments.map { argument in
      (
        argument.name,
        described(value(of: argument), by: explainer.text(of: argument, of: verb))
      )
    }
    var schema: Value = ["properties": .map(MapValue(properties))]
    // A mapping may also be the value itself.
    if primary.name == "value", case .value(.any) = primary.kind { return schema }
    schema = schema.with("additionalProperties", false)
    let required = verb.arguments.filter(\.isRequired).map(\.name)
    if !required.isEmpty { schema = schema.with("required", Self.words(required)) }
    schema = schema.with("allOf", fields(of: verb))
    let alternatives = verb.alternatives.map { group -> Value in
      [
        group.isExclusive ? "oneOf" : "anyOf": .list(
          group.names.map { ["required": [.string($0)]] })
      ]
    }
    let scalar = value(of: primary)
    if scalar == [:], alternatives == nil { return schema }
    return schema.with("if", ["type": "object"]).with("then", alternatives)
      .with("else", verb.needsArguments ? scalar : ["anyOf": [scalar, ["type": "null"]]])
  }

  /// The properties of a new item by its entity, or the parameters of a callee by its name.
  private func fields(of verb: VerbSignature) -> Value? {
    for argument in verb.arguments {
      switch argument.kind {
      case .fields(.creation):
        let names = context.catalog.entityNames
        return .list(names.map { fields(argument, where: "entity", is: $0, are: "items." + $0) })
      case .fields(.parameters) where !isOpen:
        let names = actions.map(\.name.text)
        return .list(names.map { fields(argument, where: "name", is: $0, are: "call." + $0) })
      default: break
      }
    }
    return nil
  }

  private func fields(
    _ argument: ArgumentDeclaration, where key: Value, is name: String, are definition: String
  ) -> Value {
    [
      "if": ["properties": [key: ["const": .string(name)]], "required": [key]],
      "then": ["properties": [.string(argument.name): Self.reference(definition)]],
    ]
  }

  func call(of action: ActionDefinition) -> Value {
    let parameters = action.allParameters.filter { !$0.isTrigger }
    let properties = parameters.map { parameter in
      (parameter.name.text, described(value(of: parameter), by: explainer.text(of: parameter)))
    }
    let schema: Value = ["properties": .map(MapValue(properties))]
    if isOpen { return schema }
    let primary = action.primaryParameter.flatMap { $0.isTrigger ? nil : $0 }
    return schema.with("additionalProperties", false).with("if", ["type": "object"])
      .with("else", primary.map(value) ?? ["type": "null"])
  }
}

extension VerbSignature {
  /// Whether a step of its name alone is incomplete.
  fileprivate var needsArguments: Bool {
    alternatives != nil || form == .assignment || arguments.contains { $0.isRequired }
  }
}
