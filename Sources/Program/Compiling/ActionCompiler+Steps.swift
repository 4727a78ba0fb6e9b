import CEL
import Catalog
import Items
import Source
import YAML

extension ActionCompiler {
  /// Compiles the steps of a block that shares the scope around it.
  mutating func compile(_ steps: [Step], in parent: StepID) -> [CompiledStep] {
    var compiled: [CompiledStep] = []
    compiled.reserveCapacity(steps.count)
    var last: CompiledStep?
    for (position, step) in steps.enumerated() {
      let name = step.binding?.text ?? step.label
      let id = name.map(parent.named) ?? parent.at(position)
      if context.reportsWarnings, let last {
        if last.guardCondition == nil, last.kind.leaves { doubt(step, after: last) }
      }
      last = compile(step, id)
      if let last { compiled.append(last) }
    }
    return compiled
  }

  /// Compiles the steps of a block in a new scope.
  mutating func block(_ steps: [Step], in id: StepID) -> [CompiledStep] {
    // An update in a block is not known to have happened after it.
    let changed = scopes.changed
    scopes.enterBlock()
    defer {
      scopes.leaveBlock()
      scopes.changed = changed
    }
    return compile(steps, in: id)
  }

  /// Compiles the steps of a loop, where every iteration but the first follows a previous one.
  private mutating func loop(
    _ steps: [Step], in id: StepID, knowing facts: Set<String> = []
  ) -> LoopBody {
    loopDepth += 1
    defer { loopDepth -= 1 }
    let outside = scopes.flowFacts
    scopes.flowFacts.learn(facts)
    let body = block(steps, in: id.named("do"))
    // The value of a loop is the list of its iterations' values.
    blockType = .list(body.leave ? .any : scopes.flowFacts.itType ?? .any)
    scopes.flowFacts = outside
    return LoopBody(body)
  }

  /// Drops facts that a loop's body may change, before its condition or first step.
  private mutating func dropFacts(assignedIn body: [Step]) {
    for entry in context.assignments(in: body) {
      let name = entry.key.text
      scopes.flowFacts.forget(name)
      // A variable set to null in one iteration may be null in the next one.
      if entry.value.scalar?.isNull == true, scopes.binding(name)?.kind == .variable {
        scopes.flowFacts.emptied.insert(name)
      }
    }
  }

  private mutating func compile(_ step: Step, _ id: StepID) -> CompiledStep? {
    let index = stepCount
    stepCount += 1
    let condition = step.guardCondition.flatMap { expressions.compile(condition: $0, scopes) }
    let before = scopes.flowFacts
    scopes.flowFacts.learn(condition?.checked?.whenTrue ?? [])
    let kind = kind(of: step, id)
    let persistence = persistence(of: step)
    doubtRetry(step.retry, of: kind)
    let facts = kind.map { self.facts(of: $0) } ?? []
    if let kind { recordIt(kind, facts) }
    if condition != nil {
      var skipped = before
      skipped.learn(condition?.checked?.whenFalse ?? [])
      scopes.flowFacts =
        kind?.leaves == true ? skipped : scopes.flowFacts.joined(skipped)
    }
    if step.binding == nil, condition == nil { noteChange(by: kind, at: step.span) }
    let hasResult = kind.map { expectResult(of: $0, step) } ?? true
    // The name is in scope only after the step.
    let binding = step.binding.map { name in
      if let existing = scopes.binding(name.text), existing.kind == .variable {
        collector.report(
          "name-is-variable", "`\(name.text)` is a variable that `set` declared", at: name.span,
          help: "choose another name after `as`",
          related: existing.declaration.map { [.init("declared here", at: $0.span)] } ?? [])
      }
      var type = kind.flatMap(resultType)
      if step.guardCondition != nil { type = type.map { $0.isOptional ? $0 : .optional($0) } }
      let givesSecret = kind?.givesSecret(scopes.isSecret) == true
      let slot = scopes.declare(name.text, .result, type: type, at: hasResult ? name : nil)
      scopes.flowFacts.learn(facts, of: name.text)
      if givesSecret { scopes.noteSecret(name.text, slot: slot) }
      if condition == nil { confirmed[slot] = kind?.confirmation }
      // The name is also the key of a preset answer.
      if case .verb(let call)? = kind, case .ask = call.verb.effect { scopes.uses?.use(slot) }
      return slot
    }
    guard let kind else { return nil }
    return CompiledStep(
      kind: kind, persistence: persistence, id: id, index: index, onResume: step.onResume,
      binding: binding,
      bindingName: step.binding?.text, label: step.label, originalPrompt: step.originalPrompt,
      displayName: step.displayName, guardCondition: condition, span: step.span)
  }

  /// Records the type of `it` after a step; blocks do so themselves.
  private mutating func recordIt(_ kind: CompiledStep.Kind, _ facts: Set<String>) {
    switch kind {
    case .verb(let call) where !call.verb.setsIt: return
    case .conditional, .atomic, .menu, .attempt: return
    case .verb, .action, .forEach, .repeatCount, .whileLoop, .parallel:
      scopes.flowFacts.itType = resultType(of: kind)
      scopes.flowFacts.itValue = kind.writtenValue
    }
    scopes.flowFacts.itIsUnset = false
    scopes.flowFacts.forget("it")
    scopes.flowFacts.learn(facts, of: "it")
  }

  /// Whether a step may be named by `as`; reports a name for one without a result.
  private func expectResult(of kind: CompiledStep.Kind, _ step: Step) -> Bool {
    guard let name = step.binding, case .verb(let call) = kind, !call.verb.setsIt,
      call.verb.form == .assignment
        || call.verb.traits.contains(.onlyTells) && call.verb.resultType.of(call) == nil
    else { return true }
    report(
      "`\(call.verb.name)` has no result to name", at: name.span,
      help: call.verb.arguments.contains { $0.name == "as" }
        ? "as an argument it stands below: write `- \(call.verb.name): {\(call.verb.arguments[0].name): …, as: \(name.text)}`"
        : "remove `as: \(name.text)`; a value is named by `- value: …` with `as:`")
    return false
  }

  private mutating func kind(of step: Step, _ id: StepID) -> CompiledStep.Kind? {
    switch step.kind {
    case .call(let call): return compile(call, speaks: step.speaks)
    case .conditional(let branches, let otherwise):
      var compiled: [CompiledStep.Branch] = []
      var ends: [FlowFacts] = []
      var types: [DataType?] = []
      for (position, branch) in branches.enumerated() {
        let condition = expressions.compile(condition: branch.condition, scopes)
        if position == 0, !otherwise.isEmpty { doubt(answer: branch.condition) }
        let own = position == 0 ? id : id.named("elif").at(position - 1)
        let before = scopes.flowFacts
        scopes.flowFacts.learn(condition?.checked?.whenTrue ?? [])
        let body = block(branch.body, in: own.named("then"))
        if !body.leave {
          ends.append(scopes.flowFacts)
          types.append(scopes.flowFacts.itType)
        }
        scopes.flowFacts = before
        scopes.flowFacts.learn(condition?.checked?.whenFalse ?? [])
        if let condition { compiled.append(CompiledStep.Branch(condition: condition, body: body)) }
      }
      let last = otherwise.isEmpty ? nil : block(otherwise, in: id.named("else"))
      if last?.leave != true { ends.append(scopes.flowFacts) }
      if let last, !last.leave { types.append(scopes.flowFacts.itType) }
      // If no branch is taken, the result is null.
      blockType = joined(types, orNull: last == nil)
      scopes.flowFacts = FlowFacts.joined(ends) ?? scopes.flowFacts
      return .conditional(compiled, otherwise: last)
    case .forEach(let loop): return compile(loop, id)
    case .repeatCount(let count, let index, let body):
      let span = count.span
      let count = compile(count, as: .int, takesExpression: true, need: "`repeat` needs a number")
      if let count { expect(count, in: 0...1_000_000, named: "repeat", at: span) }
      scopes.enterBlock()
      let slot = index.map { scopes.declare($0.text, .loop, type: .int, at: $0) }
      dropFacts(assignedIn: body)
      let body = loop(body, in: id)
      scopes.leaveBlock()
      return count.map { .repeatCount($0, index: slot, body: body) }
    case .whileLoop(let condition, let body):
      dropFacts(assignedIn: body)
      // `while: true` is ended by `break`.
      let condition = expressions.compile(condition: condition, scopes, mayBeConstant: true)
      let body = loop(body, in: id, knowing: condition?.checked?.whenTrue ?? [])
      return condition.map { .whileLoop($0, body: body) }
    case .menu(let prompt, let options):
      if let first = options.first { refuseInAtomic("menu", .asks, at: first.label.scalar.span) }
      let prompt = prompt.flatMap { expressions.compile($0, scopes) }
      var compiled: [(label: CompiledTemplate, original: String?, body: [CompiledStep])] = []
      var ends: [FlowFacts] = []
      for (position, option) in options.enumerated() {
        let label = expressions.compile(option.label, scopes)
        let before = scopes.flowFacts
        let body = block(option.body, in: id.named("options").at(position))
        if !body.leave { ends.append(scopes.flowFacts) }
        scopes.flowFacts = before
        if let label { compiled.append((label, option.original, body)) }
      }
      blockType = joined(ends.map(\.itType))
      scopes.flowFacts = FlowFacts.joined(ends) ?? scopes.flowFacts
      return .menu(CompiledStep.Menu(prompt: prompt, options: compiled))
    case .attempt(let attempt): return compile(attempt, id)
    case .parallel(let parallel): return compile(parallel, id)
    case .atomic(let body): return atomic(body, id)
    }
  }

  private mutating func compile(_ forEach: Step.ForEach, _ id: StepID) -> CompiledStep.Kind? {
    let list = compile(list: forEach.list)
    let limit = forEach.parallel.flatMap {
      branchCount($0.limit, "parallel")
    }
    let pace = forEach.parallel?.pace.flatMap { length($0, "pace") }
    if let passes = forEach.parallel {
      refuseInAtomic("parallel", .isParallel, at: passes.limit.span)
    }
    scopes.enterBlock(isBranch: forEach.parallel != nil)
    defer { scopes.leaveBlock() }
    var element: DataType?
    switch list?.type?.unwrapped {
    case .list(let type): element = type
    case .map(let type): element = .record(KnownRecord.entry(of: type.celType))
    case .record: element = .record(KnownRecord.entry(of: .dyn))
    default: break
    }
    let variable = scopes.declare(forEach.variable.text, .loop, type: element, at: forEach.variable)
    let index = forEach.index.map { scopes.declare($0.text, .loop, type: .int, at: $0) }
    dropFacts(assignedIn: forEach.body)
    scopes.flowFacts.forget("it")
    scopes.flowFacts.itType = element
    scopes.flowFacts.itIsUnset = false
    // Facts that a filter implies about all elements hold for each one.
    let root =
      if case .map? = list?.type?.unwrapped {
        forEach.variable.text + ".value"
      } else {
        forEach.variable.text
      }
    let facts = elementFacts(of: list).filter { $0.hasPrefix("@") }
    scopes.flowFacts.learn(Set(facts.map { root + $0.dropFirst() }))
    let key = forEach.parallel?.key.flatMap { expressions.compile($0, scopes) }
    let body = loop(forEach.body, in: id)
    if forEach.parallel?.settles == true, case .list(let value) = blockType {
      let row = KnownRecord.settled(value.celType, item: element?.celType ?? .dyn)
      blockType = .list(.record(row))
    }
    let passes = forEach.parallel.flatMap { passes in
      limit.map {
        CompiledStep.ParallelPasses(limit: $0, pace: pace, key: key, settles: passes.settles)
      }
    }
    return list.map {
      .forEach(
        CompiledStep.ForEach(
          list: $0, variable: variable, index: index, parallel: passes, body: body))
    }
  }

  /// The static type of a step's value; nil if unknown.
  private func resultType(of kind: CompiledStep.Kind) -> DataType? {
    switch kind {
    case .action(let call): return resultType(ofAction: call.name)
    case .verb(let call):
      if call.verb.calls, case .name(let name)? = call.arguments.first {
        return resultType(ofAction: name)
      }
      if let type = call.verb.resultType.of(call) { return type }
      // The item of a reference, as of `get: task:1`.
      guard call.verb.setsIt, call.verb.arguments.first?.role == .item,
        let entity = entity(of: call.arguments.first ?? nil)
      else { return nil }
      return .entity(entity.name.text)
    case .conditional, .forEach, .repeatCount, .whileLoop, .menu, .attempt, .parallel, .atomic:
      return blockType
    }
  }

  /// The result type of an action; null after a `stop`.
  private func resultType(ofAction name: String) -> DataType? {
    guard let callee = try? context.catalog.action(name), let type = callee.returns else {
      return nil
    }
    return !type.isOptional && context.mayStop(callee.steps) ? .optional(type) : type
  }

  /// The type of a block's value, joined from all its paths; nil if any.
  func joined(_ types: [DataType?], orNull: Bool = false) -> DataType? {
    // If no path reaches the end, the result is null.
    if types.isEmpty, orNull { return .optional(.any) }
    guard case let first?? = types.first else { return nil }
    let joined = types.dropFirst().reduce(DataType?.some(first)) { joined, type in
      joined.flatMap { joined in type.flatMap(joined.joined) }
    }
    return orNull ? joined.map { $0.isOptional ? $0 : .optional($0) } : joined
  }

  // MARK: Calls

  private mutating func compile(_ call: Step.Call, speaks: Bool) -> CompiledStep.Kind? {
    if let row = context.verbs.row(call.name.text) {
      return compile(context.verbs.signature(row), row, call)
    }
    guard let callee = context.action(call.name.text, collector) else {
      if !context.catalog.actionNames.contains(call.name.text) { reportUnknown(call.name) }
      if StepAdvice.isAssignment(call.name) {
        // Declared despite the error, so that later steps raise no further ones.
        for name in call.value?.mapping?.entries.map(\.key.text) ?? []
        where NameForm.lowerCamel.accepts(name) && scopes.binding(name) == nil {
          scopes.declare(name, .result, type: nil)
        }
      }
      return nil
    }
    callees.insert(callee.name.text)
    if let name = call.value?.mapping?["as"]?.scalar,
      !callee.allParameters.contains(where: { $0.name.text == "as" })
    {
      // Declared despite the error, so that later steps raise no further ones.
      scopes.declare(name.text, .result, type: nil)
    }
    return actionCall(callee, call, speaks: speaks)
  }

  private func reportUnknown(_ name: Scalar) {
    if ReservedWord.isLaterVerb(name.text) {
      collector.report(
        "later-release", "`\(name.text)` comes in a later release", at: name.span,
        help: StepAdvice.help(onForeignWord: name) ?? "remove it")
      return
    }
    var help: String?
    if collector.wantsAdvice {
      // Nested, not concatenated: there may be thousands of names.
      let names = [context.verbs.names(), context.catalog.actionNames, ReservedWord.heads].joined()
      let kebab = name.text.hasPrefix("-") ? nil : StepAdvice.kebab(name.text)
      help =
        names.first { $0 == kebab }.map { "did you mean `\($0)`?" }
        ?? StepAdvice.help(onForeignWord: name) ?? StepAdvice.help(onArgumentIn: name)
        ?? Suggestion.nearest(to: name.text, in: names).map { "did you mean `\($0)`?" }
        ?? StepAdvice.help(onWordsOf: name) { word in names.contains(word) }
    }
    collector.report(
      "unknown-step", "unknown step `\(name.text)`", at: name.span,
      help: help
        ?? "`errand list` shows all names; a program is started by `- exec: [\(name.text), …]`")
  }

  private func actionCall(
    _ callee: ActionDefinition, _ call: Step.Call, speaks: Bool
  ) -> CompiledStep.Kind? {
    let parameters = callee.allParameters
    var arguments: [(parameter: Int, value: CompiledValue, span: Span)] = []
    switch call.value?.content {
    case nil: break
    case .mapping(let mapping):
      for entry in mapping.entries {
        guard let index = position(ofParameter: entry.key, of: callee) else { continue }
        if let value = compile(entry.value, for: parameters[index]) {
          arguments.append((index, value, entry.value.span))
        }
      }
    case .scalar, .sequence:
      guard let node = call.value else { break }
      guard let primary = callee.primaryParameter,
        let index = parameters.firstIndex(where: { $0.name.text == primary.name.text })
      else {
        collector.report(
          "unknown-parameter", "`\(callee.name.text)` has no parameters", at: node.span,
          help: "write `- \(callee.name.text)` alone")
        break
      }
      if node.sequence != nil, !primary.type.takesList {
        let name = callee.name.text
        report(
          "`\(name)` takes \(primary.type.unwrapped.wording) here, not a list",
          at: node.span,
          help: "to give several parameters write `- \(name): {\(primary.name.text): …}`; "
            + "for each of a list use `for`")
        break
      }
      if let value = compile(node, for: primary) { arguments.append((index, value, node.span)) }
    }
    return .action(
      CompiledStep.ActionCall(name: callee.name.text, arguments: arguments, speaks: speaks))
  }
}
