import CEL
package import Catalog
import Items
import Source
import YAML

/// Compiles an intent or a shortcut: names become slots, and every mistake is reported.
package struct ActionCompiler {
  let context: CompilationContext
  let collector: DiagnosticCollector
  var scopes = Scopes()
  /// How many steps were met so far.
  var stepCount = 0
  /// How many loops stand around the step.
  var loopDepth = 0
  /// The entities that steps name, and the intents and shortcuts that they call.
  var entities: Set<String> = []
  var callees: Set<String> = []
  /// The intents and shortcuts that steps put into the queue.
  var enqueued: Set<String> = []
  /// What its steps may touch outside the store.
  var touches: Set<Touch> = []
  /// The secrets that its expressions use.
  let secrets = SecretUses()
  /// The type of the value of the block that was compiled last; nil when it may be any value.
  var blockType: DataType?
  /// The names of variables that several steps give values to.
  var reassigned: Set<String> = []
  /// What the action returns, by its declaration.
  var returns: DataType?
  /// The type of `trigger` in an automation, and what sets it off.
  var triggerType: DataType?
  var triggers: [TriggerDefinition]?
  /// How many `atomic` blocks stand around the step.
  var atomicDepth = 0
  /// The steps of each `atomic` block that stands in no other one.
  var atomicBlocks: [[CompiledStep]] = []
  /// Whether a step may end the action with a value of its own.
  var mayReturn = false
  /// How many `finally` blocks stand around the step.
  var finallyDepth = 0
  /// Whether a bare word is always a word, as in a default, or is told of by another mistake.
  var isPlainText = false
  /// Whether texts are for another program, such as a shell, which may fill in things of its own.
  var isForeignText = false
  /// Whether what is compiled came with the program.
  var isBuiltIn = false

  /// A compiler that reports what is wrong to a collector.
  package init(_ context: CompilationContext, _ collector: DiagnosticCollector) {
    self.context = context
    self.collector = collector
  }

  var expressions: ExpressionCompiler {
    var compiler = ExpressionCompiler(context, collector, secrets)
    compiler.triggers = triggers
    return compiler
  }

  /// The compiled action; only to be run when nothing was reported.
  package mutating func compile(_ definition: ActionDefinition) -> CompiledAction {
    if context.findsDoubts { scopes.uses = NameUses() }
    scopes.nameAdvice = NameAdvice(definition, context.verbs)
    returns = definition.returns
    isBuiltIn = context.library.place(ofAction: definition.name.text)?.layer == .builtIn
    triggerType = definition.automation.map(type(ofTriggers:))
    triggers = definition.automation?.triggers
    noteReassigned(definition)
    // `it` is slot 0 wherever it stands.
    _ = scopes.declare("it", .parameter, type: nil)
    let runName = RunName(slot: scopes.declare("run", .parameter, type: nil))
    scopes.runName = runName
    var parameters: [CompiledParameter] = []
    for (index, parameter) in definition.allParameters.enumerated() {
      let name = index == 0 && definition.input != nil ? "input" : parameter.name.text
      parameters.append(compile(parameter, named: name))
    }
    if let filter = definition.accepts?.filter {
      let slot = scopes.makeSlot()
      _ = expressions.compile(condition: filter, Scopes(), subject: .share(slot: slot))
    }
    var variables: [(slot: Int, type: DataType, value: CompiledValue?)] = []
    for variable in definition.variables {
      checkEntity(of: variable.type, at: variable.name.span)
      let value = variable.valueNode.flatMap { compile($0, as: variable.type) }
      let slot = scopes.declare(
        variable.name.text, .variable, type: variable.type, at: variable.name)
      variables.append((slot, variable.type, value))
    }
    // What has no input begins with null.
    scopes.knowledge.itType =
      definition.input == nil ? .optional(.any) : definition.allParameters.first?.type
    scopes.knowledge.itIsUnset = definition.input == nil
    let timeout = definition.timeout.flatMap { length($0, "timeout", isPositive: true) }
    let steps = compile(definition.steps, in: .root)
    let output = definition.output.flatMap { node -> CompiledValue? in
      if let scalar = node.scalar, scalar.text == "none" { return .constant(.null) }
      let value = compile(
        node, as: definition.returns, takesExpression: true, need: needOfReturns)
      expectReturnable(value?.known, at: node.span)
      return value
    }
    if let returns = definition.returns, let span = definition.returnsSpan {
      checkEntity(of: returns, at: span)
      if definition.output == nil, !steps.leave {
        expectReturnedIt(at: span)
      }
    }
    // After `return` the dialog is said, too, with what was returned.
    if mayReturn { scopes.knowledge = Knowledge() }
    // A name of the person's own hides it.
    let outputSlot =
      scopes.holds("output")
      ? scopes.makeSlot() : scopes.declare("output", .parameter, type: definition.returns)
    if let full = definition.dialog.full { doubtPlaceholders(in: full) }
    let full = definition.dialog.full.flatMap { expressions.compile($0, scopes) }
    let short = definition.dialog.short.flatMap { expressions.compile($0, scopes) }
    let snippet = definition.dialog.snippet.flatMap { compile($0, as: nil) }
    let action = CompiledAction(
      definition: definition, parameters: parameters, variables: variables,
      slotCount: scopes.slotCount, steps: steps, output: output, outputSlot: outputSlot,
      timeout: timeout, full: full, short: short, snippet: snippet)
    if context.findsDoubts { action.unusedCalls = ValueUse.unusedCalls(of: action) }
    ValueUse.mark(action)
    if let automation = definition.automation { compile(automation, into: action) }
    action.runSlot = runName.isUsed ? runName.slot : nil
    action.callees = callees
    action.atomicBlocks = atomicBlocks
    action.enqueued = enqueued
    action.touches = touches.union(secrets.names.map { Touch(.secret, $0) })
    action.entities = entities.union(action.parameters.flatMap { $0.definition.type.entityNames })
    if context.findsDoubts { TestChecker(context: context, collector: collector).check(definition) }
    if let uses = scopes.uses, !collector.hasErrors { collector.report(uses.warnings) }
    return action
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
        collector.report(
          "invalid-value", "`\(name)` can't be null, so neither can its default", at: node.span,
          help:
            "give it a value, take `default` out, or write `type: '\(parameter.type.description)?'`"
        )
      }
      expectAllowed(defaultValue, for: parameter, at: node.span)
    }
    let prompt = parameter.prompt.flatMap { expressions.compile($0, scopes) }
    let suggestions = parameter.suggestions.flatMap { compile($0, as: nil) }
    let slot = scopes.declare(name, .parameter, type: parameter.type, at: parameter.name)
    var filter: (CompiledExpression, Int)?
    if let source = parameter.constraints.filter {
      let selfSlot = scopes.makeSlot()
      filter = expressions.compile(
        condition: source, scopes, subject: .init(slot: selfSlot, entity: nil)
      )
      .map { ($0, selfSlot) }
    }
    let pattern = parameter.constraints.pattern.flatMap { compile(pattern: $0) }
    return CompiledParameter(
      definition: parameter, slot: slot, defaultValue: defaultValue, prompt: prompt,
      suggestions: suggestions, filter: filter, pattern: pattern)
  }

  /// A regular expression, which must match all of the text that stands in the slot.
  private mutating func compile(
    pattern: Scalar
  ) -> (expression: CompiledExpression, selfSlot: Int)? {
    let slot = scopes.makeSlot()
    if !pattern.span.file.isBuiltIn {
      do throws(EvaluationError) {
        _ = try TextPattern(pattern.text)
      } catch {
        collector.report("bad-pattern", error.message, at: pattern.span)
        return nil
      }
    }
    guard let program = try? patternProgram(pattern),
      let source = try? ExpressionSource(scalar: pattern)
    else { return nil }
    return (CompiledExpression(program: program, slots: [slot], source: source), slot)
  }

  /// What tells whether a text matches a regular expression as a whole.
  func patternProgram(_ pattern: Scalar) throws(ExpressionError) -> CEL.Program {
    let text = "self.matches(\(Value.string("^(?:" + pattern.text + ")$")))"
    return try context.environment.compile(try Expression.parse(text))
  }

  /// Reports a type that names an entity that does not exist.
  func checkEntity(of type: DataType, at span: Span) {
    guard let name = type.entityName else { return }
    context.entity(
      name, at: span, collector, help: TypeAdvice.meant(by: name).map { "write `\($0)`" })
  }
}
