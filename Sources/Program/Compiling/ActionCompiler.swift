import CEL
package import Catalog
import Items
import Source
import YAML

/// Compiles an intent or shortcut: resolves names to slots, checks types and reports all errors.
///
/// The target turns definitions into programs: scopes and slots, static types and nullability, step
/// paths, effects and capabilities, warnings. It also owns the functions that Errand adds to CEL
/// (dates, texts, pages, secrets). It runs nothing; nothing is parsed after it.
package struct ActionCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector
  var scopes = Scopes()
  /// Number of steps so far.
  var stepCount = 0
  /// Nesting depth of loops.
  var loopDepth = 0
  /// Entities named by steps, and actions called by them.
  var entities: Set<String> = []
  var callees: Set<String> = []
  /// Actions enqueued by steps.
  var enqueued: Set<String> = []
  /// Capabilities of its steps.
  var capabilities: Set<Capability> = []
  /// Secrets used in expressions.
  let secrets = SecretUses()
  /// Value type of the last compiled block; nil if any.
  var blockType: DataType?
  /// Variables that are assigned by several steps.
  var reassigned: Set<String> = []
  /// Declared result type.
  var returns: DataType?
  /// The type of `trigger` in an automation.
  var triggerType: DataType?
  var triggers: [TriggerDefinition]?
  /// The slots of answers that are always yes, since no ends the run, each with its question.
  var confirmed: [Int: String] = [:]
  /// Nesting depth of `atomic` blocks.
  var atomicDepth = 0
  /// The steps of each outermost `atomic` block.
  var atomicBlocks: [[CompiledStep]] = []
  /// Number of slots at the first step that may end the action with a value; nil without one.
  var slotsAtReturn: Int?
  /// Nesting depth of `finally` blocks.
  var finallyDepth = 0
  /// Suppresses the “bare word looks like a name” warning, as in a default.
  var isPlainText = false
  /// A program, and the word after one with more words, such as `branch` in `[git, branch, -d]`, which
  /// is a command of its own rather than a name.
  var commandWords: [Range<Int>] = []
  /// Whether texts are for another program, such as a shell, which may have placeholders of its
  /// own.
  var isForeignText = false
  /// Whether the definition is built in.
  var isBuiltIn = false

  /// Creates a compiler that reports to a collector.
  package init(_ context: CompilationContext, _ collector: DiagnosticCollector) {
    self.context = context
    self.collector = collector
  }

  var expressions: ExpressionCompiler {
    var compiler = ExpressionCompiler(context, collector, secrets)
    compiler.triggers = triggers
    return compiler
  }

  /// Compiles a definition; run the result only if no errors were reported.
  package mutating func compile(_ definition: ActionDefinition) -> CompiledAction {
    if context.reportsWarnings { scopes.uses = NameUses() }
    scopes.nameAdvice = NameAdvice(definition, context.verbs)
    returns = definition.returns
    isBuiltIn = context.catalog.place(ofAction: definition.name.text)?.layer == .builtIn
    triggerType = definition.automation.map(type(ofTriggers:))
    triggers = definition.automation?.triggers
    noteReassigned(definition)
    // `it` is slot 0 everywhere.
    _ = scopes.declare("it", .parameter, type: nil)
    let runName = RunName(slot: scopes.declare("run", .parameter, type: nil))
    scopes.runName = runName
    var parameters: [CompiledParameter] = []
    for (index, parameter) in definition.allParameters.enumerated() {
      let name = index == 0 && definition.input != nil ? "input" : parameter.name.text
      expectEarlier(parameter, parameters.map(\.definition.name.text))
      parameters.append(compile(parameter, named: name))
    }
    let shareFacts = definition.accepts.map { facts(of: $0) } ?? []
    var variables: [(slot: Int, type: DataType, value: CompiledValue?)] = []
    for variable in definition.variables {
      checkEntity(of: variable.type, at: variable.name.span)
      let value = variable.valueNode.flatMap { compile($0, as: variable.type) }
      let slot = scopes.declare(
        variable.name.text, .variable, type: variable.type, at: variable.name)
      variables.append((slot, variable.type, value))
    }
    // Without input, `it` is null at the start.
    scopes.flowFacts.itType =
      definition.input == nil ? .optional(.any) : definition.allParameters.first?.type
    scopes.flowFacts.itIsUnset = definition.input == nil
    for name in ["input", "it"] { scopes.flowFacts.learn(shareFacts, of: name) }
    let timeout = definition.timeout.flatMap { length($0, "timeout", isPositive: true) }
    let steps = compile(definition.steps, in: .root)
    let output = definition.output.flatMap { node -> CompiledValue? in
      if let scalar = node.scalar, scalar.text == "none" { return .constant(.null) }
      let value = compile(node, as: definition.returns, takesExpression: true, need: needOfReturns)
      expectReturnable(value?.known, at: node.span)
      return value
    }
    if let returns = definition.returns, let span = definition.returnsSpan {
      checkEntity(of: returns, at: span)
      if definition.output == nil, !steps.leave { expectReturnedIt(at: span) }
    }
    // The dialog is also shown after a `return`, with the returned value.
    if let slotsAtReturn { scopes.forgetSteps(from: slotsAtReturn) }
    // A name declared in the document shadows it.
    let outputSlot =
      scopes.holds("output")
      ? scopes.makeSlot() : scopes.declare("output", .parameter, type: definition.returns)
    if let full = definition.dialog.full { doubtPlaceholders(in: full) }
    let action = CompiledAction(definition)
    action.full = definition.dialog.full.flatMap { expressions.compile($0, scopes) }
    action.short = definition.dialog.short.flatMap { expressions.compile($0, scopes) }
    action.snippet = definition.dialog.snippet.flatMap { compile($0, as: nil) }
    (action.parameters, action.variables, action.steps) = (parameters, variables, steps)
    (action.output, action.outputSlot, action.timeout) = (output, outputSlot, timeout)
    action.slotCount = scopes.slotCount
    if context.reportsWarnings { action.unusedCalls = ValueUse.unusedCalls(of: action) }
    ValueUse.mark(action)
    if let automation = definition.automation { compile(automation, into: action) }
    action.runSlot = runName.isUsed ? runName.slot : nil
    action.callees = callees
    action.atomicBlocks = atomicBlocks
    action.enqueued = enqueued
    action.capabilities = capabilities.union(secrets.names.map { Capability(.secret, $0) })
    action.entities = entities.union(action.parameters.flatMap { $0.definition.type.entityNames })
    if context.reportsWarnings {
      TestChecker(context: context, collector: collector).check(definition)
    }
    for answer in definition.tests.flatMap(\.answers) {
      scopes.uses?.use(resultsNamed: answer.key.text)
    }
    if let uses = scopes.uses, !collector.hasErrors { collector.report(uses.warnings) }
    return action
  }

  /// Non-null facts about the shares that are accepted, to follow the name of the input.
  private mutating func facts(of accepts: ShareAcceptance) -> Set<String> {
    var facts = Set(accepts.commonFields.map { "." + $0 })
    if let filter = accepts.filter {
      let slot = scopes.makeSlot()
      let condition = expressions.compile(
        condition: filter, Scopes(), subject: .share(slot: slot))
      for fact in condition?.checked?.whenTrue ?? [] where fact.hasPrefix("self.") {
        facts.insert(String(fact.dropFirst(4)))
      }
    }
    return accepts.max > 1 ? Set(facts.map { "@" + $0 }) : facts
  }

  /// Reports a parameter that refers to one which is not before it.
  private func expectEarlier(_ parameter: ParameterDefinition, _ earlier: [String]) {
    for other in [parameter.following, parameter.zone] {
      guard let other, !earlier.contains(other.text) else { continue }
      collector.report(
        "unknown-parameter",
        "there is no parameter `\(other.text)` before `\(parameter.name.text)`", at: other.span,
        help: Suggestion.help(for: other.text, in: earlier))
    }
  }

  private mutating func compile(
    _ parameter: ParameterDefinition, named name: String
  ) -> CompiledParameter {
    checkEntity(of: parameter.type, at: parameter.name.span)
    isPlainText = true
    scopes.isDefault = true
    let defaultValue = parameter.defaultNode.flatMap { compile($0, as: parameter.type) }
    isPlainText = false
    scopes.isDefault = false
    if parameter.isTrigger { return trigger(parameter) }
    if let defaultValue, let node = parameter.defaultNode {
      if case .constant(.null) = defaultValue, !parameter.type.isOptional {
        report(
          "`\(name)` cannot be null, so neither can its default", at: node.span,
          help: Self.help(forNull: node.scalar)
            ?? "give it a value, remove `default`, or write `type: '\(parameter.type.description)?'`"
        )
      }
      expectAllowed(defaultValue, for: parameter, at: node.span)
    }
    let prompt = parameter.prompt.flatMap { expressions.compile($0, scopes) }
    let suggestions = parameter.suggestions.flatMap { compile($0, as: nil) }
    let slot = scopes.declare(name, .parameter, type: parameter.type, at: parameter.name)
    var filter: (CompiledExpression, Int)?
    if let source = parameter.filter {
      let selfSlot = scopes.makeSlot()
      filter = expressions.compile(
        condition: source, scopes, subject: .init(slot: selfSlot, entity: nil)
      )
      .map { ($0, selfSlot) }
    }
    return CompiledParameter(
      definition: parameter, slot: slot, defaultValue: defaultValue, prompt: prompt,
      suggestions: suggestions, filter: filter)
  }

  /// Advice on the plural of an entity where a type is; nil for other names.
  private func severalHelp(_ name: String) -> String? {
    let one = String(name.dropLast())
    return name.hasSuffix("s") && context.catalog.entityNames.contains(one)
      ? "write `list<\(one)>` for several, `\(one)` for one" : nil
  }

  /// Reports a type with an unknown entity.
  func checkEntity(of type: DataType, at span: Span) {
    guard let name = type.entityName else { return }
    context.entity(
      name, at: span, collector,
      help: TypeAdvice.meant(by: name).map { "write `\($0)`" } ?? severalHelp(name))
  }
}
