import CEL
import Catalog
import Items
import Source
import YAML

extension ActionCompiler {
  /// Compiles a call of a verb.
  mutating func compile(
    _ verb: VerbSignature, _ row: Int, _ call: Step.Call
  ) -> CompiledStep.Kind? {
    if verb.form == .assignment { return assignment(verb, row, call) }
    expectPlace(of: verb, at: call.name.span)
    let declared = verb.arguments
    let (given, corrections) = arguments(of: verb, call)
    // The entity comes first: its properties are in scope in the remaining arguments.
    var entity = given["entity"].flatMap { self.entity(named: $0) }
    let isUnknown = entity == nil && given["entity"]?.scalar != nil
    if let entity { entities.insert(entity.name.text) }
    let callee =
      verb.callsByName && !(verb.enqueues && isSound(given["name"]))
      ? callee(named: given["name"]) : nil
    if let name = call.value?.mapping?["as"]?.scalar, !declared.contains(where: { $0.name == "as" })
    {
      // Declared despite the error, so that later steps raise no further ones.
      scopes.declare(name.text, .result, type: nil)
    }
    var compiled: [CompiledArgument?] = []
    for argument in declared {
      guard let node = given[argument.name] else {
        if argument.isRequired, !corrections.contains(argument.name) {
          collector.report(
            "missing-argument", "`\(verb.name)` needs `\(argument.name)`", at: call.name.span,
            help: "add `\(argument.name):` to its arguments")
        }
        compiled.append(nil)
        continue
      }
      // Without known properties, any name may be one.
      if isUnknown, argument.isOverItems {
        compiled.append(nil)
        continue
      }
      isPlainText = ["default", "columns"].contains(argument.name) || namesItem(argument, given)
      isForeignText = verb.traits.contains(.takesForeignText)
      compiled.append(
        callee.flatMap { compile(argument, node, of: $0) }
          ?? compile(argument, node, of: verb, entity: entity, beside: given))
      isPlainText = false
      isForeignText = false
      if namesItem(argument, given), case .value(let value, _, _)?? = compiled.last {
        expectReference(value, argument.name, at: node)
      }
      // Properties of an item of known type are in scope.
      if argument.role == .items || namesItem(argument, given) {
        entity = self.entity(of: compiled.last ?? nil)
      }
    }
    if let alternatives = verb.alternatives,
      corrections.isDisjoint(with: alternatives.names)
    {
      expectOne(of: alternatives, given, verb, call)
    }
    if case .ask = verb.effect, !corrections.contains("values") {
      expectAnswerable(compiled, given)
    }
    if verb.properties?.use == .creation, let entity, !corrections.contains("set") {
      expectComplete(entity, given, at: call.name.span)
    }
    if verb.exit == .returns {
      expectReturned(by: compiled.first ?? nil, isGiven: given["value"] != nil, at: call.name.span)
    }
    let compiledCall = VerbCall(verb: verb, row: row, arguments: compiled)
    expectHarmony(compiledCall, given)
    doubt(compiledCall, given)
    if atomicDepth > 0, let violation = AtomicViolation(compiledCall) {
      refuseInAtomic(verb.name, violation, at: call.name.span)
    }
    if let capabilities = verb.capabilities {
      self.capabilities.formUnion(capabilities(compiledCall))
    }
    return .verb(compiledCall)
  }

  /// Reports a verb that leaves a loop or the action where it cannot.
  private mutating func expectPlace(of verb: VerbSignature, at span: Span) {
    switch verb.exit {
    case .breaks, .continues:
      if loopDepth > 0 { return }
      collector.report(
        "not-in-loop", "`\(verb.name)` is only allowed in a loop", at: span,
        help: context.verbs.name(of: .stops).map { "`\($0)` ends the intent or shortcut" })
    case .stops, .returns:
      if verb.exit == .returns, slotsAtReturn == nil { slotsAtReturn = scopes.slotCount }
      if finallyDepth == 0 { return }
      collector.report(
        "not-in-finally",
        "`\(verb.name)` is not allowed in `finally`, which always runs to its end",
        at: span, help: "put it into the body, or into `catch`")
    case .next, .fails: break
    }
  }

  /// Returns the arguments by name, and those named in advice on unknown ones; a scalar or list is
  /// the primary argument.
  private func arguments(
    of verb: VerbSignature, _ call: Step.Call
  ) -> (given: [String: Node], corrections: Set<String>) {
    guard let node = call.value else { return ([:], []) }
    let declared = verb.arguments
    guard case .mapping(let mapping) = node.content else {
      guard let primary = declared.first else {
        collector.report(
          "unknown-argument", "`\(verb.name)` has no arguments", at: node.span,
          help: node.scalar.map {
            "write `- say: \($0.text.shortened)`, then `- \(verb.name)` alone"
          } ?? "write `- \(verb.name)` alone")
        return ([:], [])
      }
      return ([primary.name: node], [])
    }
    if let primary = declared.first, isMap(mapping, for: primary, of: verb) {
      return ([primary.name: node], [])
    }
    var arguments: [String: Node] = [:]
    var corrections: Set<String> = []
    let properties = propertiesOutsideSet(mapping, verb)
    if !properties.isEmpty {
      reportOutsideSet(properties, mapping, verb)
      corrections.insert("set")
    }
    for entry in mapping.entries
    where !properties.contains(where: { $0.key.text == entry.key.text }) {
      if declared.contains(where: { $0.name == entry.key.text }) {
        arguments[entry.key.text] = entry.value
      } else {
        if verb.traits.contains(.givesArgument), !corrections.isEmpty { continue }
        if ArgumentAdvice.isTold(entry.key, of: verb.advice, in: mapping) { continue }
        let help =
          collector.wantsAdvice ? advice(onArgument: entry.key, of: verb, in: node) : nil
        for argument in declared
        where ["`X`", "`X:", "{X:"].contains(where: {
          help?.contains($0.replacing("X", with: argument.name)) == true
        }) {
          corrections.insert(argument.name)
        }
        collector.report(
          "unknown-argument", "`\(verb.name)` has no argument `\(entry.key.text)`",
          at: entry.key.span, help: help)
      }
    }
    return (arguments, corrections)
  }

  /// Whether a mapping is the primary argument rather than named ones: no key resembles an
  /// argument, and not all of them are modifiers.
  private func isMap(
    _ mapping: Mapping, for primary: ArgumentDeclaration, of verb: VerbSignature
  ) -> Bool {
    guard primary.name == "value", case .value(.any) = primary.kind else { return false }
    let keys = mapping.entries.map(\.key.text)
    return !keys.allSatisfy(ReservedWord.modifiers.contains)
      && keys.allSatisfy { Suggestion.nearest(to: $0, in: verb.arguments.map(\.name)) == nil }
  }

  /// Properties of an entity placed next to `set` in `create` or `update`.
  private func propertiesOutsideSet(
    _ mapping: Mapping, _ verb: VerbSignature
  ) -> [Mapping.Entry] {
    guard let fields = verb.properties, mapping[fields.argument.name] == nil else { return [] }
    var entity: EntityDefinition?
    if let name = mapping["entity"]?.scalar?.text {
      entity = try? context.catalog.entity(name)
    } else if let reference = mapping["item"]?.scalar?.text {
      entity = context.catalog.entity(ofReference: reference)
    }
    return mapping.entries.filter { entry in
      !verb.arguments.contains { $0.name == entry.key.text }
        && (entity.map { $0.property(entry.key.text) != nil }
          ?? (mapping["item"] != nil
            && !ReservedWord.modifiers.contains(entry.key.text)
            && Suggestion.nearest(to: entry.key.text, in: verb.arguments.map(\.name)) == nil))
    }
  }

  private func reportOutsideSet(
    _ properties: [Mapping.Entry], _ mapping: Mapping, _ verb: VerbSignature
  ) {
    func text(_ entry: Mapping.Entry) -> String { "\(entry.key.text): \(entry.value.span.text)" }
    let head = mapping.entries.filter { $0.key.text == "entity" || $0.key.text == "item" }
    let set = "set: {\(properties.map(text).joined(separator: ", "))}"
    let line = (head.map(text) + [set]).joined(separator: ", ")
    let isShort = line.utf8.count <= 100 && !line.contains("\n")
    collector.report(
      "unknown-argument", "`\(verb.name)` has no argument `\(properties[0].key.text)`",
      at: properties[0].key.span,
      help: "properties go below `set`: "
        + (isShort ? "write `- \(verb.name): {\(line)}`" : "write `set: {…}`"))
  }

  private func advice(
    onArgument key: Scalar, of verb: VerbSignature, in node: Node
  ) -> String? {
    let name = key.text
    if let help = node.mapping.flatMap({ ListAdvice.torn(key, in: $0) }) { return help }
    let modifier = modifierAdvice(key, of: verb.name, value: node.mapping?[name])
    if verb.arguments.first?.name == "value" {
      let map = node.span.text.first == "{" ? node.span.text.shortened : "{\(name): …}"
      let explicit = "for a map, give it as `value`: write `- \(verb.name): {value: \(map)}`"
      return modifier.map { "\($0); \(explicit)" } ?? explicit
    }
    if let modifier { return modifier }
    if ["create", "find"].contains(verb.advice), context.catalog.entityNames.contains(name) {
      let value = node.mapping?[name]?.span.text.shortened ?? ""
      let part = verb.advice == "create" ? "set" : "where"
      return "write `- \(verb.name): {entity: \(name), \(part): "
        + "\(value.hasPrefix("{") && verb.advice == "create" ? value : "…")}`"
    }
    return ArgumentAdvice.help(on: key, of: verb.advice, in: node.mapping)
      ?? Suggestion.help(for: name, in: verb.arguments.map(\.name))
  }

  private func entity(named node: Node) -> EntityDefinition? {
    node.scalar.flatMap { context.entity($0.text, at: $0.span, collector) }
  }

  /// The static entity of an argument's item, or of the items in its list; nil if unknown.
  func entity(of argument: CompiledArgument?) -> EntityDefinition? {
    guard case .value(let value, _, _)? = argument else { return nil }
    if case .string(let text)? = value.known { return context.catalog.entity(ofReference: text) }
    guard var type = value.type?.unwrapped else { return nil }
    if case .list(let element) = type { type = element }
    guard case .entity(let name) = type else { return nil }
    return try? context.catalog.entity(name)
  }

  /// Whether a built-in definition enqueues a known action: its arguments are checked by the tests
  /// of a release, or, for an override, when the job is enqueued.
  func isSound(_ node: Node?) -> Bool {
    guard isBuiltIn, let name = node?.scalar?.text, !context.checksBuiltIns else { return false }
    return context.catalog.place(ofAction: name) != nil
  }

  /// Returns the callee of `run` or `enqueue`; nil if its name is computed.
  func callee(named node: Node?) -> ActionDefinition? {
    guard let scalar = node?.scalar, !scalar.text.hasPart("{{") else { return nil }
    return try? context.catalog.action(scalar.text)
  }
}
