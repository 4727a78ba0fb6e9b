import CEL
import Catalog
import Items
import Source
import YAML

/// Compilation of `set`, and flow typing of variables.
extension ActionCompiler {
  /// Finds variables that are assigned in several places; their elements may have any type.
  mutating func noteReassigned(_ definition: ActionDefinition) {
    // Types in built-in definitions are checked by the tests of a release.
    if definition.name.span.file.isBuiltIn, !context.checksBuiltIns { return }
    var seen: Set<String> = []
    for entry in context.assignments(in: definition.steps)
    where !seen.insert(entry.key.text).inserted {
      reassigned.insert(entry.key.text)
    }
  }

  /// Compiles `set`: assigns the nearest variable of each name, or declares one in this block.
  mutating func assignment(_ verb: VerbSignature, _ row: Int, _ call: Step.Call) -> CompiledStep
    .Kind?
  {
    guard let mapping = call.value?.mapping else {
      collector.report(
        "wrong-type", "`\(verb.name)` needs a mapping from names to values",
        at: call.value?.span ?? call.name.span,
        help: call.value?.sequence.flatMap { ListAdvice.names($0, of: verb.name) }
          ?? "write `- \(verb.name): {\(Self.assignment(meantBy: call.value?.scalar?.text))}`")
      // Declared despite the error, so that later steps raise no further ones.
      if let text = call.value?.scalar?.text,
        let name = text.split(whereSeparator: { " =:".contains($0) }).first.map(String.init),
        NameForm.lowerCamel.accepts(name), scopes.binding(name) == nil
      {
        scopes.declare(name, .result, type: nil)
      }
      return nil
    }
    var fields: [CompiledArgument.Field] = []
    // All values are compiled before any variable changes.
    let values = mapping.entries.map { entry in
      let existing = scopes.binding(entry.key.text)
      // Text for a variable of another type is reported as that.
      if let type = existing?.type, existing?.isInferred == true, type.celType != .string {
        isPlainText = true
      }
      defer { isPlainText = false }
      return compile(entry.value, as: existing?.declaredType)
    }
    for (entry, value) in zip(mapping.entries, values) {
      let name = entry.key.text
      let existing = scopes.binding(name)
      let slot: Int
      if let existing {
        context.trace?.assign(entry.key, existing.declaration)
        expectAssignable(entry.key, existing)
        if let value { expectSameKind(value, existing, entry) }
        slot = existing.slot
      } else {
        slot = declare(entry.key, value)
      }
      note(value, of: name, isOptional: existing?.declaredType?.isOptional == true)
      if let value {
        fields.append(
          CompiledArgument.Field(
            name: name, value: value, type: existing?.declaredType, slot: slot,
            span: entry.value.span))
      }
    }
    return .verb(VerbCall(verb: verb, row: row, arguments: [.fields(fields)]))
  }

  /// The mapping meant by a text such as `a = 1`; an example for other texts.
  private static func assignment(meantBy text: String?) -> String {
    let parts = text?.split(separator: "=", maxSplits: 1).map { $0.trimmed } ?? []
    guard let first = parts.first, let name = NameForm.lowerCamel.corrected(first) else {
      return "count: 1"
    }
    guard parts.count > 1, !parts[1].isEmpty, parts[1].utf8.count <= 60 else {
      return "\(name): 1"
    }
    let isNumber = Double(parts[1]) != nil || parts[1].first == "'" || parts[1].first == "\""
    return "\(name): \(isNumber ? parts[1] : "'{{ \(parts[1].replacing("'", with: "''")) }}'")"
  }

  /// Declares a variable with the type of its first value.
  private mutating func declare(_ name: Scalar, _ value: CompiledValue?) -> Int {
    collector.checkVariable(name, of: "a variable")
    var type = value?.type
    if reassigned.contains(name.text) {
      // Later values may be null, or lists of other elements.
      type = type?.unwrapped
      switch type {
      case .list: type = .list(.any)
      case .map, .record: type = .map(.any)
      case .enumeration, .url, .file: type = .string
      case .refined(let refined): type = refined.base
      case .date, .when: type = .timestamp
      default: break
      }
    }
    return scopes.declare(name.text, .variable, type: type, at: name, isInferred: true)
  }

  /// Updates the facts about a variable after an assignment; null fits any type.
  private mutating func note(_ value: CompiledValue?, of name: String, isOptional: Bool) {
    let elements = elementFacts(of: value)
    scopes.flowFacts.forget(name)
    scopes.flowFacts.learn(elements, of: name)
    scopes.flowFacts.emptied.remove(name)
    if value?.mayBeNull == true {
      scopes.flowFacts.emptied.insert(name)
    } else if value?.isNeverNull == true, isOptional {
      scopes.flowFacts.learn([name])
    }
  }

  private func expectAssignable(_ name: Scalar, _ existing: Binding) {
    if existing.kind != .variable {
      let what =
        switch existing.kind {
        case .parameter: "a parameter or a reserved name"
        case .result: "the result of a step"
        default: "a loop's variable"
        }
      collector.report(
        "not-assignable", "`\(name.text)` is \(what), which `set` cannot change", at: name.span,
        help: existing.kind == .result
          ? "begin with `- set: {\(name.text): …}` instead of `as: \(name.text)`"
          : "choose another name")
    } else if scopes.isOutsideBranch(name.text) {
      collector.report(
        "set-in-parallel",
        "`\(name.text)` is declared outside this parallel block, so `set` cannot change it",
        at: name.span,
        help: "use the value of the block: the results of all branches, in their order",
        related: existing.declaration.map { [.init("declared here", at: $0.span)] } ?? [])
    }
  }

  /// Advice on a value of another type: bare text such as `n + 1` is probably meant as an
  /// expression.
  private func help(onAssigning value: Node) -> String {
    if let scalar = value.scalar, scalar.style == .plain,
      scalar.text.names.contains(where: { scopes.binding($0) != nil })
    {
      let braced = "'{{ \(scalar.text.replacing("'", with: "''")) }}'"
      return "for the value of the expression: \(scalar.span.line(with: braced) ?? braced)"
    }
    return "a variable keeps its type; use another one"
  }

  /// Reports a value whose type differs from that of the variable's first value.
  private func expectSameKind(
    _ value: CompiledValue, _ existing: Binding, _ entry: Mapping.Entry
  ) {
    guard existing.isInferred, existing.kind == .variable, let held = existing.type,
      !held.isOptional, let given = value.type, given != .any
    else { return }
    let isSame =
      switch (held.celType.withoutRecord, given.unwrapped.celType.withoutRecord) {
      case (.double, .int), (.list, .list), (.map, .map), (.string, .enumeration),
        (.enumeration, .string), (.enumeration, .enumeration):
        true
      case (let held, let given): held == given
      }
    if isSame { return }
    collector.report(
      "invalid-value", "`\(entry.key.text)` holds \(held.description), not \(given.description)",
      at: entry.value.span, help: help(onAssigning: entry.value),
      related: existing.declaration.map { [.init("declared here", at: $0.span)] } ?? [])
  }
}
